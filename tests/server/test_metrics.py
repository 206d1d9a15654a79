"""What ``/metrics`` says, of a real server and of records made for the purpose."""

import re
from collections.abc import Callable
from pathlib import Path
from random import Random

import anyio
import pytest
from prometheus_client.parser import text_string_to_metric_families
from starlette.types import Message, Receive, Scope, Send

from primavoce.errors import PrimavoceError
from primavoce.protocol.messages import Error, SynthesisComplete
from primavoce.server.counting import Counted
from primavoce.server.metrics import Metrics, error_codes
from primavoce.server.records import Moment, UtteranceRecord
from primavoce.synthesis.report import EngineReport, ModelReport
from tests.server.rough_clients import handshake
from tests.server.test_http import ask
from tests.server.test_limits import connect_to, read_all
from tests.server.test_session import calling

DOCS = Path(__file__).parents[2] / "docs" / "observability.md"

LOADED = EngineReport(
    model=ModelReport(
        digest="6e74",
        device="cpu",
        provider="CPUExecutionProvider",
        segments={"stream": 5, "short": 1},
        parts=20,
        phrase_hits=3,
        phrase_misses=6,
        phrase_bytes=96_000,
    ),
    real_time_factor=0.3,
    capacity=3,
    speaking=2,
    underruns=1,
    dry_s=0.25,
    busy_s=9.5,
)
LOADING = EngineReport(model=None, real_time_factor=None, capacity=None, speaking=0, underruns=0, dry_s=0.0, busy_s=0.0)

RECORD = UtteranceRecord(
    session="s",
    request_id="r",
    voice="af_heart",
    language="en-us",
    outcome="complete",
    code=None,
    characters=13,
    segments=1,
    audio_s=2.0,
    work_s=0.5,
    dry_s=0.0,
    arrived_at=100.0,
    ended_at=103.0,
    moments={Moment.BEGUN: 100.02},
    first_audio_at=100.4,
    first_sound_at=100.45,
    last_audio_at=102.0,
)


def figures(rendered: str) -> dict[str, float]:
    """Return samples by name and labels, as they stand in the text format."""
    return {
        sample.name + str(sorted(sample.labels.items())) if sample.labels else sample.name: sample.value
        for family in text_string_to_metric_families(rendered)
        for sample in family.samples
    }


def rendered(metrics: Metrics) -> dict[str, float]:
    return figures(metrics.render("")[0].decode())


def of(name: str, **labels: str) -> str:
    return name + str(sorted(labels.items()))


async def scraped(address: str) -> dict[str, float]:
    _, _, body = await ask(address, path="/metrics", method="GET")
    return figures(body.decode())


def test_an_utterance_is_counted_with_its_times_in_seconds() -> None:
    metrics = Metrics(lambda: LOADED)

    metrics.utterance_ended(RECORD)

    found = rendered(metrics)
    assert found[of("primavoce_utterances_total", outcome="complete")] == 1
    assert found["primavoce_time_to_first_audio_seconds_sum"] == pytest.approx(0.4)
    assert found["primavoce_time_to_first_sound_seconds_sum"] == pytest.approx(0.45)
    assert found["primavoce_queue_seconds_sum"] == pytest.approx(0.02)
    assert found["primavoce_real_time_factor_sum"] == pytest.approx(0.25)
    assert found["primavoce_audio_seconds_total"] == 2.0
    assert found["primavoce_characters_total"] == 13


def test_what_never_happened_to_an_utterance_is_no_observation() -> None:
    metrics = Metrics(lambda: LOADED)

    metrics.utterance_ended(
        UtteranceRecord(
            session=None,
            request_id=None,
            voice="af_heart",
            language="en-us",
            outcome="error",
            code="request_stale",
            characters=1,
            segments=0,
            audio_s=0.0,
            work_s=0.0,
            dry_s=0.0,
            arrived_at=1.0,
            ended_at=2.0,
        )
    )

    found = rendered(metrics)
    histograms = ("time_to_first_audio_seconds", "time_to_first_sound_seconds", "queue_seconds", "real_time_factor")
    assert [found[f"primavoce_{name}_count"] for name in histograms] == [0, 0, 0, 0]
    assert found[of("primavoce_utterances_total", outcome="error")] == 1


def test_the_engine_is_asked_when_somebody_looks() -> None:
    reports = [LOADING, LOADED]
    metrics = Metrics(lambda: reports.pop(0))

    loading, loaded = rendered(metrics), rendered(metrics)

    assert "primavoce_capacity" not in loading
    assert "primavoce_build_info" not in str(loading)
    assert loaded["primavoce_capacity"] == 3
    assert loaded["primavoce_utterances_speaking"] == 2
    assert loaded["primavoce_model_real_time_factor"] == 0.3
    assert loaded["primavoce_underruns_predicted_total"] == 1
    assert loaded["primavoce_underrun_seconds_total"] == 0.25
    assert loaded["primavoce_model_busy_seconds_total"] == 9.5
    assert loaded["primavoce_windows_total"] == 20
    assert loaded[of("primavoce_segments_total", way="stream")] == 5
    assert loaded["primavoce_phrase_hits_total"] == 3
    assert loaded["primavoce_phrase_misses_total"] == 6
    assert loaded["primavoce_phrase_bytes"] == 96_000
    assert any("6e74" in name and "CPUExecutionProvider" in name for name in loaded)


def test_two_applications_count_apart() -> None:
    one, other = Metrics(lambda: LOADED), Metrics(lambda: LOADED)

    one.session_admitted()

    assert rendered(one)["primavoce_sessions_open"] == 1
    assert rendered(other)["primavoce_sessions_open"] == 0


def test_what_nobody_knows_is_counted_as_ours_and_makes_no_series() -> None:
    metrics = Metrics(lambda: LOADED)
    before = set(rendered(metrics))

    metrics.error_told("made up by somebody")
    metrics.session_ended("made up by somebody")

    after = rendered(metrics)
    assert set(after) == before
    assert after[of("primavoce_errors_total", code=PrimavoceError.code)] == 1
    assert after[of("primavoce_sessions_total", outcome="failed")] == 1


def test_every_code_of_an_error_that_a_client_is_told_has_its_series_from_the_start() -> None:
    codes = error_codes()

    assert {"internal", "text_too_long", "overloaded", "draining", "synthesis_failed"} <= codes
    assert not {"fetch_failed", "extra_missing", "session_timeout"} & codes
    assert all(of("primavoce_errors_total", code=code) in rendered(Metrics(lambda: LOADED)) for code in codes)


def test_no_series_says_when_a_counter_was_made() -> None:
    assert [name for name in rendered(Metrics(lambda: LOADED)) if "_created" in name] == []


def test_the_documented_metrics_are_those_there_are() -> None:
    rows = re.findall(r"(?m)^\| `(primavoce_\w+)` \| (\w+) \|([^|]*)\| (.+) \|$", DOCS.read_text())
    documented = {name: (kind, sorted(re.findall(r"`(\w+)`", labels)), meaning) for name, kind, labels, meaning in rows}
    metrics = Metrics(lambda: LOADED)
    metrics.request_answered("/ping", "200")

    there = {}
    for family in metrics.collect():
        if family.name.startswith("primavoce_"):
            name = family.name + {"counter": "_total", "info": "_info"}.get(family.type, "")
            labels = {label for sample in family.samples for label in sample.labels} - {"le"}
            there[name] = (family.type, sorted(labels), family.documentation)

    assert there == documented


@pytest.mark.parametrize(
    ("accept", "media_type"),
    [
        ("", "text/plain"),
        ("application/openmetrics-text; version=1.0.0", "application/openmetrics-text"),
        ("text/plain; version=abc", "text/plain"),
        ("application/openmetrics-text; version=abc", "text/plain"),
        ("; version=1; q=x,,=", "text/plain"),
    ],
)
def test_the_format_is_the_one_that_is_asked_for(accept: str, media_type: str) -> None:
    body, found = Metrics(lambda: LOADED).render(accept)

    assert found.startswith(media_type)
    assert b"primavoce_sessions_open" in body


# --- every answer is counted


async def answered(answer: Callable[[Scope, Receive, Send], object], scope: Scope) -> dict[str, float]:
    metrics = Metrics(lambda: LOADED)

    async def send(_: Message) -> None:
        return

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    try:
        await Counted(answer, metrics, ["/ping", "/v1/models/{model}"])(scope, receive, send)  # type: ignore[arg-type]
    except RuntimeError:
        pass
    return {name: value for name, value in rendered(metrics).items() if "http_requests" in name}


def telling(*messages: Message) -> Callable[[Scope, Receive, Send], object]:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        for message in messages:
            await send(message)

    return app


async def breaking(scope: Scope, receive: Receive, send: Send) -> None:
    raise RuntimeError


ENDINGS = [
    ("http", "/ping", telling({"type": "http.response.start", "status": 200}), "/ping", "200"),
    ("http", "/secret/1", telling({"type": "http.response.start", "status": 404}), "other", "404"),
    ("http", "/v1/models/secret", telling({"type": "http.response.start", "status": 404}), "/v1/models/{model}", "404"),
    ("http", "/v1/models/a/b", telling({"type": "http.response.start", "status": 404}), "other", "404"),
    ("http", "/ping", telling(), "/ping", "499"),
    ("http", "/ping", breaking, "/ping", "500"),
    ("websocket", "/ping", telling({"type": "websocket.accept"}, {"type": "websocket.close"}), "/ping", "101"),
    ("websocket", "/ping", telling({"type": "websocket.close"}), "/ping", "403"),
    ("websocket", "/ping", telling({"type": "websocket.http.response.start", "status": 401}), "/ping", "401"),
]


@pytest.mark.anyio
@pytest.mark.parametrize(("kind", "path", "app", "route", "status"), ENDINGS)
async def test_an_answer_is_counted_once_by_its_route_and_status(
    kind: str, path: str, app: Callable[[Scope, Receive, Send], object], route: str, status: str
) -> None:
    found = await answered(app, {"type": kind, "path": path})

    assert found == {of("primavoce_http_requests_total", route=route, status=status): 1}


# --- a real server


@pytest.mark.anyio
async def test_a_server_counts_what_it_serves(serving) -> None:
    async with serving(max_sessions=8) as server:
        async with calling(server.session_url) as caller:
            await caller.send(text="Good morning.")
            await caller.until(SynthesisComplete)
            during = await scraped(server.address)
            await caller.send(type="close")
        await ask(server.address, {"text": "Good night."})
        await ask(server.address, {"text": ""})
        await ask(server.address, path="/etc/passwd", method="GET")
        await ask(server.address, path="/v1/models/kokoro", method="GET")
        with anyio.fail_after(10):
            while (await scraped(server.address))["primavoce_sessions_open"]:
                pass
        after = await scraped(server.address)

    assert during["primavoce_sessions_open"] == 1
    assert during[of("primavoce_utterances_total", outcome="complete")] == 1
    assert after[of("primavoce_utterances_total", outcome="complete")] == 2
    assert after["primavoce_time_to_first_sound_seconds_count"] == 2
    assert after["primavoce_audio_seconds_total"] > 1
    assert after["primavoce_characters_total"] == 24
    assert after[of("primavoce_errors_total", code="text_required")] == 1
    assert after[of("primavoce_http_requests_total", route="/invocations", status="400")] == 1
    assert after[of("primavoce_http_requests_total", route="other", status="404")] == 1
    assert after[of("primavoce_http_requests_total", route="/v1/models/{model}", status="200")] == 1
    assert after[of("primavoce_http_requests_total", route="/invocations-bidirectional-stream", status="101")] == 1


@pytest.mark.anyio
async def test_what_is_answered_before_there_is_a_request_is_counted(serving) -> None:
    long_line = b"X-A: " + b"x" * 10_000 + b"\r\n"  # as h11 takes it, and the websockets library doesn't
    begun = (b"GET /ping HTTP/1.1\r\nHost: local", b"\0\r\n\r\n", handshake(Random(0))[:-2] + long_line + b"\r\n")
    told = []
    async with serving(receive_timeout_s=0.1) as server:
        for content in begun:
            async with await connect_to(server.address) as stream:
                await stream.send(content)
                told.append((await read_all(stream))[9:12])
        found = await scraped(server.address)

    assert told == [b"408", b"400", b"400"]
    assert found[of("primavoce_http_requests_total", route="other", status="408")] == 1
    assert found[of("primavoce_http_requests_total", route="other", status="400")] == 2
    assert found[of("primavoce_errors_total", code="request_incomplete")] == 1


@pytest.mark.anyio
async def test_sessions_are_counted_by_how_they_end(serving) -> None:
    async with serving(max_sessions=1) as server:
        async with calling(server.session_url) as inside:
            await inside.send(type="ping")
            await inside.next()
            async with calling(server.session_url) as outside:
                assert isinstance(await outside.next(), Error)
            await inside.send(text="Good morning.")
            await inside.until(SynthesisComplete)
        outcomes = {"gone": 0.0, "refused": 0.0}
        with anyio.fail_after(10):
            while not all(outcomes.values()):
                found = await scraped(server.address)
                outcomes = {name: found[of("primavoce_sessions_total", outcome=name)] for name in outcomes}

    assert outcomes == {"gone": 1, "refused": 1}
    assert found[of("primavoce_errors_total", code="overloaded")] == 1


@pytest.mark.anyio
async def test_no_label_comes_from_what_a_client_says(serving) -> None:
    async with serving(max_sessions=8) as server:
        await ask(server.address, {"text": "Ah."})
        before = set(await scraped(server.address))
        await ask(server.address, {"text": "Ah.", "voice": "af_heart:0.7+af_bella:0.3", "request_id": "canary-1"})
        await ask(server.address, {"text": "Ah.", "voice": "canary-2"})
        await ask(server.address, {"canary-3": 1})
        await ask(server.address, path="/canary-4", method="GET")
        await ask(server.address, path="/v1/models/canary-5", method="GET")
        after = set(await scraped(server.address))

    assert not [name for name in after - before if "canary" in name or "af_" in name]
    assert {name for name in after - before if "http_requests" not in name and "process_" not in name} == set()


@pytest.mark.anyio
async def test_metrics_can_be_switched_off(serving) -> None:
    async with serving(metrics=False) as server:
        spoken, _, _ = await ask(server.address, {"text": "Good morning."})
        status, _, _ = await ask(server.address, path="/metrics", method="GET")

    assert (spoken, status) == (200, 404)
