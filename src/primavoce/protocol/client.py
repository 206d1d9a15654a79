"""The client's end of a session, as a state machine: frames in, events out.

Pure: a shell gives it every frame and hands its events on. It holds the server to the protocol: one utterance after
another, audio only inside one, one ending each. A client that finds otherwise can't know whose audio it plays.
"""

from dataclasses import dataclass

from primavoce.errors import ProtocolViolation
from primavoce.protocol.codec import classify
from primavoce.protocol.messages import (
    Cancelled,
    Error,
    Pong,
    SegmentSpoken,
    SessionComplete,
    SynthesisComplete,
    SynthesisStart,
    WordsSpoken,
)


@dataclass(frozen=True, slots=True)
class Audio:
    """Audio of one utterance."""

    request_id: str
    pcm: bytes
    """As `SynthesisStart` announced it; for ``pcm``, 16-bit little-endian mono."""


ClientEvent = (
    SynthesisStart
    | Audio
    | SegmentSpoken
    | WordsSpoken
    | SynthesisComplete
    | Cancelled
    | Error
    | Pong
    | SessionComplete
)


class ClientSession:
    """What the server has said so far.

    Args:
        typed: Whether the transport tells text frames from binary ones (WebSocket does).
    """

    def __init__(self, *, typed: bool = True) -> None:
        self.speaking: SynthesisStart | None = None
        """The utterance whose audio is arriving."""
        self.complete = False
        """True once the server has said that the session is over."""
        self._typed = typed

    def receive(self, frame: str | bytes) -> ClientEvent:
        """Take one frame and return what it means.

        Raises:
            ProtocolViolation: the protocol doesn't allow it here; the session can't be trusted any more.
        """
        message = classify(frame, typed=self._typed)
        if self.complete:
            raise ProtocolViolation("something came after session_complete")
        match message:
            case bytes():
                if self.speaking is None:
                    raise ProtocolViolation("audio came outside an utterance")
                return Audio(self.speaking.request_id, message)
            case SynthesisStart():
                if self.speaking is not None:
                    raise ProtocolViolation("an utterance started inside another")
                self.speaking = message
            case SegmentSpoken() | WordsSpoken():
                what = "a segment" if isinstance(message, SegmentSpoken) else "word times"
                self._require_speaking(message.request_id, what)
            case SynthesisComplete():
                self._require_speaking(message.request_id, "a completion")
                self.speaking = None
            case Cancelled() | Error():
                # Both may also end an utterance that is still waiting for its turn.
                if self.speaking is not None and message.request_id == self.speaking.request_id:
                    self.speaking = None
            case SessionComplete():
                if self.speaking is not None:
                    raise ProtocolViolation("the session was completed inside an utterance")
                self.complete = True
            case Pong():
                pass
        return message

    def _require_speaking(self, request_id: str, what: str) -> None:
        if self.speaking is None or self.speaking.request_id != request_id:
            raise ProtocolViolation(f"{what} came for an utterance that isn't being spoken")
