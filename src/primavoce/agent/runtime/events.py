"""What is passed on of an answer's events, and whether they came to their end. Pure: push, take, ask."""

import msgspec

from primavoce.client.events import EventReader
from primavoce.errors import ProtocolViolation, RuntimeFailed
from primavoce.protocol.agent import ENDINGS

MAX_EVENT_BYTES = 1024 * 1024
"""The longest event that is passed on; ours have 22 KiB of audio."""
_ENDINGS = frozenset(kind.__struct_config__.tag for kind in ENDINGS)
_BLANK_LINES = (b"\n\n", b"\n\r\n", b"\r\r")


class EventHead(msgspec.Struct):
    """What is looked at of an event."""

    type: str = ""


class PassingEvents:
    """Passes on whole events as they came, comments included.

    Of an answer that breaks off in the middle of an event, another event can then tell.

    Args:
        not_understood: Why what makes no sense doesn't.
    """

    def __init__(self, *, not_understood: str) -> None:
        self._not_understood = not_understood
        self._reader = EventReader(max_event_bytes=MAX_EVENT_BYTES)
        self._held = b""
        self.ended = False
        """Whether the event that ends an answer has come."""

    def push(self, block: bytes) -> bytes:
        """Take ``block``, and return what is whole by now.

        Raises:
            RuntimeFailed: an event is too long, or none.
        """
        self._held += block
        cut = max(end + len(blank) if (end := self._held.rfind(blank)) >= 0 else 0 for blank in _BLANK_LINES)
        whole, self._held = self._held[:cut], self._held[cut:]
        if len(self._held) > MAX_EVENT_BYTES:
            raise RuntimeFailed(self._not_understood)
        try:
            for event in self._reader.push(whole):
                head = msgspec.json.decode(event.data, type=EventHead)
                self.ended = self.ended or head.type in _ENDINGS
        except (ProtocolViolation, msgspec.DecodeError) as error:
            raise RuntimeFailed(self._not_understood) from error
        return whole
