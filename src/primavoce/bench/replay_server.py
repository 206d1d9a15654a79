"""Our own server round a model that replays clips, in a process of its own that also tells what it has cost."""

import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import msgspec
from anyio.abc import Process
from anyio.streams.buffered import BufferedByteReceiveStream

from primavoce.bench.recording import Clip, save
from primavoce.client.local_server import address_in, for_ourselves, stop
from primavoce.errors import InvalidSetting

COMMAND = ("bench", "replay-server")
"""Of ``primavoce``; not for people."""
ASK = b"\n"
"""What the process answers, on its standard input, with a line of JSON: its processor seconds."""
LONGEST_LINE = 64 * 1024
ANSWER_S = 10.0


class ReplayServer:
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

    async def cpu_s(self) -> float:
        """Return the processor seconds that its process has taken, all threads together.

        Raises:
            InvalidSetting: it doesn't say.
        """
        assert self._process.stdin is not None
        try:
            with anyio.fail_after(ANSWER_S):
                await self._process.stdin.send(ASK)
                return msgspec.json.decode(await self._said.receive_until(b"\n", LONGEST_LINE), type=float)
        except (anyio.BrokenResourceError, anyio.ClosedResourceError, anyio.IncompleteRead, TimeoutError) as error:
            raise InvalidSetting("the server", "its process has ended or doesn't answer") from error


@asynccontextmanager
async def replay_server(environ: Mapping[str, str], clips: Sequence[Clip]) -> AsyncIterator[ReplayServer]:
    """Run one while the block runs; its log goes to our standard error.

    Args:
        environ: The server's environment; who else may speak to a server doesn't count, nobody else does.
        clips: What it can say.

    Raises:
        ServerNotStarted: it ended before it was ready.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "clips"
        save(clips, path)
        command = [sys.executable, "-m", "primavoce", *COMMAND, str(path)]
        process = await anyio.open_process(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=None, env=for_ourselves(environ)
        )
        try:
            assert process.stdout is not None
            said = BufferedByteReceiveStream(process.stdout)
            yield ReplayServer(await _address(process, said), process, said)
        finally:
            with anyio.CancelScope(shield=True):
                await stop(process)


async def _address(process: Process, said: BufferedByteReceiveStream) -> str:
    try:
        line = (await said.receive_until(b"\n", LONGEST_LINE)).decode()
    except (anyio.IncompleteRead, anyio.DelimiterNotFound):
        line = ""
    return await address_in(line, process)
