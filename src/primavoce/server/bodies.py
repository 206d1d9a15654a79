"""Bodies of requests while they are being read: bounded one by one, and all of a server together."""

import anyio
from starlette.requests import Request

from primavoce.errors import MessageTooLarge, Overloaded, RequestIncomplete

AT_A_TIME = 16
"""How many of the largest bodies may be held at a time. What is small, or doesn't come, takes hardly any room."""


class Bodies:
    """Reads bodies; all routes of a server share one.

    Args:
        most_bytes: Of each.
        timeout_s: Seconds that each may take to come whole.
    """

    def __init__(self, most_bytes: int, timeout_s: float) -> None:
        self._most_bytes = most_bytes
        self._timeout_s = timeout_s
        self._reading = 0
        self.held_bytes = 0
        """Of all that are being read."""

    async def read(self, request: Request) -> bytes:
        """Return the body of ``request``.

        Raises:
            MessageTooLarge: it is.
            Overloaded: all that are being read are, together.
            RequestIncomplete: it doesn't come whole.
            ClientDisconnect: nobody waits for the answer any more.
        """
        announced = request.headers.get("content-length", "0")
        if announced.isdecimal() and float(announced) > self._most_bytes:
            raise MessageTooLarge(self._most_bytes)
        with anyio.move_on_after(self._timeout_s):
            return await self._read(request)
        raise RequestIncomplete(self._timeout_s)

    async def _read(self, request: Request) -> bytes:
        body = bytearray()
        self._reading += 1
        try:
            async for piece in request.stream():
                body += piece
                self.held_bytes += len(piece)
                if len(body) > self._most_bytes:
                    raise MessageTooLarge(self._most_bytes)
                if self.held_bytes > AT_A_TIME * self._most_bytes:
                    raise Overloaded(self._reading)
        finally:
            self._reading -= 1
            self.held_bytes -= len(body)
        return bytes(body)
