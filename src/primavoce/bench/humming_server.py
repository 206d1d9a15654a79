"""Our own server round a model that costs nothing, in a process of its own that also tells of its event loop."""

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager

from primavoce.bench.loop_meter import Longest
from primavoce.bench.own_server import OwnServer, own_server

COMMAND = ("bench", "humming-server")
"""Of ``primavoce``; not for people."""


class HummingServer(OwnServer):
    """It, ready to speak."""

    async def longest(self) -> Longest:
        """Return its event loop's longest callback since this was last asked.

        Raises:
            InvalidSetting: it doesn't say.
        """
        return await self.ask(Longest)


def humming_server(environ: Mapping[str, str]) -> AbstractAsyncContextManager[HummingServer]:
    """Run one while the block runs, as `own_server` does, whose errors it raises.

    Args:
        environ: The server's environment.
    """
    return own_server(HummingServer, COMMAND, environ)
