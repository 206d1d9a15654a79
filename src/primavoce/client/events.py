"""Server-sent events (WHATWG HTML, 9.2), read from blocks that may end anywhere; and the audio that ours carry.

Pure: push what was read, take what is whole by now, flush once.
"""

import base64
import re
from dataclasses import dataclass

import msgspec

from primavoce.audio.formats import FORMATS
from primavoce.errors import ProtocolViolation, RequestFailed, SessionBroken

MAX_EVENT_BYTES = 4 * 1024 * 1024
"""The largest event that is taken from a server; ours have 44 KiB at most."""
_LINE_END = re.compile(rb"\r\n|\n|\r")
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class ServerEvent:
    """One event."""

    name: str
    """What the server calls it; ``message`` unless it does."""
    data: str
    last_id: str = ""
    """The id that the server gave last."""


class EventReader:
    """Reads a stream of events.

    Args:
        max_event_bytes: The longest event that is taken.
    """

    def __init__(self, *, max_event_bytes: int = MAX_EVENT_BYTES) -> None:
        self._max_event_bytes = max_event_bytes
        self._begin_afresh()

    def push(self, block: bytes) -> list[ServerEvent]:
        """Take ``block``, and return the events that are now whole.

        Raises:
            ProtocolViolation: an event is longer than any that is taken.
        """
        found = []
        for line in self._whole_lines(block):
            if line:
                self._take(line)
            elif (event := self._dispatched()) is not None:
                found.append(event)
        return found

    def flush(self) -> list[ServerEvent]:
        """Say that the stream has ended, and return nothing: an event without its blank line doesn't count.

        The reader may then be used for another stream.
        """
        self._begin_afresh()
        return []

    def _begin_afresh(self) -> None:
        self._rest = bytearray()
        self._first = True  # the mark can only be before the first line
        self._after_return = False
        self._last_id = ""
        self._clear()

    def _clear(self) -> None:
        self._name = ""
        self._data: list[str] = []
        self._size = 0

    def _whole_lines(self, block: bytes) -> list[bytes]:
        """Return the lines that ``block`` ends: a return ends one, a new line does, and so do both together."""
        if not block:
            return []
        if self._after_return and block.startswith(b"\n"):
            block = block[1:]  # it belongs to the return, whose line has been read
        self._after_return = False
        if not _LINE_END.search(block):
            self._rest += block
            self._check(len(self._rest))
            return []
        *lines, rest = _LINE_END.split(bytes(self._rest) + block)
        self._after_return = block.endswith(b"\r")
        self._rest = bytearray(rest)
        self._check(len(rest))
        if self._first:
            self._first = False
            lines[0] = lines[0].removeprefix(_BYTE_ORDER_MARK)
        return lines

    def _check(self, waiting: int) -> None:
        if self._size + waiting > self._max_event_bytes:
            raise ProtocolViolation(f"an event of more than {self._max_event_bytes} bytes")

    def _take(self, line: bytes) -> None:
        if line.startswith(b":"):
            return
        name, _, value = line.decode("utf-8", "replace").partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            self._size += len(line)
            self._check(0)
            self._data.append(value)
        elif name == "event":
            self._name = value
        elif name == "id" and "\0" not in value:
            self._last_id = value

    def _dispatched(self) -> ServerEvent | None:
        event = ServerEvent(self._name or "message", "\n".join(self._data), self._last_id) if self._data else None
        self._clear()
        return event


class AudioStart(msgspec.Struct, frozen=True, kw_only=True):
    """How the audio comes."""

    request_id: str
    format: str
    voice: str
    sample_rate: int
    """Hertz."""


class AudioEnd(msgspec.Struct, frozen=True, kw_only=True):
    """The server's account of it."""

    total_chunks: int
    duration_s: float


class AudioEvents:
    """Reads the audio of an answer of ``POST /invocations`` with the transport ``sse``.

    Audio comes back in whole samples, wherever the server has cut it and however it was read.
    """

    def __init__(self) -> None:
        self.started: AudioStart | None = None
        """How the audio comes; `None` before it does."""
        self.ended: AudioEnd | None = None
        """What it came to; `None` before it has all come."""
        self._reader = EventReader()
        self._width = 1
        self._chunks = 0
        self._rest = b""
        self._failure: RequestFailed | None = None

    def push(self, block: bytes) -> bytes:
        """Take ``block``, of any length, and return the audio that is now there.

        Raises:
            RequestFailed: the server told before why the rest won't come.
            ProtocolViolation: what came is none of our streams.
        """
        if self._failure is not None:
            raise self._failure
        audio = self._rest + b"".join(map(self._audio_of, self._reader.push(block)))
        whole = len(audio) // self._width * self._width
        self._rest = audio[whole:]
        return audio[:whole]

    def flush(self) -> bytes:
        """Say that nothing more comes, and return the last of the audio, which is mostly nothing.

        Raises:
            RequestFailed: the audio isn't whole, and the server told why.
            SessionBroken: the audio isn't whole.
        """
        self._reader.flush()
        if self._failure is not None:
            raise self._failure
        if self.ended is None:
            raise SessionBroken("the events ended before the audio did")
        rest, self._rest = self._rest, b""
        return rest

    def _audio_of(self, event: ServerEvent) -> bytes:
        try:
            match event.name:
                case "audio_stream_start":
                    self.started = msgspec.json.decode(event.data, type=AudioStart)
                    audio_format = FORMATS.get(self.started.format)
                    if audio_format is not None and audio_format.sends_samples:
                        self._width = audio_format.sample_width
                case "audio_chunk":
                    return self._decoded(msgspec.json.decode(event.data, type=_Chunk))
                case "audio_stream_end":
                    self._end(msgspec.json.decode(event.data, type=AudioEnd))
                case "error":
                    # Not raised at once: what came before it in its block is still to be heard.
                    self._failure = msgspec.json.decode(event.data, type=_Failure).error()
                case _:
                    pass  # one that a later server may send
        except ValueError as error:  # as msgspec's and base64's are
            raise ProtocolViolation(f"the event {event.name} makes no sense: {error}") from error
        return b""

    def _decoded(self, chunk: "_Chunk") -> bytes:
        if chunk.seq != self._chunks:
            raise ProtocolViolation(f"the audio's piece {self._chunks} is missing")
        self._chunks += 1
        return base64.b64decode(chunk.data, validate=True)

    def _end(self, end: AudioEnd) -> None:
        if end.total_chunks != self._chunks:
            raise ProtocolViolation(f"{end.total_chunks} pieces of audio were sent, and {self._chunks} came")
        self.ended = end


class _Chunk(msgspec.Struct, frozen=True, kw_only=True):
    seq: int
    data: str


class _Failure(msgspec.Struct, frozen=True, kw_only=True):
    code: str
    message: str
    retryable: bool = False
    request_id: str | None = None

    def error(self) -> RequestFailed:
        return RequestFailed(self.code, self.message, retryable=self.retryable, request_id=self.request_id)
