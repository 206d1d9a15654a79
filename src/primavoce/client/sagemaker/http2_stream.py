"""A stream of HTTP/2, with what the SDK leaves out: how it ended, and holding the other side back."""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import Future
from contextlib import suppress
from io import BytesIO
from typing import Any

from awscrt.aio.http import AIOHttp2ClientStream, AIOHttpClientConnectionUnified
from awscrt.exceptions import AwsCrtError, from_code
from awscrt.http import Http2ClientStream
from smithy_http import Field, Fields

from primavoce.errors import SessionBroken

CANCELS = 4
CANCEL_S = 0.1
"""Seconds that are waited after each."""


class ToldStream(AIOHttp2ClientStream):  # type: ignore[misc]
    """A stream of HTTP/2 that tells how it ends, and takes no more than it is read.

    The run time calls back from a thread of its own, and prints whatever is raised there; so nothing is.
    """

    def __init__(self, connection: AIOHttpClientConnectionUnified, request: Any, body: AsyncGenerator[bytes]) -> None:
        self._loop_here = asyncio.get_running_loop()
        self._changed = asyncio.Event()
        self._done = asyncio.Event()
        self._status: int | None = None
        self._fields = Fields()
        self._blocks: deque[bytes] = deque()
        self._whole = False
        """Whether the other side has ended the stream in good order."""
        self._failure: AwsCrtError | None = None
        self._discards = False
        self.on_done: Callable[[], None] = lambda: None
        """Called when it is done."""
        try:
            super().__init__(connection, request, body, self._loop_here)
        except BaseException:
            writer = getattr(self, "_writer", None)
            if writer is not None:  # it must take nothing of what another stream is to send
                writer.cancel()
            raise

    # --- called back

    def _on_response(self, status_code: int, name_value_pairs: list[tuple[str, str]]) -> None:
        self._soon(self._responded, status_code, name_value_pairs)

    def _on_body(self, chunk: bytes) -> None:
        self._soon(self._came, bytes(chunk))

    def _on_h2_remote_end_stream(self) -> None:
        self._soon(self._ended)

    def _on_complete(self, error_code: int) -> None:
        self._soon(self._completed, error_code)

    def _soon(self, what: Any, *told: Any) -> None:
        with suppress(RuntimeError):  # the loop has ended, and nobody wants to know any more
            self._loop_here.call_soon_threadsafe(what, *told)

    # --- on the loop

    def _responded(self, status: int, headers: list[tuple[str, str]]) -> None:
        self._status = status
        for name, value in headers:
            self._fields.set_field(Field(name=name, values=[value]))
        self._changed.set()

    def _came(self, block: bytes) -> None:
        if self._discards:
            self._give_back(len(block))
        else:
            self._blocks.append(block)
            self._changed.set()

    def _ended(self) -> None:
        self._whole = True
        self._changed.set()

    def _completed(self, error_code: int) -> None:
        if error_code and not self._whole:
            self._failure = from_code(error_code)
        self._done.set()
        self._changed.set()
        self.on_done()

    # --- for whoever reads

    @property
    def is_unanswered(self) -> bool:
        """Whether it is over without an answer."""
        return self.is_done and self._status is None

    @property
    def is_done(self) -> bool:
        """Whether both sides have ended, or the stream is broken."""
        return self._done.is_set()

    async def response(self) -> tuple[int, Fields]:
        """Return the answer's status and headers.

        Raises:
            SessionBroken: the stream breaks off before.
        """
        while self._status is None:
            if self.is_done:
                raise SessionBroken(f"it was reset before it was answered{self._why()}")
            await self._wait()
        return self._status, self._fields

    async def next_block(self) -> bytes:
        """Return what comes next; nothing when the other side has ended the stream in good order.

        Raises:
            SessionBroken: it breaks off.
        """
        while not self._blocks:
            if self._whole:
                return b""
            if self.is_done:
                raise SessionBroken(f"the connection was lost{self._why()}")
            await self._wait()
        block = self._blocks.popleft()
        self._give_back(len(block))
        return block

    async def beginning(self, most: int, within_s: float) -> bytes:
        """Return the body, or the beginning of one that is longer than ``most``, or takes longer."""
        found = b""
        with suppress(SessionBroken, TimeoutError):
            async with asyncio.timeout(within_s):
                while len(found) < most and (block := await self.next_block()):
                    found += block
        return found

    async def finished(self, within_s: float) -> None:
        """Wait for both sides' ends, and then end ours, whatever still waits to be sent; what comes isn't read."""
        self._discard()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._done.wait(), within_s)
        if not self._writer.done():
            await ended(self._writer)
            self._end()

    def abandon(self) -> None:
        """End our side at once, without waiting for anything; what comes isn't read."""
        self._discard()
        if not self._writer.done():
            self._writer.cancel()
            self._end()

    def _discard(self) -> None:
        self._discards = True
        self._give_back(sum(map(len, self._blocks)))
        self._blocks.clear()

    def _end(self) -> None:
        with suppress(AwsCrtError, RuntimeError):  # it has ended, or is just ending
            Http2ClientStream.write_data(self, None, end_stream=True)

    def _give_back(self, taken: int) -> None:
        """Let the other side send ``taken`` bytes more."""
        if taken and not self.is_done:
            with suppress(AwsCrtError, RuntimeError):  # it has just ended
                self.update_window(taken)

    async def _wait(self) -> None:
        self._changed.clear()
        await self._changed.wait()

    def _why(self) -> str:
        return "" if self._failure is None else f" ({self._failure.name})"

    async def _set_request_body_generator(self, body_iterator: Any) -> None:
        # As in the base class, but for two things. Errors are those of a stream that has ended, and are known by its
        # end; and what is called back is never cancelled, for the run time doesn't expect it.
        with suppress(AwsCrtError, RuntimeError):
            async for block in body_iterator:
                await self._written(BytesIO(block), last=False)
            await self._written(None, last=True)

    async def _written(self, block: BytesIO | None, *, last: bool) -> None:
        await result_of(Http2ClientStream.write_data(self, block, end_stream=last))


async def ended(future: "asyncio.Future[Any]") -> None:
    """Have a task end: one of the SDK's that is cancelled once may go on waiting while it tidies up."""
    for _ in range(CANCELS):
        if future.done():
            break
        future.cancel()
        await asyncio.wait({future}, timeout=CANCEL_S)
    future.add_done_callback(heard)


def heard(future: "asyncio.Future[Any]") -> None:
    """Ask for the error of what is done: or else it is logged as one that nobody has asked about."""
    if not future.cancelled():
        future.exception()


async def result_of[Result](begun: "Future[Result]") -> Result:
    """Return what comes of something that the run time does. Whoever is cancelled leaves it alone."""
    loop = asyncio.get_running_loop()
    ended = loop.create_future()

    def settle() -> None:
        if not ended.done():
            ended.set_result(None)

    def tell(_: object) -> None:
        with suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(settle)

    begun.add_done_callback(tell)
    await ended
    return begun.result()
