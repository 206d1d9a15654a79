"""The server's end of a session, as a state machine: frames in, messages out, utterances in order.

Pure: no socket, no clock, no model. A shell owns one `ServerSession`, and

* gives it every frame (`receive`) and sends what comes back, in order;
* calls `idle` when no delta has come for a moment, and `expire` when time has passed;
* asks for the utterance whose turn it is (`begin`), speaks its sentences, and ends it (`complete` or `fail`);
* sends no audio of an utterance whose ``outcome`` is set.

What it guarantees: utterances are spoken strictly in the order in which they were opened; exactly one of
``synthesis_complete``, ``cancelled`` and ``error`` ends each, and nothing with its id follows.
"""

from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass

from primavoce.errors import (
    DuplicateRequest,
    InvalidField,
    InvalidRequest,
    PrimavoceError,
    RequestStale,
    SessionClosing,
    TextRequired,
    TooManyRequests,
    Unavailable,
    UnknownRequest,
)
from primavoce.normalize.lexicon import MOST_CLIENT_ENTRIES, Lexicon, lexicon_of
from primavoce.phonemes.alphabet import ALPHABET
from primavoce.protocol.codec import Rejected, decode_client
from primavoce.protocol.messages import (
    AnyServerMessage,
    Cancel,
    Close,
    End,
    Error,
    Flush,
    Options,
    Ping,
    Pong,
    SessionComplete,
    SetLexicon,
    Synthesize,
    Text,
)
from primavoce.protocol.options import DEFAULT_VOICE, NO_LEXICON, check_age, resolve_options
from primavoce.protocol.utterance import Utterance

REMEMBERED_IDS = 64
"""Ended utterances whose late deltas are recognised and ignored, the oldest forgotten first."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one session may ask for."""

    max_queued_requests: int = 32
    """Utterances that wait while another is spoken."""
    max_text_characters: int = 100_000
    """Characters in one utterance."""
    max_request_age_s: float = 56.0
    """Oldest ``request_timestamp`` that is served; below SageMaker's own limit of 60 s."""
    idle_s: float = 600.0
    """Seconds without a message and with nothing to do before the session ends."""


class ServerSession:
    """One session with one client.

    Args:
        limits: What it may ask for.
        now: Seconds on the shell's monotonic clock, at the start.
        make_id: Makes a request id for a request without one.
        default_voice: The voice of a request that names none.
        lexicon: How names are said, unless the client says otherwise.
    """

    def __init__(
        self,
        limits: Limits,
        *,
        now: float,
        make_id: Callable[[], str],
        default_voice: str = DEFAULT_VOICE,
        lexicon: Lexicon = NO_LEXICON,
    ) -> None:
        self.limits = limits
        self.closing = False
        """True once no more requests are taken."""
        self.reason = "closed"
        """Why it ends."""
        self.speaking: Utterance | None = None
        """The utterance whose turn it is."""
        self._make_id = make_id
        self._default_voice = default_voice
        self._base_lexicon = self._lexicon = lexicon
        self._queue: deque[Utterance] = deque()
        self._open: list[Utterance] = []
        self._forgotten: OrderedDict[str, None] = OrderedDict()
        self._last_message_at = now

    # --- frames in, messages out

    def receive(self, frame: str | bytes, *, now: float, wall_time: float) -> list[AnyServerMessage]:
        """Take one frame and return what to send at once.

        Args:
            frame: A text or binary frame.
            now: Seconds on the shell's monotonic clock.
            wall_time: Seconds since the epoch, for ``request_timestamp``.
        """
        self._last_message_at = now
        message = decode_client(frame)
        if isinstance(message, Rejected):
            return [error_message(message.error, self._unless_live(message.request_id))]
        try:
            match message:
                case Synthesize():
                    return self._synthesize(message, now, wall_time)
                case Text():
                    return self._text(message, now, wall_time)
                case Flush():
                    self._open_utterance(message.request_id).flush()
                    return []
                case End():
                    return self._end(message)
                case Cancel():
                    return self._cancel(message, now)
                case Ping():
                    return self._ping(message)
                case SetLexicon():
                    self._lexicon = self._base_lexicon.extended_by(
                        lexicon_of(message.words, ALPHABET, most=MOST_CLIENT_ENTRIES)
                    )
                    return []
                case Close():
                    return self.close()
        except (InvalidRequest, Unavailable) as error:
            return [error_message(error, self._unless_live(message_id(message)))]

    def _synthesize(self, message: Synthesize, now: float, wall_time: float) -> list[AnyServerMessage]:
        if not message.text.strip():
            self._refuse_taken(message.request_id)
            raise TextRequired
        utterance = self._create(message, now, wall_time)
        utterance.add(message.text, now=now)
        utterance.end()
        self._queue.append(utterance)
        return []

    def _text(self, message: Text, now: float, wall_time: float) -> list[AnyServerMessage]:
        request_id = message.request_id
        if request_id in self._forgotten:
            return []  # a delta that crossed our ending of its utterance on the wire
        live = self._find(request_id) if request_id is not None else (self._open[-1] if self._open else None)
        if live is None:
            live = self._create_open(message, now, wall_time)
            self._queue.append(live)
            self._open.append(live)
        elif live.text_complete:
            raise DuplicateRequest
        elif changed := options_given(message):
            raise InvalidField(changed, "goes with the first text of an utterance")
        try:
            live.add(message.text, now=now)
        except InvalidRequest as error:
            return [self.fail(live, error)]
        return []

    def _end(self, message: End) -> list[AnyServerMessage]:
        if message.request_id is not None and message.request_id in self._forgotten:
            del self._forgotten[message.request_id]
            return []
        utterance = self._open_utterance(message.request_id)
        return self._end_text(utterance)

    def _end_text(self, utterance: Utterance) -> list[AnyServerMessage]:
        utterance.end()
        self._open.remove(utterance)
        return [self.fail(utterance, TextRequired())] if utterance.blank else []

    def _cancel(self, message: Cancel, now: float) -> list[AnyServerMessage]:
        if message.request_id is None:
            if self.speaking is not None and message.played_s is not None:
                self.speaking.played_s = message.played_s
            live = [self.speaking] if self.speaking is not None and self.speaking.outcome is None else []
            return [self._cancelled(utterance, now) for utterance in [*live, *self._queue]]
        utterance = self._find(message.request_id)
        if utterance is None:
            raise UnknownRequest
        if message.played_s is not None:
            utterance.played_s = message.played_s
        return [self._cancelled(utterance, now)]

    def _cancelled(self, utterance: Utterance, now: float) -> AnyServerMessage:
        message = utterance.cancelled_message(now=now)
        self._release(utterance)
        return message

    def _ping(self, message: Ping) -> list[AnyServerMessage]:
        if message.played_s is not None:
            utterance = self.speaking if message.request_id is None else self._find(message.request_id)
            if utterance is not None:
                utterance.played_s = message.played_s
        return [Pong(request_id=message.request_id)]

    def close(self, reason: str = "closed") -> list[AnyServerMessage]:
        """Take no more requests; end the text of those that are open. What is queued is finished first."""
        if self.closing:
            return []
        self.closing, self.reason = True, reason
        return [reply for utterance in list(self._open) for reply in self._end_text(utterance)]

    # --- time

    def idle(self) -> None:
        """Release, in every open utterance, a sentence that is complete but for the proof."""
        for utterance in self._open:
            utterance.idle()

    def expire(self, *, now: float) -> list[AnyServerMessage]:
        """End what has been left alone for too long, and return what to send."""
        limit_s = self.limits.idle_s
        stale = [utterance for utterance in self._open if now - utterance.last_text_at >= limit_s]
        replies = [reply for utterance in stale for reply in self._end_text(utterance)]
        if self.speaking is None and not self._queue and now - self._last_message_at >= limit_s:
            replies += self.close("idle")
        return replies

    # --- utterances out

    def begin(self, *, now: float, wall_time: float) -> Utterance | Error | None:
        """Give the next utterance its turn.

        Returns:
            The utterance; or an error to send, after which to ask again; or `None` when there is nothing to do yet.
        """
        if self.speaking is not None or not self._queue or not self._queue[0].startable:
            return None
        utterance = self._queue.popleft()
        try:
            check_age(utterance.options.request_timestamp, now=wall_time, limit_s=self.limits.max_request_age_s)
        except RequestStale as error:
            return self.fail(utterance, error)
        utterance.begun_at = now
        self.speaking = utterance
        return utterance

    def complete(self, utterance: Utterance, *, now: float) -> AnyServerMessage:
        """End ``utterance`` as spoken, and return the message that says so."""
        message = utterance.complete_message(now=now)
        self._release(utterance)
        return message

    def fail(self, utterance: Utterance, error: PrimavoceError) -> Error:
        """End ``utterance`` with ``error``, and return the message that says so."""
        utterance.outcome = "error"
        self._release(utterance)
        return error_message(error, utterance.request_id)

    @property
    def finished(self) -> bool:
        """Whether the session is closing and all is spoken."""
        return self.closing and self.speaking is None and not self._queue

    def farewell(self) -> SessionComplete:
        """Return the last message of the session."""
        return SessionComplete(reason=self.reason)

    # --- within

    def _create(self, message: Synthesize | Text, now: float, wall_time: float) -> Utterance:
        self._refuse_taken(message.request_id)
        if self.closing:
            raise SessionClosing
        if len(self._queue) >= self.limits.max_queued_requests:
            raise TooManyRequests(self.limits.max_queued_requests)
        options = resolve_options(message, default_voice=self._default_voice, lexicon=self._lexicon)
        check_age(options.request_timestamp, now=wall_time, limit_s=self.limits.max_request_age_s)
        request_id = self._make_id() if message.request_id is None else message.request_id
        return Utterance(request_id, options, self.limits.max_text_characters, now)

    def _create_open(self, message: Text, now: float, wall_time: float) -> Utterance:
        try:
            return self._create(message, now, wall_time)
        except (InvalidRequest, Unavailable):
            # The rest of its text is on the way, and must not be spoken with other options than were asked for.
            if message.request_id is not None:
                self._forget(message.request_id)
            raise

    def _forget(self, request_id: str) -> None:
        self._forgotten[request_id] = None
        if len(self._forgotten) > REMEMBERED_IDS:
            self._forgotten.popitem(last=False)

    def _refuse_taken(self, request_id: str | None) -> None:
        if self._find(request_id) is not None:
            raise DuplicateRequest

    def _find(self, request_id: str | None) -> Utterance | None:
        if request_id is None:
            return None
        live = [self.speaking, *self._queue] if self.speaking is not None else self._queue
        return next((found for found in live if found.request_id == request_id and found.outcome is None), None)

    def _unless_live(self, request_id: str | None) -> str | None:
        """Keep the id of a live utterance off an error that isn't its ending: an error with its id would be."""
        return None if self._find(request_id) is not None else request_id

    def _open_utterance(self, request_id: str | None) -> Utterance:
        found = next((u for u in reversed(self._open) if request_id in (None, u.request_id)), None)
        if found is None:
            raise UnknownRequest
        return found

    def _release(self, utterance: Utterance) -> None:
        """Forget an ended utterance, but for its id when more of its text may be on the way."""
        if utterance is self.speaking:
            self.speaking = None
        if utterance in self._queue:
            self._queue.remove(utterance)
        if utterance in self._open:
            self._open.remove(utterance)
            self._forget(utterance.request_id)


def message_id(message: object) -> str | None:
    """Return the request id that a message carries."""
    return getattr(message, "request_id", None)


def options_given(message: Options) -> str | None:
    """Return the name of an option that a later text carries, if any."""
    names = [name for name in Options.__struct_fields__ if name != "request_id"]
    return next((name for name in names if getattr(message, name) is not None), None)


def error_message(error: PrimavoceError, request_id: str | None, *, fatal: bool = False) -> Error:
    """Return the message that tells a client of ``error``."""
    return Error(request_id=request_id, code=error.code, message=str(error), retryable=error.retryable, fatal=fatal)
