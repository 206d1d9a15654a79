"""The server's end of a session, as a state machine: frames in, messages out, utterances in order.

Pure: no socket, no clock, no model. A shell owns one `ServerSession`, and

* gives it every frame (`receive`) and sends what comes back, in order;
* calls `idle` when no delta has come for a moment, and `expire` when time has passed;
* asks for the utterance whose turn it is (`begin`), speaks its sentences, and ends it (`complete` or `fail`);
* sends no audio of an utterance whose ``outcome`` is set;
* tells it to go (`leave`) and, when there is no more time, to end at once (`cut`).

What it guarantees: utterances are spoken strictly in the order in which they were opened; exactly one of
``synthesis_complete``, ``cancelled`` and ``error`` ends each, and nothing with its id follows.
"""

from collections.abc import Callable

from msgspec import UNSET

from primavoce.errors import (
    InvalidRequest,
    MessageTooLarge,
    PrimavoceError,
    SessionClosing,
    SessionExpired,
    Unavailable,
    UnknownRequest,
)
from primavoce.normalize.lexicon import Lexicon
from primavoce.protocol.codec import Rejected, decode_client
from primavoce.protocol.intake import Intake
from primavoce.protocol.limits import Limits
from primavoce.protocol.messages import (
    AnyServerMessage,
    Cancel,
    Close,
    End,
    Error,
    Flush,
    Ping,
    Pong,
    SecondsLeft,
    SessionComplete,
    SetLexicon,
    Synthesize,
    Text,
)
from primavoce.protocol.options import DEFAULT_VOICE, NO_LEXICON, check_age
from primavoce.protocol.requests import Requests, error_message
from primavoce.protocol.utterance import Utterance


class ServerSession:
    """One session with one client.

    Args:
        limits: What it may ask for.
        now: Seconds on the shell's monotonic clock, at the start.
        make_id: Makes a request id for a request without one.
        default_voice: The voice of a request that names none.
        lexicon: How names are said, unless the client says otherwise.
        on_ended: Told of each utterance that has ended, whether or not its turn ever came.
    """

    def __init__(
        self,
        limits: Limits,
        *,
        now: float,
        make_id: Callable[[], str],
        default_voice: str = DEFAULT_VOICE,
        lexicon: Lexicon = NO_LEXICON,
        on_ended: Callable[[Utterance], None] = lambda _: None,
    ) -> None:
        self.limits = limits
        self.closing = False
        """True once no more requests are taken."""
        self.reason = "closed"
        """Why it ends."""
        self._leaving = False
        self._began_at = now
        self._heard = False  # whether there was any message
        self._requests = Requests(on_ended)
        self._intake = Intake(self._requests, limits, make_id=make_id, default_voice=default_voice, lexicon=lexicon)
        self._last_active_at = now

    @property
    def speaking(self) -> Utterance | None:
        """The utterance whose turn it is."""
        return self._requests.speaking

    @property
    def deltas(self) -> int:
        """Deltas that have brought text to an open utterance."""
        return self._intake.deltas

    @property
    def leaving(self) -> bool:
        """Whether it has been told to go: what is being spoken should end soon."""
        return self._leaving

    def ends_in_s(self, *, now: float) -> SecondsLeft:
        """Return the seconds until it takes no more requests, where that is known."""
        limit_s = self.limits.session_limit_s
        return max(0.0, round(self._began_at + limit_s - now, 1)) if limit_s else UNSET

    # --- frames in, messages out

    def receive(self, frame: str | bytes, *, now: float, wall_time: float) -> list[AnyServerMessage]:
        """Take one frame and return what to send at once.

        Args:
            frame: A text or binary frame.
            now: Seconds on the shell's monotonic clock.
            wall_time: Seconds since the epoch, for ``request_timestamp``.
        """
        self._last_active_at, self._heard = now, True
        if len(frame) > self.limits.max_message_bytes:
            return [error_message(MessageTooLarge(self.limits.max_message_bytes), None)]
        message = decode_client(frame)
        if isinstance(message, Rejected):
            return [error_message(message.error, self._unless_live(message.request_id))]
        try:
            match message:
                case Synthesize():
                    return self._intake.synthesize(message, now=now, wall_time=wall_time)
                case Text():
                    return self._intake.text(message, now=now, wall_time=wall_time)
                case Flush():
                    self._requests.open_one(message.request_id).incoming.flush()
                    return []
                case End():
                    return self._intake.end(message)
                case Cancel():
                    return self._cancel(message, now)
                case Ping():
                    return self._ping(message, now)
                case SetLexicon():
                    self._intake.set_lexicon(message)
                    return []
                case Close():
                    return self.close()
        except (InvalidRequest, Unavailable) as error:
            return [error_message(error, self._unless_live(message_id(message)))]

    def _cancel(self, message: Cancel, now: float) -> list[AnyServerMessage]:
        if message.request_id is None:
            if self.speaking is not None and message.played_s is not None:
                self.speaking.played_s = message.played_s
            return [self._cancelled(utterance, now) for utterance in self._requests.live()]
        utterance = self._requests.find(message.request_id)
        if utterance is None:
            raise UnknownRequest
        if message.played_s is not None:
            utterance.played_s = message.played_s
        return [self._cancelled(utterance, now)]

    def _cancelled(self, utterance: Utterance, now: float) -> AnyServerMessage:
        message = utterance.cancelled_message(now=now)
        self._requests.release(utterance)
        return message

    def _ping(self, message: Ping, now: float) -> list[AnyServerMessage]:
        if message.played_s is not None:
            utterance = self.speaking if message.request_id is None else self._requests.find(message.request_id)
            if utterance is not None:
                utterance.played_s = message.played_s
        return [Pong(request_id=message.request_id, session_ends_in_s=self.ends_in_s(now=now))]

    def close(self, reason: str = "closed") -> list[AnyServerMessage]:
        """Take no more requests; end the text of those that are open. What is queued is finished first."""
        if self.closing:
            return []
        self.closing, self.reason, self._intake.refusal = True, reason, SessionClosing()
        return [reply for utterance in list(self._requests.open) for reply in self._intake.end_text(utterance)]

    def leave(self, reason: str, error: Unavailable) -> list[AnyServerMessage]:
        """Take no more requests, and give those that wait back with ``error``; the one being spoken may end.

        Its text may go on until its ``end``: cut short, it would be spoken as if it were whole.

        Args:
            reason: Why the session ends.
            error: What those get that aren't spoken.
        """
        if self._leaving:
            return []
        self.closing = self._leaving = True
        self.reason, self._intake.refusal = reason, error
        return [self._requests.fail(utterance, error) for utterance in list(self._requests.waiting)]

    def cut(self) -> list[AnyServerMessage]:
        """End the utterance that is still being spoken, since there is no more time."""
        error = self._intake.refusal
        assert error is not None, "it was told to leave before"
        return [self._requests.fail(utterance, error) for utterance in self._requests.live()]

    def break_down(self, error: PrimavoceError) -> list[AnyServerMessage]:
        """End everything with ``error``, and return that, with the last message of the session."""
        self.closing, self.reason = True, error.code
        ended = [self._requests.fail(utterance, error) for utterance in self._requests.live()]
        return [*ended, error_message(error, None, fatal=True), self.farewell()]

    # --- time

    def idle(self) -> None:
        """Release, in every open utterance, a sentence that is complete but for the proof."""
        for utterance in self._requests.open:
            utterance.incoming.idle()

    def expire(self, *, now: float) -> list[AnyServerMessage]:
        """End what has been left alone for too long, and return what to send."""
        limit_s = self.limits.idle_s
        replies = self._expire_session(now)
        stale = [utterance for utterance in self._requests.open if now - utterance.last_text_at >= limit_s]
        replies += [reply for utterance in stale for reply in self._intake.end_text(utterance)]
        patience_s = limit_s if self._heard else min(limit_s, self.limits.first_message_s)
        if self.speaking is None and not self._requests.waiting and now - self._last_active_at >= patience_s:
            replies += self.close("idle")
        return replies

    def _expire_session(self, now: float) -> list[AnyServerMessage]:
        """End a session that has lasted as long as one may."""
        limit_s = self.limits.session_limit_s
        left_s = self._began_at + limit_s - now
        if not limit_s or left_s > 0:
            return []
        replies = self.leave("limit", SessionExpired(limit_s))
        return replies + self.cut() if left_s <= -self.limits.drain_s else replies

    # --- utterances out

    def begin(self, *, now: float, wall_time: float) -> Utterance | Error | None:
        """Give the next utterance its turn.

        Returns:
            The utterance; or an error to send, after which to ask again; or `None` when there is nothing to do yet.
        """
        utterance = self._requests.next()
        if utterance is None:
            return None
        try:
            self.check_age(utterance, wall_time=wall_time)
        except InvalidRequest as error:
            return self.fail(utterance, error, now=now)
        utterance.begun_at = now
        self._requests.speaking = utterance
        return utterance

    def check_age(self, utterance: Utterance, *, wall_time: float) -> None:
        """Refuse an utterance that has grown too old; to be asked again when its work starts.

        Raises:
            RequestStale: it has.
        """
        check_age(utterance.options.request_timestamp, now=wall_time, limit_s=self.limits.max_request_age_s)

    def complete(self, utterance: Utterance, *, now: float) -> AnyServerMessage:
        """End ``utterance`` as spoken, and return the message that says so."""
        self._last_active_at = now
        message = utterance.complete_message(now=now)
        self._requests.release(utterance)
        return message

    def fail(self, utterance: Utterance, error: PrimavoceError, *, now: float) -> Error:
        """End ``utterance`` with ``error``, and return the message that says so."""
        self._last_active_at = now
        return self._requests.fail(utterance, error)

    @property
    def finished(self) -> bool:
        """Whether the session is closing and all is spoken."""
        return self.closing and self.speaking is None and not self._requests.waiting

    def farewell(self) -> SessionComplete:
        """Return the last message of the session."""
        return SessionComplete(reason=self.reason)

    # --- within

    def _unless_live(self, request_id: str | None) -> str | None:
        """Keep the id of a live utterance off an error that isn't its ending: an error with its id would be."""
        return None if self._requests.find(request_id) is not None else request_id


def message_id(message: object) -> str | None:
    """Return the request id that a message carries."""
    return getattr(message, "request_id", None)
