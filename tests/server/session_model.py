"""What a client of a session may expect: everything that was asked, and what has come of it.

Written from the protocol's specification alone: it shares no code with the server, nor with our own client.
"""

import json
from collections import deque
from dataclasses import dataclass, field
from typing import Any

LARGEST_FRAME = 32 * 1024
ENDINGS = ("synthesis_complete", "cancelled", "error")


@dataclass(eq=False)
class Asked:
    """A request."""

    request_id: str | None
    """None until the server has made one."""
    text: str
    rate: int = 24_000
    format: str = "pcm"
    events: tuple[str, ...] = ()
    growing: bool = False
    """Whether more of its text may come."""
    codes: tuple[str, ...] = ()
    """Codes of the errors that may end it."""
    must_fail: bool = False
    """Whether one of them has to."""
    audio_bytes: int = 0
    segments: list[dict[str, Any]] = field(default_factory=list)
    ending: dict[str, Any] | None = None

    @property
    def audio_s(self) -> float:
        """Seconds of audio that have come."""
        header = 44 if self.format == "wav" and self.audio_bytes else 0
        return (self.audio_bytes - header) / 2 / self.rate


@dataclass(eq=False)
class Due:
    """An error that the client has earned and that ends no request."""

    codes: tuple[str, ...]
    request_id: str | None = None
    """The id that it may carry."""
    optional: bool = False


class View:
    """One session, as its client sees it; whatever the protocol forbids is an `AssertionError`."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.due: list[Due] = []
        self.pings: deque[str | None] = deque()
        self.speaking: Asked | None = None
        self.closing = False
        self.finished = False

    @property
    def live(self) -> list[Asked]:
        """Requests that have not ended, in order."""
        return [each for each in self.asked if each.ending is None]

    @property
    def open(self) -> list[Asked]:
        """Those of them whose text may grow."""
        return [each for each in self.live if each.growing]

    def find(self, request_id: str | None) -> Asked | None:
        """Return the live request with this id."""
        return next((each for each in self.live if request_id is not None and each.request_id == request_id), None)

    def named(self, request_id: str) -> Asked | None:
        """Return the live request with this id, which may be the one that the server has made for it."""
        unnamed = next((each for each in self.live if each.request_id is None), None)
        if unnamed is not None and not any(each.request_id == request_id for each in self.asked):
            unnamed.request_id = request_id
        return self.find(request_id)

    def settled(self) -> None:
        """Assert that nothing is owed but what may go on: called when the server has looked at all that was sent."""
        missing = [(each.codes, each.request_id) for each in self.due if not each.optional]
        assert not missing, f"these errors never came: {missing}"
        self.due.clear()
        assert not self.pings, "a ping got no pong"

    # --- what arrives

    def receive(self, frame: str | bytes) -> None:
        """Take one frame."""
        assert not self.finished, f"something came after session_complete: {frame[:80]!r}"
        if isinstance(frame, bytes):
            self._audio(frame)
            return
        message = json.loads(frame)
        assert isinstance(message, dict)
        getattr(self, f"_on_{message['type']}")(message)

    def _audio(self, frame: bytes) -> None:
        assert 0 < len(frame) <= LARGEST_FRAME
        assert len(frame) % 2 == 0
        assert not is_object(frame)
        assert self.speaking is not None, "audio came outside an utterance"
        self.speaking.audio_bytes += len(frame)

    def _on_synthesis_start(self, message: dict[str, Any]) -> None:
        assert self.speaking is None, "an utterance began inside another"
        asked = self.named(message["request_id"])
        assert asked is not None, "what nobody asked for, or what has ended, is spoken"
        assert asked is self.live[0], "an utterance was spoken before its turn"
        assert (message["sample_rate"], message["format"]) == (asked.rate, asked.format)
        assert (message["protocol"], message["channels"], message["sample_width"]) == (1, 1, 2)
        self.speaking = asked

    def _on_segment(self, message: dict[str, Any]) -> None:
        asked = self._spoken(message, "segments")
        assert message["index"] == len(asked.segments)
        assert message["text"] == asked.text[message["start"] : message["end"]]
        assert message["start"] >= (asked.segments[-1]["end"] if asked.segments else 0)
        asked.segments.append(message)

    def _on_words(self, message: dict[str, Any]) -> None:
        asked = self._spoken(message, "words")
        for word in message["words"]:
            assert word["text"] == asked.text[word["start"] : word["end"]]
            assert 0 <= word["start_s"] <= word["end_s"]

    def _spoken(self, message: dict[str, Any], event: str) -> Asked:
        assert self.speaking is not None
        assert message["request_id"] == self.speaking.request_id
        assert event in self.speaking.events, "an event came that wasn't asked for"
        return self.speaking

    def _on_synthesis_complete(self, message: dict[str, Any]) -> None:
        asked = self.speaking
        assert asked is not None
        assert asked.request_id == message["request_id"]
        assert not asked.growing, "it was completed before its text was"
        assert abs(message["total_duration_s"] - asked.audio_s) < 0.002
        assert message["characters"] == len(asked.text)
        if "segments" in asked.events:
            assert message["segments"] == len(asked.segments)
        assert not asked.must_fail
        self._end(asked, message)

    def _on_cancelled(self, message: dict[str, Any]) -> None:
        asked = self.named(message["request_id"])
        assert asked is not None, "what has ended was cancelled"
        assert message["audio_sent_s"] <= asked.audio_s + 0.002
        assert message["spoken_text"] in asked.text
        assert message["spoken_characters"] == len(message["spoken_text"])
        self._end(asked, message)

    def _on_error(self, message: dict[str, Any]) -> None:
        assert message["fatal"] is False
        assert message["message"]
        code, request_id = message["code"], message["request_id"]
        live = self.find(request_id)
        if live is not None:
            assert code in live.codes, f"{code} is no reason to end {live}"
            self._end(live, message)
            return
        earned = next((due for due in self.due if code in due.codes and request_id in (None, due.request_id)), None)
        assert earned is not None, f"nobody has earned {code} for {request_id!r}"
        self.due.remove(earned)

    def _on_pong(self, message: dict[str, Any]) -> None:
        assert self.pings, "a pong came that nobody asked for"
        assert message["request_id"] == self.pings.popleft()

    def _on_session_complete(self, message: dict[str, Any]) -> None:
        assert self.closing
        assert message["reason"] == "closed"
        assert not self.live, "the session was completed before its requests were"
        self.finished = True

    def _end(self, asked: Asked, message: dict[str, Any]) -> None:
        asked.ending = message
        if asked is self.speaking:
            self.speaking = None


def is_object(frame: bytes) -> bool:
    """Say whether the whole of ``frame`` parses as a JSON object."""
    try:
        return isinstance(json.loads(frame), dict)
    except (ValueError, RecursionError):
        return False
