"""The pipeline from sentences to PCM, with a model that hums."""

import math
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import anyio
import numpy as np
import pytest

from primavoce.errors import Overloaded, SynthesisFailed
from primavoce.normalize import ReadingOptions
from primavoce.normalize.lexicon import lexicon_of
from primavoce.phonemes.words import Pronunciation
from primavoce.synthesis.engine import Engine
from primavoce.synthesis.segment import Rendering, RenderRequest, SpeechPart
from primavoce.synthesis.speech import Speech
from primavoce.synthesis.tools import Voicing
from primavoce.testing.fake_engine import SECONDS_PER_PHONEME, FakeG2P, FakeModel, FakeStyles, fake_engine
from primavoce.text import Sentence
from primavoce.voices.blend import parse_voice

pytestmark = pytest.mark.anyio


def voicing(*, speed: float = 1.0, sample_rate: int = 24_000) -> Voicing:
    return Voicing(parse_voice("af_heart"), "en-us", speed, sample_rate)


def sentence(text: str, *, start: int = 0) -> Sentence:
    return Sentence(text, start, start + len(text), "prose")


async def speak(speech: Speech, *texts: str) -> list[SpeechPart]:
    start = 0
    for text in texts:
        await speech.say(sentence(text, start=start))
        start += len(text) + 1
    await speech.finish()
    return [part async for part in speech]


async def test_sentences_become_parts_in_order() -> None:
    async with fake_engine() as engine:
        await engine.load()
        async with engine.speaking(voicing()) as speech:
            parts = await speak(speech, "abc.", "def ghi.")

    assert [(part.segment.start, part.segment.end) for part in parts if part.segment] == [(0, 4), (5, 13)]
    assert [part.start_s for part in parts] == pytest.approx(
        list(np.cumsum([0.0] + [part.duration_s for part in parts])[:-1])
    )
    assert all(len(part.pcm) % 2 == 0 for part in parts)


async def test_a_sentence_is_followed_by_a_pause_and_the_last_by_none() -> None:
    async with fake_engine() as engine:
        await engine.load()
        async with engine.speaking(voicing()) as speech:
            alone = await speak(speech, "abc.")
        async with engine.speaking(voicing()) as speech:
            pair = await speak(speech, "abc.", "abc.")

    one = sum(part.duration_s for part in alone)
    assert one == pytest.approx(4 * SECONDS_PER_PHONEME, abs=0.05)
    assert 0.2 <= sum(part.duration_s for part in pair) - 2 * one <= 0.35


async def test_the_model_is_told_how_long_a_part_may_be() -> None:
    """Nothing before the first sound; then what the listener hasn't heard, had it been played as it came."""
    told: list[float] = []

    class Told(FakeModel):
        def render(self, request: RenderRequest) -> Rendering:
            rendering = super().render(request)

            def parts() -> Iterator[np.ndarray]:
                for samples in rendering.parts:
                    told.append(request.part_s())
                    yield samples

            return replace(rendering, parts=parts())

    async with fake_engine(model=Told(parts_per_segment=2)) as engine:
        await engine.load()
        async with engine.speaking(voicing()) as speech:
            parts = await speak(speech, "abcdefghij.", "abc.")

    assert told[0] == 0
    assert 0 < told[1] <= parts[0].duration_s
    assert told[1] < told[2] <= sum(part.duration_s for part in parts[:2])


async def test_a_segment_in_many_parts_sounds_as_one_in_one() -> None:
    pcm = []
    for count in (1, 7):
        async with fake_engine(model=FakeModel(parts_per_segment=count)) as engine:
            await engine.load()
            async with engine.speaking(voicing(sample_rate=16_000)) as speech:
                parts = await speak(speech, "abc def ghi.")
                pcm.append(b"".join(part.pcm for part in parts))

    assert len(pcm[0]) == len(pcm[1])
    difference = np.frombuffer(pcm[0], "<i2").astype(int) - np.frombuffer(pcm[1], "<i2").astype(int)
    assert np.abs(difference).max() <= 1


async def test_a_sentence_longer_than_the_model_takes_is_spoken_whole() -> None:
    text = "abcdef hijk, " * 60 + "abc."
    async with fake_engine() as engine:
        await engine.load()
        async with engine.speaking(voicing()) as speech:
            parts = await speak(speech, text)

    spans = [(part.segment.start, part.segment.end) for part in parts if part.segment]
    assert len(text) > 510
    assert (spans[0][0], spans[-1][1]) == (0, len(text))
    assert [start for start, _ in spans[1:]] == [end for _, end in spans[:-1]]
    assert sum(part.duration_s for part in parts) >= len(text) * SECONDS_PER_PHONEME * 0.95


async def test_speed_reaches_the_model() -> None:
    durations = []
    async with fake_engine() as engine:
        await engine.load()
        for speed in (1.0, 2.0):
            async with engine.speaking(voicing(speed=speed)) as speech:
                durations.append(sum(part.duration_s for part in await speak(speech, "abc def ghi jkl.")))

    assert durations[0] == pytest.approx(2 * durations[1], rel=0.05)


async def test_a_model_that_fails_is_told_to_the_reader_and_the_next_utterance_is_spoken() -> None:
    fails = [True]

    def before() -> None:
        if fails.pop() if fails else False:
            raise RuntimeError

    async with fake_engine(model=FakeModel(before=before)) as engine:
        await engine.load()
        with pytest.raises(SynthesisFailed):
            async with engine.speaking(voicing()) as speech:
                await speak(speech, "abc.")
        async with engine.speaking(voicing()) as speech:
            parts = await speak(speech, "abc.")

    assert parts


async def test_phonemes_that_fail_are_told_to_the_reader() -> None:
    class BadG2P(FakeG2P):
        def pronounce(self, text: str, language: str, *, given: object = ()) -> Pronunciation:
            raise ValueError(text)

    engine = Engine(load_model=FakeModel, load_g2p=BadG2P, styles=FakeStyles())
    async with engine:
        await engine.load()
        with pytest.raises(Exception, match="could not be turned into phonemes"):
            async with engine.speaking(voicing()) as speech:
                await speak(speech, "abc.")


async def test_leaving_the_block_stops_the_work() -> None:
    steps: list[None] = []
    async with fake_engine(model=FakeModel(before=lambda: steps.append(None))) as engine:
        await engine.load()
        async with engine.speaking(voicing()) as speech:
            for _ in range(3):
                await speech.say(sentence("abc."))
            await anext(speech)
        done = len(steps)
        async with engine.speaking(voicing()) as speech:
            await speak(speech, "xyz.")

    assert done <= 3
    assert len(steps) <= done + 2  # the one that was running, and the one of the utterance after


async def test_a_reader_that_does_not_read_does_not_hold_the_model() -> None:
    async with fake_engine() as engine:
        await engine.load()
        async with engine.speaking(voicing()) as unread:
            async with anyio.create_task_group() as tasks:

                async def say_much() -> None:
                    for _ in range(100):
                        await unread.say(sentence("abc."))

                tasks.start_soon(say_much)
                async with engine.speaking(voicing()) as speech:
                    with anyio.fail_after(10):
                        parts = await speak(speech, "abc.")
                tasks.cancel_scope.cancel()

    assert parts


async def test_two_utterances_share_the_model_a_step_at_a_time() -> None:
    inside, most = [0], [0]

    def before() -> None:
        inside[0] += 1
        most[0] = max(most[0], inside[0])
        inside[0] -= 1

    results: list[float] = []
    async with fake_engine(model=FakeModel(before=before)) as engine:
        await engine.load()

        async def one() -> None:
            async with engine.speaking(voicing()) as speech:
                results.append(sum(part.duration_s for part in await speak(speech, "abc.", "def.", "ghi.")))

        async with anyio.create_task_group() as tasks:
            for _ in range(4):
                tasks.start_soon(one)

    assert most == [1]
    assert min(results) >= 12 * SECONDS_PER_PHONEME
    assert len(results) == 4


async def test_words_are_heard_where_their_times_say() -> None:
    """Between the tones of the two words, a second of silence was asked for."""
    async with fake_engine() as engine:
        await engine.load()
        async with engine.speaking(voicing()) as speech:
            parts = await speak(speech, "abc [pause:1s] def.")

    words = [word for part in parts if part.segment for word in part.segment.words]
    sound = np.frombuffer(b"".join(part.pcm for part in parts), "<i2").astype(float)
    one, other = words
    assert [(word.start, word.end) for word in words] == [(0, 3), (15, 18)]
    assert one.start_s == pytest.approx(0.0, abs=0.02)
    assert other.start_s - one.end_s == pytest.approx(1.0, abs=0.15)
    silence = sound[int((one.end_s + 0.02) * 24_000) : int((other.start_s - 0.02) * 24_000)]
    assert np.abs(silence).max() < 100
    assert np.abs(sound[int(other.start_s * 24_000) :]).max() > 1000


async def test_a_short_sentence_does_not_wait_when_the_listener_has_nothing_to_hear() -> None:
    async with fake_engine() as engine:
        await engine.load()
        async with engine.speaking(voicing()) as speech, anyio.create_task_group():
            await speech.say(sentence("abc."))
            with anyio.fail_after(10):
                first = await anext(speech)
            await speech.say(sentence("def.", start=5))
            with anyio.fail_after(10):
                second = await anext(speech)
            await speech.finish()

    assert first.segment
    assert second.segment


async def test_sentences_that_wait_are_spoken_as_one_segment() -> None:
    waiting = threading.Event()

    class Counting(FakeG2P):
        count = 0

        def pronounce(self, text: str, language: str, *, given: Sequence[tuple[int, int, str]] = ()) -> Pronunciation:
            self.count += 1
            if self.count == 4:
                waiting.set()
            return super().pronounce(text, language, given=given)

    # The first segment lasts until others have been read.
    model = FakeModel(before=lambda: waiting.wait(10))
    async with Engine(load_model=lambda: model, load_g2p=Counting, styles=FakeStyles()) as engine:
        await engine.load()
        async with engine.speaking(voicing()) as speech:
            parts = await speak(speech, *["abc."] * 6)

    assert waiting.is_set()
    assert len([part for part in parts if part.segment]) < 6


async def test_a_sentence_is_read_as_it_was_written_when_a_rule_fails(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ValueError("what was said")

    monkeypatch.setattr("primavoce.synthesis.reading.normalize", fail)
    async with fake_engine() as engine:
        await engine.load()
        async with engine.speaking(voicing()) as speech:
            parts = await speak(speech, "abc.")

    assert parts
    assert "ValueError" in caplog.text
    assert "what was said" not in caplog.text


async def test_a_lexicon_entry_of_two_words_is_one_word() -> None:
    lexicon = lexicon_of({"new york": "/a/"})
    async with fake_engine() as engine:
        await engine.load()
        how = replace(voicing(), reading=ReadingOptions(lexicon=lexicon))
        async with engine.speaking(how) as speech:
            parts = await speak(speech, "in New York.")

    words = [word for part in parts if part.segment for word in part.segment.words]
    assert [(word.start, word.end) for word in words] == [(0, 2), (3, 11)]
    assert words[1].end_s - words[1].start_s == pytest.approx(SECONDS_PER_PHONEME)


class TriedModel(FakeModel):
    """Says that it was tried, and is as fast as may be."""

    def __init__(self, factor: float, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._factor = factor

    @property
    def trial(self) -> tuple[float, float]:
        return 1.0, self._factor


async def test_an_utterance_that_would_make_others_run_dry_is_refused() -> None:
    gate = threading.Event()
    async with fake_engine(model=TriedModel(0.6, before=lambda: gate.wait(10)), patience_s=0.0) as engine:
        await engine.load()
        async with engine.speaking(voicing()) as first, engine.speaking(voicing()) as second:
            await first.say(sentence("abc."))
            await first.finish()
            await anyio.wait_all_tasks_blocked()
            with pytest.raises(Overloaded) as refused:
                await speak(second, "abc.")
            gate.set()
            heard = [part async for part in first]

    assert refused.value.retryable
    assert heard


async def test_it_waits_for_the_others_to_end(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    gate = threading.Event()

    async def sleep(seconds: float) -> None:
        waits.append(seconds)
        gate.set()
        await anyio.lowlevel.checkpoint()

    async with fake_engine(model=TriedModel(0.6, before=lambda: gate.wait(10))) as engine:
        await engine.load()
        async with engine.speaking(voicing()) as second:
            async with engine.speaking(voicing()) as first:
                await first.say(sentence("abc."))
                await first.finish()
                await anyio.wait_all_tasks_blocked()
                monkeypatch.setattr("primavoce.synthesis.turns.anyio.sleep", sleep)
                monkeypatch.setattr("primavoce.synthesis.turns.ADMISSION_PERIOD_S", 1e-9)
                await second.say(sentence("def."))
                heard = [part async for part in first]
            await second.finish()
            heard += [part async for part in second]

    assert waits
    assert [part.segment.start for part in heard if part.segment] == [0, 0]


async def test_no_more_is_made_than_may_be_ahead_of_the_listener(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    ahead_s: list[float] = []
    handed_s = 0.0

    async def sleep(seconds: float) -> None:
        ahead_s.append(handed_s - (now[0] - 100.0))
        now[0] += seconds
        await anyio.lowlevel.checkpoint()

    engine = Engine(
        load_model=lambda: FakeModel(parts_per_segment=8), load_g2p=FakeG2P, styles=FakeStyles(), clock=lambda: now[0]
    )
    async with engine:
        await engine.load()
        async with engine.speaking(voicing(), most_ahead_s=lambda: 2.0) as speech, anyio.create_task_group() as tasks:
            monkeypatch.setattr("primavoce.synthesis.turns.anyio.sleep", sleep)
            tasks.start_soon(speech.say, sentence("abcdefghij " * 12 + "."))
            part_s = 0.0
            async for part in speech:
                handed_s += part.duration_s
                part_s = max(part_s, part.duration_s)
                if handed_s > 6:
                    break

    assert ahead_s
    assert max(ahead_s) <= 2.0 + part_s


async def test_a_reader_who_has_stopped_takes_no_room_once_everything_was_heard() -> None:
    now = [100.0]
    engine = Engine(
        load_model=lambda: TriedModel(0.95, parts_per_segment=8),
        load_g2p=FakeG2P,
        styles=FakeStyles(),
        clock=lambda: now[0],
    )
    async with engine:
        await engine.load()
        async with engine.speaking(voicing()) as stalled, engine.speaking(voicing()) as second:
            await stalled.say(sentence("abcdefghij " * 5 + "."))
            with anyio.fail_after(10):
                while stalled._turns.in_hand_s <= 0 or stalled._turns._stream.has_work:
                    await anyio.lowlevel.checkpoint()
            now[0] += 100
            heard = await speak(second, "abc.")

    assert heard


async def test_who_has_begun_never_waits_for_room() -> None:
    model = TriedModel(0.95)
    async with fake_engine(model=model) as engine:
        await engine.load()
        async with engine.speaking(voicing()) as first, engine.speaking(voicing()) as second:
            await first.say(sentence("abc."))
            begun = [await anext(first)]
            turns = second._turns
            first._turns.need_nothing()
            turns.go_on()  # the model is somebody else's meanwhile
            with anyio.fail_after(10):
                await first._turns.room()

    assert begun


async def test_whoever_has_to_leave_is_made_to_the_end_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    most_ahead_s = [0.1]

    async def sleep(seconds: float) -> None:
        del seconds
        most_ahead_s[0] = math.inf
        await anyio.lowlevel.checkpoint()

    async with fake_engine(model=FakeModel(parts_per_segment=8)) as engine:
        await engine.load()
        async with engine.speaking(voicing(), most_ahead_s=lambda: most_ahead_s[0]) as speech:
            monkeypatch.setattr("primavoce.synthesis.turns.anyio.sleep", sleep)
            parts = await speak(speech, "abcdefghij " * 12 + ".")

    assert most_ahead_s == [math.inf]
    assert sum(part.duration_s for part in parts) > 100 * SECONDS_PER_PHONEME


@pytest.mark.parametrize("step", ["push", "end"])
async def test_a_renderer_that_fails_ends_its_utterance_and_no_other(
    monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def fail(*_: object, **__: object) -> bytes:
        raise ValueError("no PCM today")

    async with fake_engine() as engine:
        await engine.load()
        async with engine.speaking(voicing()) as speech:
            with monkeypatch.context() as failing:
                failing.setattr(f"primavoce.synthesis.speech.Renderer.{step}", fail)
                with pytest.raises(SynthesisFailed):
                    await speak(speech, "abc.")
        async with engine.speaking(voicing()) as speech:
            assert await speak(speech, "abc.")


async def test_an_engine_reports_what_it_knows_of_itself() -> None:
    async with fake_engine(model=TriedModel(0.3)) as engine:
        before = engine.report()
        await engine.load()
        async with engine.speaking(voicing()) as speech:
            await speak(speech, "abc.")
        after = engine.report()

    assert (before.model, before.capacity, before.real_time_factor) == (None, None, None)
    assert after.model is not None
    assert (after.model.device, after.capacity is not None, after.real_time_factor is not None) == ("cpu", True, True)
    assert after.busy_s > before.busy_s


async def test_the_moments_on_the_way_are_told_in_their_order() -> None:
    told: list[str] = []
    async with fake_engine() as engine:
        await engine.load()
        async with engine.speaking(voicing(), notice=told.append) as speech:
            await speak(speech, "abc.")

    assert told == ["phonemes", "prosody", "window"]
