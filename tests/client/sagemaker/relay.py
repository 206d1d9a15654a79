"""Passes connections on to a front, and counts them; for what only the wire can tell."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

import anyio
from anyio.abc import SocketAttribute, SocketStream


class Relay:
    """Connections on the way to a front; it is to be had from `relay`."""

    def __init__(self, port: int) -> None:
        self.url = ""
        """``https://`` address to come by."""
        self.taken = 0
        """Connections so far."""
        self.open = 0
        """Connections that are open."""
        self.go_on = anyio.Event()
        """Once it isn't set, what comes is held back until it is."""
        self.go_on.set()
        self._port = port

    async def serve(self, client: SocketStream) -> None:
        """Pass one connection on, both ways."""
        self.taken += 1
        self.open += 1
        try:
            async with client, await anyio.connect_tcp("127.0.0.1", self._port) as front:
                async with anyio.create_task_group() as tasks:
                    for source, target in ((client, front), (front, client)):
                        tasks.start_soon(self._pass_on, source, target, tasks.cancel_scope)
        finally:
            self.open -= 1

    async def _pass_on(self, source: SocketStream, target: SocketStream, scope: anyio.CancelScope) -> None:
        try:
            async for block in source:
                await self.go_on.wait()
                await target.send(block)
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            pass
        scope.cancel()


@asynccontextmanager
async def relay(url: str) -> AsyncIterator[Relay]:
    """Run a relay to the front at ``url`` while the block runs."""
    port = urlsplit(url).port
    assert port is not None
    listener = await anyio.create_tcp_listener(local_host="127.0.0.1", local_port=0)
    found = Relay(port)
    found.url = f"https://localhost:{listener.extra(SocketAttribute.local_port)}"
    async with listener, anyio.create_task_group() as tasks:
        tasks.start_soon(listener.serve, found.serve)
        yield found
        tasks.cancel_scope.cancel()
