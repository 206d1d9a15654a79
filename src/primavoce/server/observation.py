"""What happens to sessions, utterances and requests, told in one place: figures, one line of the log each, spans.

The shells tell an `Observer` what they do, in a line each; nothing that they do depends on it. No text of a client is
ever told: ids, voices, counts and times are.
"""

import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import TracebackType
from typing import Self

import structlog
from starlette.requests import ClientDisconnect

from primavoce.errors import PrimavoceError
from primavoce.protocol.messages import AnyServerMessage, Error
from primavoce.protocol.options import SpeechOptions
from primavoce.protocol.utterance import Utterance
from primavoce.server.counting import OTHER_ROUTE
from primavoce.server.metrics import Metrics
from primavoce.server.records import Moment, UtteranceRecord
from primavoce.server.tracing import NO_TRACING, Tracing
from primavoce.server.watch import Watch

log = structlog.get_logger("primavoce.server")


class Observer:
    """Is told what happens, and tells whoever wants to know.

    Args:
        metrics: Counts; None to count nothing.
        tracing: Sends spans.
        clock: Monotonic seconds; the session shells' own.
    """

    def __init__(
        self,
        metrics: Metrics | None = None,
        tracing: Tracing = NO_TRACING,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.metrics = metrics
        self.clock = clock
        self._tracing = tracing

    def session(self, headers: Mapping[str, str]) -> "SessionWatch":
        """Return what watches one session; ``headers`` are those of its handshake."""
        return SessionWatch(self, uuid.uuid4().hex[:12], trace_context(headers))

    @contextmanager
    def request(
        self,
        options: SpeechOptions,
        *,
        request_id: str | None,
        characters: int,
        arrived_at: float,
        headers: Mapping[str, str],
    ) -> Iterator[Watch]:
        """Watch the utterance of one HTTP request, which ends with the block, by what the block raises."""
        watch = Watch(options, session=None, request_id=request_id, arrived_at=arrived_at, clock=self.clock)
        outcome, error = "gone", None
        try:
            yield watch
            outcome = "complete"
        except PrimavoceError as failure:
            outcome, error = "error", failure
            raise
        except ClientDisconnect:
            raise
        except TimeoutError:
            outcome = "dropped"
            raise
        except Exception:
            outcome = "failed"
            raise
        finally:
            self.utterance_ended(watch.record(outcome, characters=characters, error=error), trace_context(headers))

    def utterance_ended(self, record: UtteranceRecord, context: Mapping[str, str]) -> None:
        """Tell of an utterance that has ended; ``context`` is of whoever asked for it."""
        log.info(
            "utterance",
            session=record.session,
            request_id=record.request_id,
            voice=record.voice,
            language=record.language,
            outcome=record.outcome,
            code=record.code,
            characters=record.characters,
            segments=record.segments,
            audio_s=round(record.audio_s, 3),
            work_s=round(record.work_s, 3),
            dry_s=round(record.dry_s, 3),
            queued_s=_rounded(record.queued_s),
            time_to_first_audio_s=_rounded(record.time_to_first_audio_s),
            time_to_first_sound_s=_rounded(record.time_to_first_sound_s),
        )
        if self.metrics is not None:
            self.metrics.utterance_ended(record)
        self._tracing.utterance_ended(record, context)

    def error_told(self, code: str) -> None:
        """Note that a client was told of an error."""
        if self.metrics is not None:
            self.metrics.error_told(code)

    def answered_unread(self, status: int, error: PrimavoceError | None) -> None:
        """Note that a connection was answered by ``status`` before there was a request that a route could be given."""
        if self.metrics is not None:
            self.metrics.request_answered(OTHER_ROUTE, str(status))
        if error is not None:
            self.error_told(error.code)

    def close(self) -> None:
        """Send what waits to be told; blocking, for a moment, and to be asked for as often as one likes."""
        self._tracing.close()


def _rounded(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 4)


class SessionWatch:
    """Watches one session; a context manager, whose end is the session's.

    Args:
        observer: Is told.
        session_id: Its id.
        context: The trace that it belongs to.
    """

    def __init__(self, observer: Observer, session_id: str, context: Mapping[str, str]) -> None:
        self._observer = observer
        self.session_id = session_id
        self._context = context
        self._speaking: tuple[Utterance, Watch] | None = None
        self.outcome = "gone"
        """How it ends, one of `SESSION_OUTCOMES`: whoever leaves without a word is gone."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._speaking is not None:
            utterance, watch = self._speaking
            self._end(utterance, watch, self.outcome if self.outcome in ("dropped", "failed") else "gone")
        if self._observer.metrics is not None:
            self._observer.metrics.session_ended(self.outcome)

    @contextmanager
    def admitted(self) -> Iterator[None]:
        """Count it among the open ones while the block runs."""
        metrics = self._observer.metrics
        if metrics is None:
            yield
            return
        metrics.session_admitted()
        try:
            yield
        finally:
            metrics.session_left()

    def begun(self, utterance: Utterance) -> Watch:
        """Note that it is the turn of ``utterance``; return what watches it."""
        watch = self._watch(utterance)
        watch.notice(Moment.BEGUN)
        self._speaking = utterance, watch
        return watch

    def ended(self, utterance: Utterance) -> None:
        """Note that ``utterance`` has ended, whether or not its turn ever came."""
        if self._speaking is not None and self._speaking[0] is utterance:
            self._end(utterance, self._speaking[1], utterance.outcome or "gone")
        else:
            self._end(utterance, self._watch(utterance), utterance.outcome or "gone")

    def told(self, message: AnyServerMessage) -> None:
        """Note that the client is told ``message``."""
        if isinstance(message, Error):
            self._observer.error_told(message.code)

    def _watch(self, utterance: Utterance) -> Watch:
        return Watch(
            utterance.options,
            session=self.session_id,
            request_id=utterance.request_id,
            arrived_at=utterance.received_at,
            clock=self._observer.clock,
        )

    def _end(self, utterance: Utterance, watch: Watch, outcome: str) -> None:
        if self._speaking is not None and self._speaking[0] is utterance:
            self._speaking = None
        record = watch.record(outcome, characters=utterance.incoming.characters, error=utterance.error)
        self._observer.utterance_ended(record, self._context)


def trace_context(headers: Mapping[str, str]) -> dict[str, str]:
    """Return those of ``headers`` that say which trace a request belongs to."""
    return {name: headers[name] for name in ("traceparent", "tracestate") if name in headers}
