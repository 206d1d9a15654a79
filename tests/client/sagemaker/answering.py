"""Services that answer as a test says, over TLS, with nothing of a front about them."""

import socket
import ssl
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path

import anyio
import trustme
from anyio.abc import SocketAttribute
from anyio.streams.tls import TLSListener, TLSStream

from primavoce.client.link import Opener
from primavoce.client.sagemaker import sagemaker_link
from primavoce.testing.aws.http2_server import Http2Stream, http2_server
from tests.client.sagemaker.conftest import credentials_of_the_front

type Links = Callable[..., Opener]
"""Returns what opens a link with the service."""


@asynccontextmanager
async def answering(answer: Callable[[Http2Stream], Awaitable[None]]) -> AsyncIterator[Links]:
    """Answer requests by HTTP/2 while the block runs."""
    with certified() as (context, ca_file):
        async with http2_server(answer, context) as port:
            yield links_with(port, ca_file)


@asynccontextmanager
async def answering_without_http2() -> AsyncIterator[Links]:
    """Let whoever comes in by TLS, for HTTP/1.1, and answer nothing, while the block runs."""
    async with mute_by_tls() as (port, ca_file):
        yield links_with(port, ca_file)


@asynccontextmanager
async def mute_by_tls() -> AsyncIterator[tuple[int, str]]:
    """Have such a service's port, and the file of who signed its certificate."""

    async def connected(client: TLSStream) -> None:
        async with client:
            with suppress(anyio.EndOfStream):
                await client.receive()

    with certified() as (context, ca_file):
        context.set_alpn_protocols(["http/1.1"])
        listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
        async with TLSListener(listener, context, standard_compatible=False) as secured:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(secured.serve, connected)
                yield int(listener.extra(SocketAttribute.local_port)), ca_file
                tasks.cancel_scope.cancel()


@contextmanager
def full() -> Iterator[int]:
    """Have a port that drops whatever comes, as a firewall does: its line of those who wait is full."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        waiting = [socket.socket() for _ in range(4)]
        for each in waiting:
            each.setblocking(False)
            with suppress(BlockingIOError):
                each.connect(listener.getsockname())
        try:
            yield listener.getsockname()[1]
        finally:
            for each in waiting:
                each.close()


def links_with(port: int, ca_file: str) -> Links:
    """Return what makes links with the service at ``port``."""

    def link(**changes: object) -> Opener:
        how: dict = {
            "endpoint": "speech",
            "region": "us-east-1",
            "url": f"https://localhost:{port}",
            "ca_file": ca_file,
            "credentials": credentials_of_the_front(),
        }
        return sagemaker_link(**{**how, **changes})

    return link


@contextmanager
def certified() -> Iterator[tuple[ssl.SSLContext, str]]:
    """Have a server's context of TLS, and the file of who signed its certificate, while the block runs."""
    authority = trustme.CA()
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert("localhost").configure_cert(context)
    with tempfile.TemporaryDirectory() as folder:
        ca_file = str(Path(folder) / "ca.pem")
        authority.cert_pem.write_to_path(ca_file)
        yield context, ca_file
