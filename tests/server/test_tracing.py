"""Spans, to a collector in memory, over HTTP, and to one that isn't there."""

import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode
from structlog.testing import capture_logs
from websockets.asyncio.client import connect

from primavoce.errors import ExtraMissing
from primavoce.protocol.messages import SynthesisComplete
from primavoce.server.observation import Observer
from primavoce.server.records import Moment, UtteranceRecord
from primavoce.server.tracing import CLOSE_S, NO_TRACING, OtelTracing, attributes, stages, tracing_to
from tests.server.test_http import ask
from tests.server.test_session import Caller

TRACE = "0af7651916cd43dd8448eb211c80319c"
PARENT = "b7ad6b7169203331"
CONTEXT = {"traceparent": f"00-{TRACE}-{PARENT}-01"}

MOMENTS = {
    Moment.BEGUN: 100.1,
    Moment.SENTENCE: 100.2,
    Moment.PHONEMES: 100.3,
    Moment.PROSODY: 100.5,
    Moment.WINDOW: 100.6,
}


def record(outcome: str = "complete", *, moments: dict[str, float] | None = None, **facts: object) -> UtteranceRecord:
    known: dict[str, object] = {
        "session": "s",
        "request_id": "r",
        "voice": "af_heart",
        "language": "en-us",
        "code": None,
        "characters": 13,
        "segments": 1,
        "audio_s": 2.0,
        "work_s": 0.5,
        "dry_s": 0.0,
        "arrived_at": 100.0,
        "ended_at": 103.0,
        "first_audio_at": 100.7,
        "first_sound_at": 100.75,
        "last_audio_at": 102.0,
        **facts,
    }
    return UtteranceRecord(outcome=outcome, moments=MOMENTS if moments is None else moments, **known)  # type: ignore[arg-type]


def spans_of(told: UtteranceRecord, context: dict[str, str]) -> dict[str, ReadableSpan]:
    exporter = InMemorySpanExporter()
    tracing = OtelTracing(SimpleSpanProcessor(exporter), clock=lambda: 110.0, wall_clock=lambda: 1_000_110.0)
    tracing.utterance_ended(told, context)
    return {span.name: span for span in exporter.get_finished_spans()}


def seconds(span: ReadableSpan) -> tuple[float, float]:
    assert span.start_time is not None
    assert span.end_time is not None
    return span.start_time / 1e9 - 1_000_000, span.end_time / 1e9 - 1_000_000


def test_an_utterance_is_a_span_with_one_for_each_stage_below_it() -> None:
    spans = spans_of(record(), CONTEXT)

    whole = spans.pop("utterance")
    assert seconds(whole) == (pytest.approx(100.0), pytest.approx(103.0))
    assert {name: seconds(span) for name, span in spans.items()} == {
        "queue": (pytest.approx(100.0), pytest.approx(100.1)),
        "sentence": (pytest.approx(100.1), pytest.approx(100.2)),
        "phonemes": (pytest.approx(100.2), pytest.approx(100.3)),
        "prosody": (pytest.approx(100.3), pytest.approx(100.5)),
        "first_window": (pytest.approx(100.5), pytest.approx(100.6)),
        "first_audio": (pytest.approx(100.6), pytest.approx(100.7)),
        "last_audio": (pytest.approx(100.7), pytest.approx(102.0)),
    }
    assert all(span.parent and span.parent.span_id == whole.context.span_id for span in spans.values())


def test_the_spans_belong_to_the_trace_of_whoever_asked() -> None:
    whole = spans_of(record(), CONTEXT)["utterance"]

    assert f"{whole.context.trace_id:032x}" == TRACE
    assert whole.parent is not None
    assert f"{whole.parent.span_id:016x}" == PARENT


@pytest.mark.parametrize("context", [{}, {"traceparent": "nonsense"}, {"traceparent": ""}])
def test_without_a_trace_of_somebody_it_is_one_of_its_own(context: dict[str, str]) -> None:
    assert spans_of(record(), context)["utterance"].parent is None


def test_a_moment_that_is_not_known_leaves_its_time_to_the_next_stage() -> None:
    told = record(moments={Moment.BEGUN: 100.1, Moment.WINDOW: 100.6})

    assert list(stages(told))[:2] == [("queue", 100.0, 100.1), ("first_window", 100.1, 100.6)]


def test_a_moment_before_the_turn_makes_no_stage() -> None:
    told = record(moments={Moment.SENTENCE: 100.05, Moment.BEGUN: 100.1})

    assert [name for name, _, _ in stages(told)] == ["queue", "first_audio", "last_audio"]


def test_an_utterance_without_audio_has_no_stage_of_it() -> None:
    told = record("cancelled", moments={}, first_audio_at=None, first_sound_at=None, last_audio_at=None)

    assert list(stages(told)) == []


@pytest.mark.parametrize(
    ("outcome", "code", "status", "why"),
    [
        ("complete", None, StatusCode.UNSET, None),
        ("cancelled", None, StatusCode.UNSET, None),
        ("error", "synthesis_failed", StatusCode.ERROR, "synthesis_failed"),
        ("gone", None, StatusCode.ERROR, "gone"),
    ],
)
def test_an_utterance_that_is_not_whole_is_an_error(
    outcome: str, code: str | None, status: StatusCode, why: str | None
) -> None:
    whole = spans_of(record(outcome, code=code), {})["utterance"]

    assert (whole.status.status_code, whole.status.description) == (status, why)


def test_the_attributes_are_the_facts_and_the_resource_names_us() -> None:
    whole = spans_of(record(), {})["utterance"]

    assert whole.attributes is not None
    assert whole.attributes["primavoce.request_id"] == "r"
    assert whole.attributes["primavoce.time_to_first_sound_s"] == pytest.approx(0.75)
    assert "primavoce.code" not in whole.attributes
    assert whole.attributes["primavoce.queued_s"] == pytest.approx(0.1)
    assert whole.resource.attributes["service.name"] == "primavoce"


def test_the_attributes_are_the_fields_of_the_logs_line() -> None:
    told = record("error", code="synthesis_failed")
    with capture_logs() as captured:
        Observer().utterance_ended(told, {})

    assert {f"primavoce.{name}" for name in captured[0]} - {"primavoce.event", "primavoce.log_level"} == set(
        attributes(told)
    )


def test_closing_again_only_waits_for_what_is_left_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, waited = [], []

    class Thread:
        def __init__(self, **_: object) -> None:
            pass

        def start(self) -> None:
            begun.append(self)

        def join(self, within_s: float) -> None:
            waited.append(within_s)

    now = [10.0]
    tracing = OtelTracing(SimpleSpanProcessor(InMemorySpanExporter()), clock=lambda: now[0])
    monkeypatch.setattr("primavoce.server.tracing.threading.Thread", Thread)

    for later_s in (0.0, 0.5, 100.0):
        now[0] = 10.0 + later_s
        tracing.close()

    assert len(begun) == 1
    assert waited == pytest.approx([CLOSE_S, CLOSE_S - 0.5, 0.0])


def test_without_an_endpoint_there_is_no_tracing() -> None:
    assert tracing_to(None) is NO_TRACING


def test_an_endpoint_without_the_extra_is_told_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto.http.trace_exporter", None)

    with pytest.raises(ExtraMissing, match=r"primavoce\[tracing\]"):
        tracing_to("http://127.0.0.1:1/v1/traces")


def test_nothing_of_opentelemetry_is_imported_unless_it_is_asked_for() -> None:
    code = "import sys, primavoce.server.run as run; print([name for name in sys.modules if 'opentelemetry' in name])"

    imported = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)

    assert imported.stdout.strip() == "[]"


class Collector(HTTPServer):
    """Takes spans over HTTP."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), CollectorAnswer)
        self.bodies: list[tuple[str, bytes]] = []

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class CollectorAnswer(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.bodies.append((self.path, body))  # type: ignore[attr-defined]
        self.send_response(200)
        self.end_headers()

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def collector() -> Iterator[Collector]:
    with Collector() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.mark.anyio
async def test_a_server_sends_the_spans_of_sessions_and_requests_before_it_leaves(serving, collector) -> None:
    async with serving(tracing_endpoint=f"{collector.address}/v1/traces") as server:
        async with connect(server.session_url, compression=None, additional_headers=CONTEXT) as connection:
            caller = Caller(connection)
            await caller.send(text="Good morning, canary.", request_id="spoken")
            await caller.until(SynthesisComplete)
        await ask(server.address, {"text": "Good night, canary.", "request_id": "asked"})

    assert {path for path, _ in collector.bodies} == {"/v1/traces"}
    assert not [body for _, body in collector.bodies if b"canary" in body]
    spans = [
        span
        for _, body in collector.bodies
        for resource in ExportTraceServiceRequest.FromString(body).resource_spans
        for scope in resource.scope_spans
        for span in scope.spans
    ]
    requests = {
        attribute.value.string_value: span.trace_id.hex()
        for span in spans
        for attribute in span.attributes
        if attribute.key == "primavoce.request_id"
    }
    assert set(requests) == {"spoken", "asked"}
    assert requests["spoken"] == TRACE != requests["asked"]
    for trace in requests.values():
        names = [span.name for span in spans if span.trace_id.hex() == trace]
        assert {"utterance", "queue", "sentence", "first_audio", "last_audio"} <= set(names)
        assert len(names) == len(set(names))


@pytest.fixture
def all_has_been_tried() -> Iterator[None]:
    """Wait, after the test, for the threads that go on trying: what they log and draw by chance is no other test's."""
    yield
    for thread in threading.enumerate():
        if thread.name.startswith(("OtelBatch", "primavoce-tracing")):
            thread.join(30)
            assert not thread.is_alive()


@pytest.mark.anyio
@pytest.mark.usefixtures("all_has_been_tried")
async def test_a_collector_that_is_gone_holds_up_neither_an_utterance_nor_the_end(serving, monkeypatch) -> None:
    monkeypatch.setattr("primavoce.server.tracing.CLOSE_S", 0.2)
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "3")  # for so long it goes on trying
    with socket.create_server(("127.0.0.1", 0)) as silent:  # takes connections, and never says a word
        endpoints = [f"http://127.0.0.1:{silent.getsockname()[1]}/v1/traces", "http://127.0.0.1:1/v1/traces"]
        for endpoint in endpoints:
            async with serving(tracing_endpoint=endpoint) as server:
                for _ in range(3):
                    status, _, body = await ask(server.address, {"text": "Good morning."})
                    assert (status, len(body) > 44) == (200, True)
                left_at = time.monotonic()
            assert time.monotonic() - left_at < 2  # of the 3 s that it goes on trying
