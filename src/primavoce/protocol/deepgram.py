"""Deepgram's words for a session: what its clients say and hear, mapped on the one state machine. No I/O.

A client's ``Speak`` texts are one utterance until its ``Flush``, which ends that; the next ``Speak`` opens another.
What the state machine answers is told as ``Flushed``, ``Cleared`` and ``Warning``; audio goes past here.
"""

import math
import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import msgspec

import primavoce
from primavoce.errors import InvalidField, MessageTooLarge, PrimavoceError, TextRequired, UnknownType
from primavoce.protocol.codec import Rejected, decode_json, encode
from primavoce.protocol.deepgram_query import SpeakQuery
from primavoce.protocol.messages import (
    AnyClientMessage,
    AnyServerMessage,
    Cancel,
    Cancelled,
    Close,
    End,
    Error,
    Ping,
    SessionComplete,
    SynthesisComplete,
    Text,
)

CLIENT_WORDS = ("Speak", "Flush", "Clear", "Close", "KeepAlive")
NORMAL, GOING_AWAY, OUR_FAULT, TRY_AGAIN_LATER = 1000, 1001, 1011, 1013
"""Codes of a closing frame (RFC 6455, section 7.4, and its registry)."""
MOST_REASON_BYTES = 123
"""Of a closing frame."""


class Word(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag=True):
    """The root of what a client is told."""


class Metadata(Word, frozen=True, kw_only=True):
    """The first of a session."""

    request_id: str
    model_name: str
    """The voice that speaks, which may be another than was asked for."""
    model_version: str
    model_uuid: str


class Flushed(Word, frozen=True, kw_only=True):
    """All the audio of what was said before a ``Flush`` has gone out."""

    sequence_id: int


class Cleared(Word, frozen=True, kw_only=True):
    """No more audio will come of what was said before a ``Clear``."""

    sequence_id: int


class Warned(Word, frozen=True, kw_only=True, tag="Warning"):
    """Something can't be done; the session goes on. Each field twice: older clients know the other name."""

    code: str
    description: str
    warn_code: str
    warn_msg: str

    def as_error(self) -> Error:
        """Return it in our words, for whoever counts what clients are told."""
        return Error(request_id=None, code=self.code.lower(), message=self.description, retryable=False)


@dataclass(frozen=True, slots=True)
class Closing:
    """The session is over; the server closes the socket."""

    code: int
    reason: str
    """At most `MOST_REASON_BYTES` bytes."""


class DeepgramSession:
    """One session with one client: a translator between it and a `ServerSession`.

    Every frame of the client becomes exactly one message, so that what limits messages limits these.

    Args:
        asked: In the query.
        request_id: Of the session; its utterances have it with a number.
        max_message_bytes: The longest message that the state machine takes.
        idle_s: Seconds without text after which it takes an utterance's for complete.
        clock: Seconds, the state machine's.
    """

    def __init__(
        self,
        asked: SpeakQuery,
        *,
        request_id: str,
        max_message_bytes: int,
        idle_s: float = math.inf,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._idle_s = idle_s
        self._clock = clock
        self._last_text_at = 0.0
        self.request_id = request_id
        self._asked = asked
        self._max_message_bytes = max_message_bytes
        self._utterances = 0
        self._sequence = 0
        self._open: str | None = None  # the utterance that the next text belongs to
        self._dropping = False  # whether it belongs to one that has failed
        # Those that have not ended, in order, each with what is told once it has.
        self._live: dict[str, list[type[Flushed] | type[Cleared]]] = {}
        self._failure: Error | None = None

    def greeting(self) -> list[Word]:
        """Return the first words of the session."""
        name = self._asked.voice
        metadata = Metadata(
            request_id=self.request_id,
            model_name=name,
            model_version=primavoce.__version__,
            model_uuid=str(uuid.uuid5(uuid.NAMESPACE_URL, name)),
        )
        return [metadata, *(_warning(remark.code, remark.sentence) for remark in self._asked.remarks)]

    # --- from the client

    def receive(self, frame: str | bytes) -> tuple[str, Sequence[Word]]:
        """Take a client's frame; return the one for the state machine, and what the client is told at once."""
        if len(frame) > self._max_message_bytes:
            return self._too_large()
        found = decode_json(frame)
        if isinstance(found, Rejected):
            return self._refuse(found.error)
        if self._open is not None and self._clock() - self._last_text_at >= self._idle_s:
            self._open = None  # its text was, or is about to be, taken for complete: what comes now is another's
        match found.get("type"):
            case "Speak":
                return self._speak(found.get("text"))
            case "Flush":
                return self._flush()
            case "Clear":
                return self._clear()
            case "Close":
                return encode(Close()), ()
            case "KeepAlive":
                return encode(Ping()), ()
            case _:
                return self._refuse(UnknownType(CLIENT_WORDS))

    def _speak(self, text: object) -> tuple[str, Sequence[Word]]:
        if not isinstance(text, str):
            return self._refuse(InvalidField("text", "must be a string"))
        if not text or self._dropping:
            return encode(Ping()), ()
        frame = encode(self._text(text))
        if len(frame) > self._max_message_bytes:
            return self._too_large()
        if self._open is None:
            self._utterances += 1
            self._open = self._next_id(self._utterances)
            self._live[self._open] = []
        self._last_text_at = self._clock()
        return frame, ()

    def _text(self, text: str) -> Text:
        if self._open is not None:
            return Text(text=text, request_id=self._open)
        asked = self._asked
        return Text(
            text=text,
            request_id=self._next_id(self._utterances + 1),
            voice=asked.voice,
            speed=asked.speed,
            sample_rate=asked.sample_rate,
            format=asked.format,
        )

    def _next_id(self, number: int) -> str:
        return f"{self.request_id}-{number}"

    def _flush(self) -> tuple[str, Sequence[Word]]:
        ends: AnyClientMessage = Ping() if self._open is None else End(self._open)
        self._open, self._dropping = None, False
        return encode(ends), self._tell_after_last(Flushed)

    def _clear(self) -> tuple[str, Sequence[Word]]:
        # What was flushed before is not told as such any more: a client may have turned to its next answer.
        self._live = {each: [kind for kind in owed if kind is Cleared] for each, owed in self._live.items()}
        self._open, self._dropping = None, False
        return encode(Cancel()), self._tell_after_last(Cleared)

    def _tell_after_last(self, kind: type[Flushed] | type[Cleared]) -> Sequence[Word]:
        """Tell ``kind`` once all that is live has ended: at once if nothing is."""
        if not self._live:
            return [self._acknowledge(kind)]
        self._live[next(reversed(self._live))].append(kind)
        return ()

    def _acknowledge(self, kind: type[Flushed] | type[Cleared]) -> Word:
        word = kind(sequence_id=self._sequence)
        self._sequence += 1
        return word

    def _too_large(self) -> tuple[str, Sequence[Word]]:
        # Of an answer without its middle, the rest isn't spoken either.
        self._dropping = self._dropping or self._open is not None
        return self._refuse(MessageTooLarge(self._max_message_bytes))

    def _refuse(self, error: PrimavoceError) -> tuple[str, Sequence[Word]]:
        return encode(Ping()), [_warning(error.code, str(error))]

    # --- from the state machine

    def tell(self, message: AnyServerMessage) -> list[Word | Closing]:
        """Return what the client is told when the state machine says ``message``."""
        match message:
            case SynthesisComplete() | Cancelled():
                return self._ended(message.request_id)
            case Error():
                return self._failed(message)
            case SessionComplete():
                return [self._closing(message.reason)]
            case _:
                return []

    def _ended(self, request_id: str | None) -> list[Word | Closing]:
        if request_id is None:
            return []
        if request_id == self._open:  # the state machine has ended its text, since none came for long
            self._open = None
        before = next((each for each, after in pairwise(self._live) if after == request_id), None)
        owed = self._live.pop(request_id, [])
        if before is None:
            return [self._acknowledge(kind) for kind in owed]
        self._live[before] += owed  # it ended before its turn: what is owed comes after all that goes before it
        return []

    def _failed(self, error: Error) -> list[Word | Closing]:
        if error.fatal:
            self._failure = error
            return []
        if error.code == TextRequired.code:  # white space alone: nothing to speak, and here no error
            return self._ended(error.request_id)
        # The rest of its text is still on the way, and would be half an answer.
        self._dropping = self._dropping or (error.request_id is not None and error.request_id == self._open)
        return [_warning(error.code, error.message), *self._ended(error.request_id)]

    def _closing(self, reason: str) -> Closing:
        if self._failure is not None:
            code = TRY_AGAIN_LATER if self._failure.retryable else OUR_FAULT
            return Closing(code, _cut(f"{self._failure.code.upper()}: {self._failure.message}"))
        return Closing(NORMAL if reason == "closed" else GOING_AWAY, _cut(reason))


def deepgram_error(error: PrimavoceError, code: str, _: int, request_id: str | None) -> dict[str, object]:
    """Return the body of an HTTP answer that tells of ``error``.

    Args:
        error: One that may be told.
        code: Its code over HTTP.
        request_id: Of what was asked.
    """
    return {"err_code": code.upper(), "err_msg": str(error), "request_id": request_id}


def encode_word(word: Word) -> str:
    """Return ``word`` as the text of a frame."""
    return msgspec.json.encode(word).decode()


def _warning(code: str, sentence: str) -> Warned:
    return Warned(code=code.upper(), description=sentence, warn_code=code.upper(), warn_msg=sentence)


def _cut(reason: str) -> str:
    return reason.encode()[:MOST_REASON_BYTES].decode(errors="ignore")
