"""What an event loop is told of errors that nobody has asked about: else it logs them, or fails a test."""

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio


@asynccontextmanager
async def complaints() -> AsyncIterator[list[str]]:
    """Have what the loop is told while the block runs."""
    found: list[str] = []
    loop = asyncio.get_running_loop()
    before = loop.get_exception_handler()

    def note(_: object, context: dict[str, Any]) -> None:
        found.append(f"{context['message']}: {context.get('exception')!r}")

    loop.set_exception_handler(note)
    try:
        yield found
    finally:
        gc.collect()
        await anyio.wait_all_tasks_blocked()  # what was collected may have something to tidy up
        loop.set_exception_handler(before)


def at_work(*before: "asyncio.Task[Any]") -> list["asyncio.Task[Any]"]:
    """Return the tasks of the client and of the SDK that haven't ended, but for those of ``before``."""
    return [task for task in asyncio.all_tasks() - set(before) if _is_clients(task)]


def _is_clients(task: "asyncio.Task[Any]") -> bool:
    code = getattr(task.get_coro(), "cr_code", None)
    return code is not None and any(each in code.co_filename for each in ("/smithy_", "/awscrt/", "/primavoce/client/"))
