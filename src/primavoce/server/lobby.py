"""Who is in: sessions counted, refused when full or when leaving, and told when it is time to go."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import anyio

from primavoce.errors import Draining, Overloaded

GOODBYE_S = 2.5
"""Seconds for those who were cut to be told so, and to close: a client has 2 s for it."""


@dataclass(frozen=True, slots=True, eq=False)
class Guest:
    """Somebody who is in."""

    leave: Callable[[], None]
    """Has them finish what is being spoken, and go."""
    cut: Callable[[], None]
    """Has them go now."""


class Lobby:
    """Counts the sessions and requests that are being served.

    Args:
        capacity: How many there may be.
    """

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._guests: set[Guest] = set()
        self._empty = anyio.Event()
        self.draining = False
        """True once no one is let in any more."""

    def __len__(self) -> int:
        return len(self._guests)

    @contextmanager
    def visit(self, leave: Callable[[], None] = lambda: None, cut: Callable[[], None] = lambda: None) -> Iterator[None]:
        """Be in while the block runs.

        Args:
            leave: Called when the server drains: finish what is being spoken and go.
            cut: Called when there is no more time for that: say so and go.

        Raises:
            Overloaded: everybody who may be in is.
            Draining: the server is leaving.
        """
        if self.draining:
            raise Draining
        if len(self._guests) >= self._capacity:
            raise Overloaded(self._capacity)
        guest = Guest(leave, cut)
        self._guests.add(guest)
        try:
            yield
        finally:
            self._guests.remove(guest)
            if not self._guests:
                self._empty.set()

    async def drain(self, *, within_s: float) -> bool:
        """Let nobody in any more, ask everybody to leave, and wait for them.

        Args:
            within_s: Seconds that what is being spoken has to end; what isn't by then is cut, and has `GOODBYE_S`
                more to say so.

        Returns:
            Whether all have left.
        """
        self.draining = True
        self._empty = anyio.Event()
        for guest in list(self._guests):
            guest.leave()
        if await self._emptied(within_s):
            return True
        for guest in list(self._guests):
            guest.cut()
        return await self._emptied(GOODBYE_S)

    async def _emptied(self, within_s: float) -> bool:
        if self._guests:
            with anyio.move_on_after(within_s):
                await self._empty.wait()
        return not self._guests
