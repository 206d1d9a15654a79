"""What is noted of an utterance, and what is never told of it."""

import io
import json
import logging
import sys
from collections.abc import Callable, Iterator

import anyio
import pytest
import structlog
from starlette.requests import ClientDisconnect
from structlog.testing import capture_logs

from primavoce.errors import PhonemesFailed, SynthesisFailed
from primavoce.protocol.limits import Limits
from primavoce.protocol.messages import Cancelled, Error, SynthesisComplete, Synthesize
from primavoce.protocol.options import SpeechOptions, resolve_options
from primavoce.protocol.server import ServerSession
from primavoce.protocol.utterance import Utterance
from primavoce.server.observation import Observer
from primavoce.server.records import Moment, UtteranceRecord
from primavoce.server.run import LOUD_LIBRARIES, configure_logging
from primavoce.server.watch import LISTEN_S, Watch
from primavoce.synthesis.segment import SpeechPart
from primavoce.testing.fake_engine import FakeModel, fake_engine
from primavoce.text.timing import SegmentTime
from tests.server.test_http import ask
from tests.server.test_session import Gate, calling

CANARY = "Zilpzalp"
RATE = 24_000


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Collected:
    """Keeps what is told of."""

    def __init__(self) -> None:
        self.records: list[tuple[UtteranceRecord, dict[str, str]]] = []

    def utterance_ended(self, record: UtteranceRecord, context: dict[str, str]) -> None:
        self.records.append((record, context))

    def close(self) -> None:
        pass


def options() -> SpeechOptions:
    return resolve_options(Synthesize(text="x"))


def part(seconds: float, *, silent: bool = False, work_s: float = 0.1, begins: bool = False) -> SpeechPart:
    pcm = (b"\0\0" if silent else b"\0\x40") * round(seconds * RATE)
    return SpeechPart(pcm, seconds, 0.0, work_s, SegmentTime(0, 1, 0.0, ()) if begins else None)


def watch(clock: Clock) -> Watch:
    return Watch(options(), session="s", request_id="r", arrived_at=clock.now, clock=clock)


def utterance(clock: Clock, request_id: str) -> Utterance:
    session = ServerSession(Limits(), now=clock.now, make_id=lambda: request_id)
    session.receive('{"text": "Hello."}', now=clock.now, wall_time=0.0)
    begun = session.begin(now=clock.now, wall_time=0.0)
    assert isinstance(begun, Utterance)
    return begun


def test_a_watch_tells_when_audio_and_sound_came_first() -> None:
    clock = Clock()
    watched = watch(clock)

    clock.now += 0.5
    watched.sent(part(0.4, silent=True, begins=True))
    clock.now += 0.1
    watched.sent(part(1.0))
    record = watched.record("complete", characters=5)

    assert record.time_to_first_audio_s == pytest.approx(0.5)
    # The second part waits until the 0.4 s of the first were heard.
    assert record.time_to_first_sound_s == pytest.approx(0.9)
    assert (record.segments, record.audio_s, record.work_s) == (1, pytest.approx(1.4), pytest.approx(0.2))
    assert record.dry_s == 0


def test_a_first_sound_that_comes_late_is_heard_when_it_comes() -> None:
    clock = Clock()
    watched = watch(clock)

    watched.sent(part(0.2, silent=True))
    clock.now += 0.7
    watched.sent(part(1.0))
    record = watched.record("complete", characters=5)

    assert record.time_to_first_sound_s == pytest.approx(0.7)
    assert record.dry_s == pytest.approx(0.5)


def test_silence_inside_the_first_part_is_no_sound() -> None:
    clock = Clock()
    watched = watch(clock)
    silence, sound = part(0.25, silent=True), part(0.25)

    watched.sent(SpeechPart(silence.pcm + sound.pcm, 0.5, 0.0, 0.1, None))

    assert watched.record("complete", characters=1).time_to_first_sound_s == pytest.approx(0.25, abs=0.006)


def test_a_long_silence_is_not_searched_for_ever() -> None:
    clock = Clock()
    watched = watch(clock)

    watched.sent(part(LISTEN_S + 1, silent=True))
    watched.sent(part(1.0))

    assert watched.record("complete", characters=1).first_sound_at is None


def test_only_the_first_time_of_a_moment_counts() -> None:
    clock = Clock()
    watched = watch(clock)

    watched.notice(Moment.PROSODY)
    clock.now += 1
    watched.notice(Moment.PROSODY)

    assert watched.record("complete", characters=1).moments == {Moment.PROSODY: 100.0}


@pytest.mark.parametrize(
    ("raised", "outcome", "code"),
    [
        (None, "complete", None),
        (SynthesisFailed(), "error", "synthesis_failed"),
        (ClientDisconnect(), "gone", None),
        (TimeoutError(), "dropped", None),
        (ZeroDivisionError(), "failed", None),
    ],
)
def test_a_request_ends_by_what_its_block_raises(raised: Exception | None, outcome: str, code: str | None) -> None:
    collected = Collected()
    observer = Observer(tracing=collected)  # type: ignore[arg-type]

    def serve() -> None:
        with observer.request(options(), request_id=None, characters=3, arrived_at=0.0, headers={}):
            if raised is not None:
                raise raised

    if raised is None:
        serve()
    else:
        with pytest.raises(type(raised)):
            serve()

    ((record, _),) = collected.records
    assert (record.outcome, record.code, record.characters) == (outcome, code, 3)


@pytest.mark.parametrize(
    ("session_ends", "utterance_ends"),
    [("gone", "gone"), ("dropped", "dropped"), ("failed", "failed"), ("draining", "gone")],
)
def test_an_utterance_that_is_being_spoken_ends_with_its_session(session_ends: str, utterance_ends: str) -> None:
    collected, clock = Collected(), Clock()
    observer = Observer(tracing=collected, clock=clock)  # type: ignore[arg-type]

    with observer.session({"traceparent": "00-1-2-01", "cookie": "x"}) as session:
        session.begun(utterance(clock, "r"))
        session.outcome = session_ends

    ((record, context),) = collected.records
    assert (record.outcome, record.request_id) == (utterance_ends, "r")
    assert context == {"traceparent": "00-1-2-01"}


def test_an_utterance_that_never_had_its_turn_is_told_of_when_it_ends() -> None:
    collected, clock = Collected(), Clock()
    observer = Observer(tracing=collected, clock=clock)  # type: ignore[arg-type]
    waiting = utterance(clock, "w")

    with observer.session({}) as session:
        spoken = session.begun(utterance(clock, "r"))
        spoken.sent(part(1.0))
        waiting.outcome, waiting.error = "error", PhonemesFailed()
        session.ended(waiting)

    (first, _), (second, _) = collected.records
    assert (first.request_id, first.outcome, first.code, first.audio_s) == ("w", "error", "phonemes_failed", 0)
    assert first.queued_s is None
    assert (second.request_id, second.outcome, second.audio_s) == ("r", "gone", 1.0)


# --- a real server

FIELDS = {
    "session", "request_id", "voice", "language", "outcome", "code", "characters", "segments", "audio_s", "work_s",
    "dry_s", "queued_s", "time_to_first_audio_s", "time_to_first_sound_s",
}  # fmt: skip


def lines_of(captured: list[dict[str, object]]) -> list[dict[str, object]]:
    return [line for line in captured if line["event"] == "utterance"]


@pytest.mark.anyio
async def test_each_utterance_has_one_line_over_a_session_and_over_http(serving) -> None:
    gate = Gate()
    with capture_logs() as captured:
        async with serving(fake_engine(model=FakeModel(before=gate))) as server:
            async with calling(server.session_url) as caller:
                await caller.send(text="Slow.", request_id="slow")
                await caller.send(text="Waits.", request_id="waits")
                await gate.wait_until_reached()
                await caller.send(type="cancel")
                await caller.until(Cancelled)
                await caller.until(Cancelled)
                gate.open()
                await caller.send(text="Good morning.", request_id="spoken")
                await caller.until(SynthesisComplete)
            await ask(server.address, {"text": "Good night.", "request_id": "http"})
            await ask(server.address, {"text": "Good night.", "stream": False})

    found = {line["request_id"]: line for line in lines_of(captured)}
    assert len(lines_of(captured)) == len(found) == 5
    assert {name: found[name]["outcome"] for name in found} == {
        "slow": "cancelled", "waits": "cancelled", "spoken": "complete", "http": "complete", None: "complete",
    }  # fmt: skip
    assert all(set(line) - {"event", "log_level"} == FIELDS for line in found.values())
    assert found["waits"]["queued_s"] is None
    assert found["spoken"]["session"] == found["slow"]["session"] != found["http"]["session"]
    for name in ("spoken", "http", None):
        assert 0 <= found[name]["queued_s"] <= found[name]["time_to_first_audio_s"]  # type: ignore[operator]
        assert found[name]["time_to_first_audio_s"] <= found[name]["time_to_first_sound_s"]  # type: ignore[operator]


@pytest.mark.anyio
async def test_an_utterance_whose_client_leaves_has_its_line_too(serving) -> None:
    gate = Gate()
    with capture_logs() as captured:
        async with serving(fake_engine(model=FakeModel(before=gate))) as server:
            async with calling(server.session_url) as caller:
                await caller.send(text="Slow.", request_id="r")
                await gate.wait_until_reached()
            with anyio.fail_after(10):
                while not lines_of(captured):  # noqa: ASYNC110 - the server has no event for a test to wait for
                    await anyio.sleep(0.01)
            gate.open()

    (line,) = lines_of(captured)
    assert (line["request_id"], line["outcome"]) == ("r", "gone")


@pytest.fixture
def logged_as_served(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], list[str]]]:
    """What takes the lines of the log, ours and the libraries', as a server writes it at its most talkative."""
    before = structlog.get_config()
    root, level, handlers = logging.getLogger(), logging.getLogger().level, list(logging.getLogger().handlers)
    libraries = [logging.getLogger(name) for name in LOUD_LIBRARIES]
    states = [(library, library.level, list(library.filters)) for library in libraries]
    root.handlers[:] = []  # pytest's own, which would be closed
    written = io.StringIO()
    monkeypatch.setattr(sys, "stderr", written)
    configure_logging("debug")
    monkeypatch.undo()
    yield lambda: written.getvalue().splitlines()
    structlog.configure(**before)
    root.handlers[:] = handlers
    root.setLevel(level)
    for library, was, filters in states:
        library.setLevel(was)
        library.filters[:] = filters


def test_every_line_of_the_log_is_json_whoever_has_written_it(logged_as_served: Callable[[], list[str]]) -> None:
    theirs, ours = logging.getLogger("uvicorn.error"), structlog.get_logger("primavoce.server")
    try:
        raise ZeroDivisionError
    except ZeroDivisionError:
        theirs.exception("Exception in %s application\n", "ASGI")
        ours.exception("session failed", session="s")
    theirs.warning('it\'s "quoted"')

    lines = [json.loads(line) for line in logged_as_served()]

    assert [line["event"] for line in lines] == ["Exception in ASGI application\n", "session failed", 'it\'s "quoted"']
    assert [line["level"] for line in lines] == ["error", "error", "warning"]
    assert [line["logger"] for line in lines] == ["uvicorn.error", "primavoce.server", "uvicorn.error"]
    assert all(line["timestamp"].endswith("Z") for line in lines)
    assert ["ZeroDivisionError" in line.get("exception", "") for line in lines] == [True, True, False]
    assert lines[1]["session"] == "s"


BAD: list[object] = [
    {"text": f"{CANARY}.", "voice": "nobody"},
    {"text": f"{CANARY}.", "speed": 9},
    {"text": f"{CANARY}.", CANARY: 1},
    {"text": [CANARY]},
    {"text": f"{CANARY}. " * 20},
    {"text": f"{CANARY}.", "request_timestamp": 1.0},
    f"{CANARY} is no JSON".encode(),
    f'{{"text": "{CANARY}'.encode(),
]


@pytest.mark.anyio
async def test_no_word_of_a_text_is_ever_logged(serving, logged_as_served: Callable[[], list[str]]) -> None:
    good = f"{CANARY} is 3.5 kg, see [{CANARY}](https://{CANARY.lower()}.example.com) and `{CANARY}`."
    fails = [False]

    def before() -> None:
        if fails[0]:
            raise RuntimeError("the model's own trouble")

    async with serving(fake_engine(model=FakeModel(before=before)), max_text_characters=150) as server:
        async with calling(server.session_url) as caller:
            await caller.send(type="lexicon", words={CANARY: "bird"})
            await caller.send(text=good, events=["segments", "words"])
            await caller.until(SynthesisComplete)
            await caller.send(type="text", text=f"{CANARY}. {CANARY}", request_id="open")
            await caller.send(type="cancel", request_id="open", played_s=1)
            await caller.until(Cancelled)
            for body in BAD:
                await caller.socket.send(body if isinstance(body, bytes) else json.dumps(body))
                await caller.until(Error)
            fails[0] = True
            await caller.send(text=good)
            await caller.until(Error)
            fails[0] = False
        await ask(server.address, {"text": good, "lexicon": {CANARY: "bird"}})
        for body in BAD:
            await ask(server.address, body)
        fails[0] = True
        await ask(server.address, {"text": good})

    lines = logged_as_served()
    assert all(json.loads(line) for line in lines)
    assert [line for line in lines if '"event": "utterance"' in line]
    assert [line for line in lines if "model" in line]
    assert [line for line in lines if CANARY.lower() in line.lower()] == []
