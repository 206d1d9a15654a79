"""The HTTP/2 server below the stand-ins."""

import ssl

import anyio
import httpx
import pytest
import trustme

from primavoce.testing.aws.http2_server import Gone, Http2Stream, http2_server

pytestmark = [pytest.mark.anyio, pytest.mark.aws]


async def test_an_answer_of_which_both_directions_break_leaves_the_others_alone() -> None:
    async def serve(stream: Http2Stream) -> None:
        if stream.headers[":path"] == "/":
            await stream.answer(200, {}, b"well")
            return
        await stream.reset()
        raise ExceptionGroup("both", [Gone(), anyio.BrokenResourceError()])

    authority = trustme.CA()
    of_server, of_client = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH), ssl.create_default_context()
    authority.issue_cert("127.0.0.1").configure_cert(of_server)
    authority.configure_trust(of_client)
    async with (
        http2_server(serve, of_server) as port,
        httpx.AsyncClient(http2=True, verify=of_client, base_url=f"https://127.0.0.1:{port}") as client,
    ):
        with pytest.raises(httpx.RemoteProtocolError):
            await client.get("/breaks")
        answer = await client.get("/")

    assert (answer.http_version, answer.text) == ("HTTP/2", "well")
