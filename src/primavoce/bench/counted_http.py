"""HTTP over a socket whose every byte is counted, and whose every read is told apart."""

import json
from collections.abc import AsyncIterator

import anyio
import h11
from anyio.abc import ByteStream

from primavoce.errors import RequestFailed, SessionBroken

LONGEST_READ = 64 * 1024
"""Bytes that are taken from a socket at a time."""


class CountedHttp:
    """A connection for one request after another.

    Args:
        stream: To the server.
        host: Whom it is to.
    """

    def __init__(self, stream: ByteStream, host: str) -> None:
        self._stream = stream
        self._host = host
        self._http = h11.Connection(h11.CLIENT)
        self.received = 0
        """Bytes that came over it."""

    async def post(self, path: str, request: dict[str, str]) -> AsyncIterator[bytes]:
        """Yield the body of the answer: as much as each read of the socket brought.

        Raises:
            RequestFailed: the answer is an error.
            SessionBroken: it breaks off, or is no HTTP.
        """
        try:
            await self._ask(path, json.dumps(request).encode())
            status, complete, refusal = 0, False, b""
            while not complete:
                await self._read()
                block = b""
                while not isinstance(event := self._http.next_event(), type):  # a class says that more must come
                    match event:
                        case h11.Response():
                            status = event.status_code
                        case h11.Data():
                            block += event.data
                        case h11.EndOfMessage():
                            complete = True
                            break
                        case h11.ConnectionClosed():
                            raise SessionBroken("the server closed it")
                        case _:
                            pass
                if status == 200 and block:
                    yield block
                else:
                    refusal += block
        except (h11.RemoteProtocolError, anyio.BrokenResourceError) as error:
            raise SessionBroken("the answer broke off") from error
        if status != 200:
            raise _refused(status, refusal)
        self._http.start_next_cycle()

    async def _ask(self, path: str, content: bytes) -> None:
        headers = {"host": self._host, "content-type": "application/json", "content-length": str(len(content))}
        request = h11.Request(method="POST", target=path, headers=list(headers.items()))
        sent = [self._http.send(event) or b"" for event in (request, h11.Data(content), h11.EndOfMessage())]
        await self._stream.send(b"".join(sent))

    async def _read(self) -> None:
        try:
            received = await self._stream.receive(LONGEST_READ)
        except anyio.EndOfStream:
            received = b""
        self.received += len(received)
        self._http.receive_data(received)


def _refused(status: int, body: bytes) -> RequestFailed:
    try:
        told = json.loads(body)
        return RequestFailed(str(told["error"]), str(told["message"]), retryable=bool(told["retryable"]))
    except (ValueError, TypeError, KeyError):
        return RequestFailed(f"status {status}", "", retryable=False)
