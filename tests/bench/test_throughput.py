"""Many sessions at a time, through the real server with a model that hums."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import repeat
from pathlib import Path

import anyio.lowlevel
import msgspec
import pytest

from primavoce.bench.conversation import RETRY_S, Conversation, converse
from primavoce.bench.hearing import SAMPLE_RATE
from primavoce.bench.listener import Listener
from primavoce.bench.setting import describe_machine, versions
from primavoce.bench.texts import Texts, read_texts
from primavoce.bench.throughput import (
    Level,
    Offline,
    ThroughputReport,
    measure_level,
    measure_offline,
    run_throughput,
)
from primavoce.client import SpeechSession
from primavoce.errors import Overloaded, RequestFailed, SynthesisFailed
from primavoce.synthesis.engine import Engine
from primavoce.testing.fake_engine import fake_engine
from primavoce.voices.blend import parse_voice

pytestmark = pytest.mark.anyio

VOICE = parse_voice("af_heart")
AT_ONCE = 1e9
TEXTS = Texts(("One two three four.", "Five six seven."), ("Yes we do.", "Yes we do and we will."))


class Time:
    """Passes only when somebody sleeps."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def clock(self) -> float:
        return self.now_s

    async def sleep(self, seconds: float) -> None:
        self.now_s += seconds
        await anyio.lowlevel.checkpoint()


class Refusals:
    """Has an engine refuse utterances: those whose numbers are given, from 0 on."""

    def __init__(self, *numbers: int, error: Exception | None = None) -> None:
        self.engine: Engine = fake_engine()
        self._numbers = numbers
        self._error = error or Overloaded(1)
        self._count = -1
        self._speaking = self.engine.speaking
        self.engine.speaking = self.speaking  # type: ignore[method-assign]

    @asynccontextmanager
    async def speaking(self, *args, **options) -> AsyncIterator[object]:
        self._count += 1
        if self._count in self._numbers:
            raise self._error
        async with self._speaking(*args, **options) as speech:
            yield speech


async def conversation_with(address: str, *, until_s: float, text: str = "One two three four. Five.") -> Conversation:
    time, found = Time(), Conversation()
    await converse(
        address, repeat(text), found, voice=VOICE, until_s=until_s, tokens_per_s=AT_ONCE, clock=time.clock,
        sleep=time.sleep,
    )  # fmt: skip
    return found


async def test_an_answer_is_heard_out_before_the_next_begins(serving) -> None:
    async with serving() as server:
        found = await conversation_with(server.address, until_s=4.0)

    lengths = [listener.heard_s(1000.0) for listener in found.listeners]
    assert len(lengths) == 1 + int(4.0 / lengths[0])
    assert found.refused == 0
    assert [listener.underruns for listener in found.listeners] == [[]] * len(lengths)


async def test_a_listener_knows_where_each_sentence_ends(serving) -> None:
    async with serving() as server:
        found = await conversation_with(server.address, until_s=0.1)

    (listener,) = found.listeners
    assert listener.first_sound_s is not None
    assert [end for end, _ in listener._certain] == [19, 25]


async def test_who_is_refused_comes_again_after_a_while_and_counts_apart(serving) -> None:
    refusals = Refusals(0, 1)

    async with serving(refusals.engine) as server:
        found = await conversation_with(server.address, until_s=2 * RETRY_S + 0.5)

    assert found.refused == 2
    assert [listener.first_sound_s is None for listener in found.listeners] == [True, True, False]


async def test_a_refusal_that_ends_the_session_is_followed_by_a_new_one(serving) -> None:
    async with serving(max_sessions=1) as server:
        async with SpeechSession(server.address):
            refused = await conversation_with(server.address, until_s=1.5 * RETRY_S)
        let_in = await conversation_with(server.address, until_s=0.5)

    assert refused.refused == 2
    assert let_in.refused == 0
    assert let_in.listeners[0].first_sound_s is not None


async def test_any_other_error_ends_the_measurement(serving) -> None:
    refusals = Refusals(0, error=SynthesisFailed())

    async with serving(refusals.engine) as server:
        with pytest.raises(RequestFailed, match="synthesis_failed"):
            await conversation_with(server.address, until_s=1.0)


async def test_a_voice_that_says_nothing_is_a_failure_and_no_measurement(serving) -> None:
    async with serving() as server:
        with pytest.raises(SynthesisFailed):
            await conversation_with(server.address, until_s=1.0, text="…")


async def test_sessions_that_nobody_holds_back_hear_all_that_they_wish_for(serving) -> None:
    async with serving() as server:
        level = await measure_level(
            server.address, TEXTS, n=3, seconds=0.3, voice=VOICE, tokens_per_s=AT_ONCE
        )  # fmt: skip

    assert (level.n, level.answers, level.underruns, level.refused) == (3, 3, 0, 0)
    assert level.first_sound_p50_s is not None
    assert level.first_sound_p95_s is not None
    assert 0 < level.first_sound_p50_s <= level.first_sound_p95_s
    assert 0 < level.audio_hours_per_hour <= 3


def heard(lag_s: float, *gaps_s: float) -> Listener:
    """Return a listener who waited for the first sound, and then ran dry for so long."""
    listener, now_s = Listener(), 10.0
    listener.know(99, now_s)
    second = b"\x00\x20\x00\xe0" * (SAMPLE_RATE // 2)
    now_s += lag_s
    listener.take(second, now_s)
    for gap_s in gaps_s:
        now_s += 1.0 + gap_s
        listener.take(second, now_s)
    return listener


async def test_a_level_counts_every_session() -> None:
    one = Conversation([heard(0.2), heard(0.4, 0.5, 0.25)], refused=0)
    other = Conversation([Listener(), heard(1.5, 0.125)], refused=1)

    level = Level.of([one, other], heard_s=15.0, within_s=10.0)

    assert level == Level(
        n=2, answers=3, underruns=3, longest_underrun_s=0.5, refused=1, first_sound_p50_s=0.4, first_sound_p95_s=1.5,
        audio_hours_per_hour=1.5,
    )  # fmt: skip


async def test_where_all_are_refused_there_is_no_first_sound() -> None:
    level = Level.of([Conversation([Listener()], refused=1)], heard_s=0.0, within_s=10.0)

    assert (level.answers, level.refused, level.audio_hours_per_hour) == (0, 1, 0.0)
    assert level.first_sound_p50_s is None
    assert level.first_sound_p95_s is None


async def test_whole_texts_are_spoken_to_their_end_until_the_time_is_over(serving) -> None:
    ticks = iter([0.0, *(number * 0.5 for number in range(1000))])
    longest = 0.0

    def clock() -> float:
        nonlocal longest
        longest = next(ticks)
        return longest

    async with serving() as server, SpeechSession(server.address) as session:
        found = await measure_offline(session, TEXTS, voice=VOICE, seconds=20.0, clock=clock)

    assert found.elapsed_s >= 20.0
    assert found.elapsed_s == longest
    assert found.audio_hours_per_hour == pytest.approx(found.audio_s / found.elapsed_s, abs=1e-5)
    assert found.audio_s > 3.0


async def test_the_report_has_the_promised_fields() -> None:
    level = Level.of([Conversation([heard(0.2)])], heard_s=9.0, within_s=10.0)
    report = ThroughputReport(
        "throughput", "af_heart", 10.0, 30.0, (level,), Offline(2.5, 50.0, 20.0), describe_machine(threads=2), "6e74",
        versions(),
    )  # fmt: skip

    told = msgspec.json.decode(msgspec.json.encode(report))

    promised = {"n", "underruns", "refused", "first_sound_p50_s", "first_sound_p95_s", "audio_hours_per_hour"}
    assert promised <= set(told["sessions"][0])
    assert told["offline"]["audio_hours_per_hour"] == 2.5
    assert {"cpu", "cores", "quota", "threads", "memory_bytes", "load"} == set(told["machine"])
    assert told["model_digest"] == "6e74"
    assert set(told["versions"]) >= {"primavoce", "python", "onnxruntime", "numpy"}


@pytest.mark.model
@pytest.mark.timeout(240)
async def test_the_real_voice_is_heard_by_one_session(weights_path: Path) -> None:
    texts = Texts(read_texts().isolated[:2], ("I am on my way now.",))

    report = await run_throughput(os.environ, sessions=[1], seconds=1.0, voice="af_bella", note=lambda _: None,
                                  texts=texts)  # fmt: skip

    (level,) = report.sessions
    assert (report.voice, level.n, level.answers, level.refused) == ("af_bella", 1, 1, 0)
    assert report.offline.audio_s > 3.0
    assert report.offline.audio_hours_per_hour > 0
    assert len(report.model_digest) == 64
