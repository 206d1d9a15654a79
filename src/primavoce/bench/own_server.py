"""Our own server, round a model that isn't Kokoro, in a process of its own that also tells what it has cost."""

import subprocess
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager

import anyio
import msgspec
from anyio.abc import Process
from anyio.streams.buffered import BufferedByteReceiveStream

from primavoce.client.local_server import address_in, for_ourselves, stop
from primavoce.errors import InvalidSetting

ASK = b"\n"
"""What the process answers, on its standard input, with a line of JSON."""
LONGEST_LINE = 64 * 1024
ANSWER_S = 10.0


class OwnServer:
    """It, ready to speak.

    Args:
        address: Its ``http://`` address.
        process: Its own, with pipes.
        said: What it writes.
    """

    def __init__(self, address: str, process: Process, said: BufferedByteReceiveStream) -> None:
        self.address = address
        self._process = process
        self._said = said

    async def ask[T](self, kind: type[T]) -> T:
        """Return what it tells of itself, which is a ``kind``.

        Raises:
            InvalidSetting: it doesn't say.
        """
        assert self._process.stdin is not None
        try:
            with anyio.fail_after(ANSWER_S):
                await self._process.stdin.send(ASK)
                line = await self._said.receive_until(b"\n", LONGEST_LINE)
            return msgspec.json.decode(line, type=kind)
        except (anyio.BrokenResourceError, anyio.ClosedResourceError, anyio.IncompleteRead, TimeoutError) as error:
            raise InvalidSetting("the server", "its process has ended or doesn't answer") from error


@asynccontextmanager
async def own_server[S: OwnServer](
    kind: type[S], command: Sequence[str], environ: Mapping[str, str]
) -> AsyncIterator[S]:
    """Run one while the block runs; its log goes to our standard error.

    Args:
        kind: What it is ready as.
        command: Of ``primavoce``.
        environ: The server's environment; who else may speak to a server doesn't count, nobody else does.

    Raises:
        ServerNotStarted: it ended before it was ready.
    """
    process = await anyio.open_process(
        [sys.executable, "-m", "primavoce", *command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=None,
        env=for_ourselves(environ),
    )
    try:
        assert process.stdout is not None
        said = BufferedByteReceiveStream(process.stdout)
        yield kind(await _address(process, said), process, said)
    finally:
        with anyio.CancelScope(shield=True):
            await stop(process)


async def _address(process: Process, said: BufferedByteReceiveStream) -> str:
    try:
        line = (await said.receive_until(b"\n", LONGEST_LINE)).decode()
    except (anyio.IncompleteRead, anyio.DelimiterNotFound):
        line = ""
    return await address_in(line, process)
