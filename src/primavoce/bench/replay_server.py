"""Our own server round a model that replays clips, in a process of its own that also tells what it has cost."""

import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from primavoce.bench.own_server import OwnServer, own_server
from primavoce.bench.recording import Clip, save

COMMAND = ("bench", "replay-server")
"""Of ``primavoce``; not for people."""


class ReplayServer(OwnServer):
    """It, ready to speak."""

    async def cpu_s(self) -> float:
        """Return the processor seconds that its process has taken, all threads together.

        Raises:
            InvalidSetting: it doesn't say.
        """
        return await self.ask(float)


@asynccontextmanager
async def replay_server(environ: Mapping[str, str], clips: Sequence[Clip]) -> AsyncIterator[ReplayServer]:
    """Run one while the block runs, as `own_server` does, whose errors it raises.

    Args:
        environ: The server's environment.
        clips: What it can say.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "clips"
        save(clips, path)
        async with own_server(ReplayServer, (*COMMAND, str(path)), environ) as server:
            yield server
