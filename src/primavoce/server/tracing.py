"""Spans of utterances for OpenTelemetry, when an endpoint is configured; nothing of it is imported otherwise.

A span is made when its utterance has ended, of the times that were noted on the way: watching costs an utterance next
to nothing, and whoever takes the spans can't hold it up. They are sent from a thread of their own, in batches; what
can't be sent is dropped and said in the log.
"""

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Protocol

import primavoce
from primavoce.errors import ExtraMissing
from primavoce.server.records import Moment, UtteranceRecord

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import SpanProcessor

CLOSE_S = 1.2
"""Seconds that the last spans have to be sent when the server leaves; hardly more than its connections have to close,
which happens at the same time."""
NANO = 1_000_000_000


class Tracing(Protocol):
    """Is told of utterances that have ended."""

    def utterance_ended(self, record: UtteranceRecord, context: Mapping[str, str]) -> None:
        """Send the spans of ``record``; ``context`` has the ``traceparent`` of whoever asked for it, if there was one.

        Never waits, and never raises.
        """

    def close(self) -> None:
        """Send what waits; blocking, until `CLOSE_S` after this was first asked for at most. May be asked for again."""


class NoTracing:
    """Sends nothing."""

    def utterance_ended(self, record: UtteranceRecord, context: Mapping[str, str]) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


NO_TRACING = NoTracing()


def tracing_to(endpoint: str | None) -> Tracing:
    """Return what sends spans to ``endpoint``, or what sends none if there is none.

    Raises:
        ExtraMissing: there is one, and the extra ``tracing`` is not installed.
    """
    if endpoint is None:
        return NO_TRACING
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError as error:
        raise ExtraMissing("OTEL_EXPORTER_OTLP_ENDPOINT", "tracing") from error
    return OtelTracing(BatchSpanProcessor(OTLPSpanExporter(endpoint)))


class OtelTracing:
    """Sends spans by OpenTelemetry's SDK, which reads its other settings (headers, sampling, names) by itself.

    Args:
        processor: Takes spans that have ended.
        clock: Monotonic seconds: the clock of the records.
        wall_clock: Seconds since the epoch.
    """

    def __init__(
        self,
        processor: "SpanProcessor",
        *,
        clock: Callable[[], float] = time.monotonic,
        wall_clock: Callable[[], float] = time.time,
    ) -> None:
        from opentelemetry.sdk.resources import SERVICE_NAME, SERVICE_VERSION, Resource
        from opentelemetry.sdk.trace import TracerProvider

        resource = Resource.create({SERVICE_VERSION: primavoce.__version__})
        if str(resource.attributes.get(SERVICE_NAME, "")).startswith("unknown_service"):
            resource = resource.merge(Resource({SERVICE_NAME: "primavoce"}))
        # Nothing is registered for the whole process: an application is not alone in it.
        self._provider = TracerProvider(resource=resource, shutdown_on_exit=False)
        self._provider.add_span_processor(processor)
        self._tracer = self._provider.get_tracer("primavoce.server", primavoce.__version__)
        self._clock = clock
        self._wall_clock = wall_clock
        self._lock = threading.Lock()
        self._closing: threading.Thread | None = None
        self._close_by = 0.0

    def utterance_ended(self, record: UtteranceRecord, context: Mapping[str, str]) -> None:
        """Send a span of the whole, and one below it for each stage."""
        from opentelemetry.trace import SpanKind, Status, StatusCode, set_span_in_context
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

        offset_s = self._wall_clock() - self._clock()

        def nanoseconds(moment: float) -> int:
            return int((offset_s + moment) * NANO)

        span = self._tracer.start_span(
            "utterance",
            context=TraceContextTextMapPropagator().extract(dict(context)),
            kind=SpanKind.SERVER,
            attributes=attributes(record),
            start_time=nanoseconds(record.arrived_at),
        )
        if record.outcome not in ("complete", "cancelled"):
            span.set_status(Status(StatusCode.ERROR, record.code or record.outcome))
        within = set_span_in_context(span)
        for name, begins_at, ends_at in stages(record):
            stage = self._tracer.start_span(name, context=within, start_time=nanoseconds(begins_at))
            stage.end(nanoseconds(ends_at))
        span.end(nanoseconds(record.ended_at))

    def close(self) -> None:
        """Send what waits, on a thread that nobody waits for longer than `CLOSE_S`."""
        with self._lock:
            if self._closing is None:
                self._closing = threading.Thread(target=self._provider.shutdown, name="primavoce-tracing", daemon=True)
                self._closing.start()
                self._close_by = self._clock() + CLOSE_S
        self._closing.join(max(0.0, self._close_by - self._clock()))


STAGES = (
    ("queue", Moment.BEGUN),
    ("sentence", Moment.SENTENCE),
    ("phonemes", Moment.PHONEMES),
    ("prosody", Moment.PROSODY),
    ("first_window", Moment.WINDOW),
)
"""The stages until there is audio, and the moment that ends each."""


def stages(record: UtteranceRecord) -> Iterator[tuple[str, float, float]]:
    """Yield the name, beginning and end of each stage that an utterance has come through, each after another.

    A moment that isn't known, or that came before the one before it, makes no stage: a sentence that was certain
    before the turn came took none of its time.
    """
    at = record.arrived_at
    for name, moment in STAGES:
        ends_at = record.moments.get(moment)
        if ends_at is not None and ends_at >= at:
            yield name, at, ends_at
            at = ends_at
    if record.first_audio_at is not None and record.last_audio_at is not None:
        if record.first_audio_at >= at:
            yield "first_audio", at, record.first_audio_at
        yield "last_audio", record.first_audio_at, record.last_audio_at


def attributes(record: UtteranceRecord) -> dict[str, str | int | float]:
    """Return what a span says of an utterance: what its line in the log does. No text."""
    found = {
        "session": record.session,
        "request_id": record.request_id,
        "voice": record.voice,
        "language": record.language,
        "outcome": record.outcome,
        "code": record.code,
        "characters": record.characters,
        "segments": record.segments,
        "audio_s": record.audio_s,
        "work_s": record.work_s,
        "dry_s": record.dry_s,
        "queued_s": record.queued_s,
        "time_to_first_audio_s": record.time_to_first_audio_s,
        "time_to_first_sound_s": record.time_to_first_sound_s,
    }
    return {f"primavoce.{name}": value for name, value in found.items() if value is not None}
