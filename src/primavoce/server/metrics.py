"""Figures for Prometheus: what was served, how soon, and how it ended.

No label comes from what a client says: voices (blends are endless), ids, texts and paths would make a series each.
``docs/observability.md`` lists the names.
"""

import asyncio
import threading
from collections.abc import Callable, Iterable, Iterator

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Metric, ProcessCollector
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily
from prometheus_client.exposition import choose_encoder

import primavoce
from primavoce.errors import AssetError, PrimavoceError, SessionError, SetupError
from primavoce.server.records import SESSION_OUTCOMES, UTTERANCE_OUTCOMES, UtteranceRecord
from primavoce.synthesis.report import EngineReport, ModelReport

FIRST_S = (0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0, 30.0)
QUEUE_S = (0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
FACTORS = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.25, 1.5, 2.0, 4.0)


class Metrics:
    """The figures of one application, in a registry of its own.

    Args:
        report: Tells what the engine knows of itself; asked at each scrape.
    """

    def __init__(self, report: Callable[[], EngineReport]) -> None:
        self.registry = CollectorRegistry()
        self._codes = error_codes()
        self._first_audio = self._histogram(
            "time_to_first_audio_seconds", "From an utterance's arrival to its first audio.", FIRST_S
        )
        self._first_sound = self._histogram(
            "time_to_first_sound_seconds", "From an utterance's arrival to its first audible sample.", FIRST_S
        )
        self._factor = self._histogram(
            "real_time_factor", "Work of the model for an utterance, divided by its audio.", FACTORS
        )
        self._queue = self._histogram("queue_seconds", "From an utterance's arrival to its turn.", QUEUE_S)
        self._sessions_open = Gauge("primavoce_sessions_open", "Sessions that are let in.", registry=self.registry)
        self._sessions = self._counter("sessions", "Sessions that have ended, by how.", outcome=SESSION_OUTCOMES)
        self._utterances = self._counter(
            "utterances", "Utterances that have ended, by how.", outcome=UTTERANCE_OUTCOMES
        )
        self._errors = self._counter("errors", "Errors that clients were told, by code.", code=sorted(self._codes))
        self._audio = self._counter("audio_seconds", "Seconds of audio that were sent.")
        self._characters = self._counter("characters", "Characters of the utterances that have ended.")
        self._requests = self._counter(
            "http_requests", "HTTP requests and WebSocket handshakes, by route and status.", labels=("route", "status")
        )
        self.registry.register(_EngineCollector(report))
        self.registry.register(_LoopCollector())
        ProcessCollector(registry=self.registry)

    def session_admitted(self) -> None:
        """Note that a session was let in."""
        self._sessions_open.inc()

    def session_left(self) -> None:
        """Note that a session that was let in is over."""
        self._sessions_open.dec()

    def session_ended(self, outcome: str) -> None:
        """Note how a session ended, let in or not."""
        self._sessions.labels(outcome if outcome in SESSION_OUTCOMES else "failed").inc()

    def utterance_ended(self, record: UtteranceRecord) -> None:
        """Note what is known of an utterance that has ended."""
        self._utterances.labels(record.outcome).inc()
        self._audio.inc(record.audio_s)
        self._characters.inc(record.characters)
        told = (
            (self._first_audio, record.time_to_first_audio_s),
            (self._first_sound, record.time_to_first_sound_s),
            (self._factor, record.real_time_factor),
            (self._queue, record.queued_s),
        )
        for histogram, value in told:
            if value is not None:
                histogram.observe(value)

    def error_told(self, code: str) -> None:
        """Note that a client was told of an error."""
        self._errors.labels(code if code in self._codes else PrimavoceError.code).inc()

    def request_answered(self, route: str, status: str) -> None:
        """Note the answer to a request; ``route`` is a path of ours, and nobody else's."""
        self._requests.labels(route, status).inc()

    def render(self, accept: str) -> tuple[bytes, str]:
        """Return all figures and their media type, in the form that ``accept``, a header's value, prefers."""
        try:
            encode, media_type = choose_encoder(accept)
        except Exception:  # noqa: BLE001 - what it raises of a version that is none, it doesn't say
            encode, media_type = choose_encoder("")
        return encode(self), media_type

    def collect(self) -> Iterator[Metric]:
        """Yield all figures, without those that only say when a counter was made: they double the count of series."""
        for metric in self.registry.collect():
            metric.samples = [sample for sample in metric.samples if not sample.name.endswith("_created")]
            yield metric

    def _histogram(self, name: str, meaning: str, buckets: tuple[float, ...]) -> Histogram:
        return Histogram(f"primavoce_{name}", meaning, buckets=buckets, registry=self.registry)

    def _counter(self, name: str, meaning: str, *, labels: tuple[str, ...] = (), **values: Iterable[str]) -> Counter:
        """Return a counter; with ``values`` of a label each starts at 0, so that its first increase is seen."""
        counter = Counter(f"primavoce_{name}", meaning, labels or tuple(values), registry=self.registry)
        for known in values.values():
            for value in known:
                counter.labels(value)
        return counter


class _EngineCollector:
    """What the engine knows of itself, asked when somebody looks."""

    def __init__(self, report: Callable[[], EngineReport]) -> None:
        self._report = report

    def describe(self) -> Iterable[Metric]:
        """Name nothing: the engine isn't there yet."""
        return []

    def collect(self) -> Iterator[Metric]:
        """Yield its figures; those that aren't known yet have a name and no value."""
        report = self._report()
        yield _gauge("utterances_speaking", "Utterances that need the model now.", report.speaking)
        yield _gauge("capacity", "Utterances that can be spoken at a time without a gap.", report.capacity)
        yield _gauge("model_real_time_factor", "Work for a second of audio, a moving average.", report.real_time_factor)
        yield _total(
            "underruns_predicted", "Gaps in what listeners heard, had they played it as it came.", report.underruns
        )
        yield _total("underrun_seconds", "Seconds of such gaps.", report.dry_s)
        yield _total("model_busy_seconds", "Seconds that the model's thread has worked.", report.busy_s)
        yield from _model_metrics(report.model)


class _LoopCollector:
    """What the process works with: what stays when nobody is served any more has leaked."""

    def describe(self) -> Iterable[Metric]:
        """Name nothing: there may be no event loop yet."""
        return []

    def collect(self) -> Iterator[Metric]:
        """Yield its figures; asked on the event loop."""
        yield _gauge("threads", "Threads of Python's in the process.", threading.active_count())
        try:
            tasks = len(asyncio.all_tasks())
        except RuntimeError:  # asked elsewhere
            tasks = 0
        yield _gauge("tasks", "Tasks of the event loop.", tasks)


def _model_metrics(model: ModelReport | None) -> Iterator[Metric]:
    known = model or ModelReport(digest="", device="", provider="")
    yield _total("windows", "Pieces of audio that were made: windows, and segments whole.", known.parts)
    segments = CounterMetricFamily(
        "primavoce_segments",
        "Segments that were made, in windows (stream) or whole for a reason (short, far, asked, voice).",
        labels=("way",),
    )
    for way, count in sorted(known.segments.items()):
        segments.add_metric((way,), count)
    yield segments
    yield _total("phrase_hits", "Segments that were remembered, and so not made.", known.phrase_hits)
    yield _total("phrase_misses", "Segments that were not remembered.", known.phrase_misses)
    yield _gauge("phrase_bytes", "Bytes of audio that are remembered.", known.phrase_bytes)
    build = InfoMetricFamily("primavoce_build", "What is running: build and model.")
    if model is not None:
        facts = {"version": primavoce.__version__, "model_digest": model.digest}
        build.add_metric((), {**facts, "device": model.device, "provider": model.provider})
    yield build


def _gauge(name: str, meaning: str, value: float | None) -> Metric:
    return GaugeMetricFamily(f"primavoce_{name}", meaning, value=value)


def _total(name: str, meaning: str, value: float) -> Metric:
    return CounterMetricFamily(f"primavoce_{name}", meaning, value=value)


def error_codes(kind: type[PrimavoceError] = PrimavoceError) -> frozenset[str]:
    """Return the codes that a client can be told of ``kind`` and what descends from it; there are only so many."""
    if issubclass(kind, AssetError | SetupError | SessionError):
        return frozenset()  # told to the operator, or made by clients themselves
    return frozenset({kind.code}).union(*(error_codes(below) for below in kind.__subclasses__()))
