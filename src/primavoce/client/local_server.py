"""A server of one's own: started on a free loopback port, stopped when the block ends."""

import subprocess
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import anyio
from anyio.abc import Process
from anyio.streams.text import TextReceiveStream

from primavoce.errors import ServerNotStarted

READY = "ready "
"""What the server's one line on standard output begins with."""
LEAVE_S = 5.0
OTHERS_ALONE = ("PRIMAVOCE_API_KEYS", "PRIMAVOCE_KEYS_FILE", "PRIMAVOCE_TLS_CERTIFICATE", "PRIMAVOCE_TLS_KEY")
"""Settings that say who else may speak to a server: nobody else does, on a free port of loopback."""


@asynccontextmanager
async def local_server(environ: Mapping[str, str]) -> AsyncIterator[str]:
    """Run ``primavoce serve`` in the same process group while the block runs; yields its ``http://`` address.

    Its log goes to our standard error.

    Args:
        environ: The server's environment; `OTHERS_ALONE` don't count.

    Raises:
        ServerNotStarted: it ended before it was ready.
    """
    command = [sys.executable, "-m", "primavoce", "serve", "--host", "127.0.0.1", "--port", "0"]
    process = await anyio.open_process(command, stdout=subprocess.PIPE, stderr=None, env=for_ourselves(environ))
    try:
        yield await _address(process)
    finally:
        with anyio.CancelScope(shield=True):
            await stop(process)


def for_ourselves(environ: Mapping[str, str]) -> dict[str, str]:
    """Return ``environ`` without `OTHERS_ALONE`."""
    return {name: value for name, value in environ.items() if name not in OTHERS_ALONE}


async def _address(process: Process) -> str:
    assert process.stdout is not None
    said = ""
    async for text in TextReceiveStream(process.stdout):
        said += text
        if "\n" in said:
            break
    return await address_in(said.partition("\n")[0], process)


async def address_in(line: str, process: Process) -> str:
    """Return the address that a server's first ``line`` tells.

    Raises:
        ServerNotStarted: it tells none: its process has ended, or is about to.
    """
    if not line.startswith(READY):
        raise ServerNotStarted(await process.wait())
    return line.removeprefix(READY).strip()


async def stop(process: Process, *, leave_s: float = LEAVE_S) -> None:
    """Have a process end: told to leave, and killed if it hasn't after ``leave_s`` seconds."""
    if process.returncode is None:
        process.terminate()
        with anyio.move_on_after(leave_s):
            await process.wait()
    if process.returncode is None:
        process.kill()
        await process.wait()
    await process.aclose()
