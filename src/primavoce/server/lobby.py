"""Who is in: sessions counted, refused when full or when leaving, and told when it is time to go."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import anyio

from primavoce.errors import Draining, Overloaded


class Lobby:
    """Counts the sessions and requests that are being served.

    Args:
        capacity: How many there may be.
    """

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._guests: dict[object, Callable[[], None]] = {}
        self._empty = anyio.Event()
        self.draining = False
        """True once no one is let in any more."""

    def __len__(self) -> int:
        return len(self._guests)

    @contextmanager
    def visit(self, leave: Callable[[], None] = lambda: None) -> Iterator[None]:
        """Be in while the block runs.

        Args:
            leave: Called when the server drains: finish what is being spoken and go.

        Raises:
            Overloaded: everybody who may be in is.
            Draining: the server is leaving.
        """
        if self.draining:
            raise Draining
        if len(self._guests) >= self._capacity:
            raise Overloaded(self._capacity)
        guest = object()
        self._guests[guest] = leave
        try:
            yield
        finally:
            del self._guests[guest]
            if not self._guests:
                self._empty.set()

    async def drain(self, *, within_s: float) -> bool:
        """Let nobody in any more, ask everybody to leave, and wait for them.

        Returns:
            Whether all have left within ``within_s`` seconds.
        """
        self.draining = True
        if not self._guests:
            return True
        self._empty = anyio.Event()
        for leave in list(self._guests.values()):
            leave()
        with anyio.move_on_after(within_s):
            await self._empty.wait()
        return not self._guests
