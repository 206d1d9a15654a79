"""Our client, over the official SDK, against a front that verifies what it is sent: what works, and what it costs."""

import gc
import logging
from contextlib import suppress

import anyio
import pytest
from botocore.session import Session
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from primavoce.client import SpeechSession
from primavoce.client.sagemaker import CredentialSource
from primavoce.errors import EndpointRefused, ProtocolViolation, SessionBroken
from primavoce.testing.aws.faults import Trouble
from primavoce.testing.aws.sagemaker_front import ACCESS_KEY, SECRET_KEY
from tests.client.resuming.cutting import letters

pytestmark = [pytest.mark.anyio, pytest.mark.aws]

log = logging.getLogger(__name__)


async def heard(session: SpeechSession, text: str, **options: object) -> str:
    async with session.utterance(text, **options) as utterance:  # type: ignore[arg-type]
        return letters(b"".join([pcm async for pcm in utterance.audio()]))


async def test_a_session_speaks_many_utterances(fronting) -> None:
    async with fronting() as loopback, SpeechSession.over(loopback.link()) as session:
        spoken = [await heard(session, text) for text in ("One.", "And two.", "Three, at last.")]

    assert spoken == ["one", "andtwo", "threeatlast"]


async def test_every_part_is_typed_and_every_event_verified(fronting) -> None:
    async with fronting() as loopback:
        async with SpeechSession.over(loopback.link()) as session:
            await heard(session, "One.")
        (seen,) = loopback.front.sessions
        await seen.over.wait()

    assert set(seen.parts) == {("UTF8", None)}
    assert seen.verified_events == len(seen.parts) + 1  # and the end, which is signed too
    assert seen.signed_end
    assert seen.problems == []


async def test_the_container_is_asked_by_another_path_and_query(fronting, shared_server) -> None:
    async with fronting() as loopback:
        link = loopback.link(model_path="invocations-bidirectional-stream", model_query="a=b", variant="v2")
        async with SpeechSession.over(link) as session:
            assert await heard(session, "One.") == "one"
        headers = loopback.front.sessions[0].headers

    assert headers["x-amzn-sagemaker-model-invocation-path"] == "invocations-bidirectional-stream"
    assert headers["x-amzn-sagemaker-model-query-string"] == "a=b"
    assert headers["x-amzn-sagemaker-target-variant"] == "v2"


async def test_many_sessions_speak_at_once(fronting) -> None:
    spoken = []

    async def speak(loopback, number: int) -> None:
        async with SpeechSession.over(loopback.link(open_timeout_s=30.0)) as session:
            spoken.append(await heard(session, "One." if number % 2 else "And two."))

    async with fronting(most_streams=200) as loopback, anyio.create_task_group() as tasks:
        for number in range(60):  # more than one connection takes
            tasks.start_soon(speak, loopback, number)

    assert sorted(spoken) == ["andtwo"] * 30 + ["one"] * 30


async def test_a_session_that_is_not_read_holds_the_container_back(fronting) -> None:
    sent = [0]

    async def session(socket: ServerConnection) -> None:
        await socket.recv()
        await socket.send('{"type": "pong"}')
        with suppress(ConnectionClosed):
            while True:
                await socket.send(b"\x01" * 32 * 1024)
                sent[0] += 32

    async with serve(session, "127.0.0.1", 0, max_queue=1, write_limit=0) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        async with fronting(model_url=f"ws://127.0.0.1:{port}") as loopback, loopback.link()() as link:
            kib = -1
            while sent[0] != kib:  # until it stands still
                kib = sent[0]
                await anyio.sleep(0.3)
            frames = aiter(link)
            received = [await anext(frames) for _ in range(100)]

    assert kib < 16 * 1024  # windows and sockets; not whatever it likes
    assert sum(len(frame) for frame in received[1:]) == 99 * 32 * 1024


async def test_a_message_in_fragments_comes_as_one(fronting) -> None:
    async def session(socket: ServerConnection) -> None:
        await socket.recv()
        await socket.send('{"type": "pong"}')

        async def pieces():
            for piece in ('{"type": "po', 'ng", "request', '_id": "é"}'):
                yield piece

        await socket.send(pieces())
        await socket.wait_closed()

    async with serve(session, "127.0.0.1", 0) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        async with fronting(model_url=f"ws://127.0.0.1:{port}") as loopback, loopback.link()() as link:
            frames = aiter(link)
            assert await anext(frames) == '{"type": "pong"}'
            assert await anext(frames) == '{"type": "pong", "request_id": "é"}'


async def test_another_protocol_needs_no_greeting(fronting) -> None:
    async def session(socket: ServerConnection) -> None:
        async for frame in socket:
            await socket.send(f"{type(frame).__name__} {frame!s}")

    async with serve(session, "127.0.0.1", 0) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        async with fronting(model_url=f"ws://127.0.0.1:{port}") as loopback, loopback.link(greeting=None)() as link:
            await link.send("Speak")
            assert await anext(aiter(link)) == "str Speak"


async def test_credentials_stay_the_same_for_a_session_and_are_fresh_for_the_next(fronting) -> None:
    session = Session()
    session.set_credentials(ACCESS_KEY, SECRET_KEY)
    source = CredentialSource(session, keep_s=0.0)
    async with fronting(secrets={ACCESS_KEY: SECRET_KEY, "second": "2"}) as loopback:
        link = loopback.link(credentials=source)
        async with SpeechSession.over(link) as first:
            await heard(first, "One.")
            session.set_credentials("second", "2")
            assert await heard(first, "And two.") == "andtwo"
        async with SpeechSession.over(link) as second:
            await heard(second, "Three.")
        keys = [seen.headers["authorization"].split("=")[1].split("/")[0] for seen in loopback.front.sessions]

        assert keys == [ACCESS_KEY, "second"]
        assert [seen.problems for seen in loopback.front.sessions] == [[], []]


async def test_no_credentials_are_told_at_once_and_nothing_is_sent(fronting, monkeypatch, tmp_path) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_PROFILE", "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "AWS_ROLE_ARN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "none"))
    async with fronting() as loopback:
        with anyio.fail_after(5), pytest.raises(EndpointRefused, match="there are no credentials: `aws configure`"):
            async with loopback.link(credentials=CredentialSource())():
                pass

        assert loopback.front.sessions == []


async def test_the_users_own_files_are_botocores_affair(fronting, monkeypatch, tmp_path) -> None:
    (tmp_path / "config").write_text("[default\nnonsense")
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "config"))
    monkeypatch.setenv("AWS_PROFILE", "another")
    async with fronting() as loopback, SpeechSession.over(loopback.link()) as session:
        assert await heard(session, "One.") == "one"


async def test_a_container_that_speaks_nonsense_breaks_the_protocol(fronting) -> None:
    async def session(socket: ServerConnection) -> None:
        await socket.recv()
        await socket.send(b"\xff" * (5 * 1024 * 1024))
        await socket.wait_closed()

    async with serve(session, "127.0.0.1", 0) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        async with fronting(model_url=f"ws://127.0.0.1:{port}") as loopback:
            with pytest.raises(ProtocolViolation, match="a frame of more than"):
                async with loopback.link()():
                    pass


async def test_nothing_is_written_to_standard_error(fronting, capfd) -> None:
    troubles = (Trouble.RESET_BEFORE_HEADERS, Trouble.DROP_MID_STREAM, Trouble.ACCESS_DENIED)
    async with fronting(*troubles) as loopback:
        for _ in range(4):
            try:
                async with SpeechSession.over(loopback.link(), timeout_s=5) as session:
                    await heard(session, "One. " * 20)
            except (SessionBroken, EndpointRefused):
                pass
        gc.collect()
        await anyio.sleep(0.1)

    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(("token", "lets_in"), [("tokenofthefront", True), ("another", False), (None, False)])
async def test_temporary_credentials_are_sent_with_their_token(fronting, token: str | None, lets_in: bool) -> None:
    session = Session()
    session.set_credentials(ACCESS_KEY, SECRET_KEY, token)
    async with fronting(tokens={ACCESS_KEY: "tokenofthefront"}) as loopback:
        opener = loopback.link(credentials=CredentialSource(session))
        if lets_in:
            async with opener():
                pass
            return
        with pytest.raises(EndpointRefused):
            async with opener():
                pass
