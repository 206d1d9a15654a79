"""Whatever the text is, it is spoken: nothing hangs, nothing is lost, and the words' times and places grow."""

import json
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field

import anyio
import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from websockets.asyncio.client import connect

from primavoce.kokoro.runs import Run
from primavoce.normalize import Lexicon, ReadingOptions
from primavoce.normalize.lexicon import lexicon_of
from primavoce.phonemes.alphabet import ALPHABET
from primavoce.synthesis.engine import Engine
from primavoce.synthesis.feeding import feed
from primavoce.synthesis.reading import Reader
from primavoce.synthesis.report import ModelReport
from primavoce.synthesis.segment import Rendering, RenderRequest, Segment
from primavoce.synthesis.segmenter import Segmenter
from primavoce.synthesis.tools import Voicing
from primavoce.testing.fake_engine import FakeG2P, FakeStyles
from primavoce.text import SentenceStream
from primavoce.text.segments import DEFAULT_POLICY, HARD_LIMIT, Hold
from primavoce.text.timing import SegmentTime, WordTime
from primavoce.voices.blend import parse_voice

PHONEME_S = 0.01
SAMPLE_RATE = 8000
LEXICON = lexicon_of({"Okafor": "/ˈɑkæfəɹ/", "Dr. Nguyen": "Doctor Win"}, ALPHABET)
READING = ReadingOptions(lexicon=LEXICON, alphabet=ALPHABET)


@dataclass
class BriefModel:
    """Hums so briefly that long texts are heard in no time, and keeps the lengths of what it was given."""

    lengths: list[int] = field(default_factory=list)

    sample_rate = SAMPLE_RATE
    trial = None

    together = 1

    def make(self, runs: Sequence[Run]) -> None:
        pass

    def report(self) -> ModelReport:
        return ModelReport("", "cpu", "none")

    def render(self, request: RenderRequest) -> Rendering:
        ids, speed = request.ids, request.speed
        self.lengths.append(len(ids))
        hum = 0.25 * np.sin(np.arange(round(PHONEME_S / speed * SAMPLE_RATE) * len(ids)), dtype=np.float32)
        return Rendering([0.0, *[PHONEME_S / speed] * len(ids), 0.0], iter([hum]))


@dataclass(frozen=True)
class Heard:
    """What came of a text."""

    segments: list[SegmentTime]
    duration_s: float
    lengths: list[int]
    """Phonemes of each segment, as the model got them."""

    @property
    def words(self) -> list[WordTime]:
        return [word for segment in self.segments for word in segment.words]


def hear(deltas: Sequence[str], *, reading: ReadingOptions = READING, language: str = "en-us") -> Heard:
    """Speak ``deltas`` with the engine's whole pipeline."""
    return anyio.run(_hear, deltas, reading, language)


async def _hear(deltas: Sequence[str], reading: ReadingOptions, language: str) -> Heard:
    model = BriefModel()

    async def arriving() -> AsyncIterator[str]:
        for delta in deltas:
            yield delta

    async with Engine(load_model=lambda: model, load_g2p=FakeG2P, styles=FakeStyles()) as engine:
        await engine.load()
        voicing = Voicing(parse_voice("af_heart"), language, 1.0, SAMPLE_RATE, reading)
        with anyio.fail_after(60):
            async with engine.speaking(voicing) as speech, anyio.create_task_group() as tasks:
                tasks.start_soon(_feed, arriving(), speech, language)
                parts = [part async for part in speech]
    segments = [part.segment for part in parts if part.segment]
    return Heard(segments, sum(part.duration_s for part in parts), model.lengths)


async def _feed(deltas: AsyncIterator[str], speech: object, language: str) -> None:
    await feed(deltas, speech, language=language, idle_s=60)  # type: ignore[arg-type]


def assert_orderly(heard: Heard, text: str) -> None:
    """Assert what holds of whatever was heard of ``text``."""
    assert all(1 <= length <= HARD_LIMIT for length in heard.lengths)
    assert all(0 <= word.start < word.end <= len(text) for word in heard.words)
    for word, following in zip(heard.words, heard.words[1:], strict=False):
        # What is too long for a segment is told once for each.
        assert word.end <= following.start or (word.start, word.end) == (following.start, following.end)
    moments = [round(moment, 6) for word in heard.words for moment in (word.start_s, word.end_s)]
    assert moments == sorted(moments)
    assert not moments or moments[-1] <= heard.duration_s + 0.3
    for segment, following in zip(heard.segments, heard.segments[1:], strict=False):
        assert segment.end <= following.start
        assert segment.start_s < following.start_s
    for segment in heard.segments:
        assert 0 <= segment.start < segment.end <= len(text)
        assert all(segment.start <= word.start and word.end <= segment.end for word in segment.words)


def read(text: str, *, reading: ReadingOptions = READING, language: str = "en-us") -> list[tuple[int, int]]:
    """Return where the words of ``text`` were written, by reading its sentences one after another."""
    stream, reader = SentenceStream(language), Reader(FakeG2P(), language, reading)
    sentences = stream.push(text) + stream.flush()
    words = (word for each in sentences for word in reader.read(each).words)
    # What is announced ("table:") was written nowhere, and of a number that goes on and on some words get no place.
    return merged([(word.start, word.end) for word in words if word.start < word.end])


def merged(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return ``spans`` with those that overlap as one."""
    found: list[tuple[int, int]] = []
    for start, end in spans:
        if found and start < found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def places(heard: Heard) -> list[tuple[int, int]]:
    """Return where the words that were heard were written."""
    return merged([(word.start, word.end) for word in heard.words])


def cut(text: str, sizes: Sequence[int]) -> list[str]:
    """Cut ``text`` into deltas of these ``sizes``, over and over."""
    deltas, at, number = [], 0, 0
    while at < len(text):
        size = sizes[number % len(sizes)]
        deltas.append(text[at : at + size])
        at, number = at + size, number + 1
    return deltas


WORDS = [
    "Okafor", "Dr. Nguyen", "said", "that", "a", "and", "because", "it's", "well-known", "$48.20", "1,234", "20%",
    "e.g.", "https://example.com/a_b?c=d", "naïve", "e\u0301te\u0301", "مرحبا", "你好", "こんにちは", "नमस्ते", "🎉",
    "👩\u200d👩\u200d👧", "\u200f", "\u00ad",
    "[pause:1s]", "[pause:0.5s]", "[word](/wˈɜɹd/)", "[word](/§/)", "[a](b.html)", "`code`", "**bold**", "_it_",
    "<b>x</b>", "&amp;", "abcdefghij" * 40, "…", "—", '"', "(", ")", "**", "`", "[", "]", "|", "#", "\\", "\x00",
]  # fmt: skip
BLOCKS = [
    "\n```py\nprint(1)\n```\n", "\n```\n", "\n| a | b |\n|---|---|\n| one | [pause:1s] |\n| two | x |\n", "\n## Head\n",
    "\n- one\n- two\n", "\n1. one\n", "\n> quoted\n", "\n\n[pause:2s]\n\n", "\n\n", "\n", "\r\n", "\n---\n",
]  # fmt: skip
ENDS = [" ", ", ", ". ", "! ", "? ", ": ", "; ", "... ", "。", "। ", ""]
pieces = st.one_of(
    st.tuples(st.sampled_from(WORDS), st.sampled_from(ENDS)).map("".join),
    st.sampled_from(BLOCKS),
    st.text(max_size=8),
)
soups = st.lists(pieces, max_size=40).map("".join)
patient = settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])


@patient
@given(soups)
@example("[pause:2s] Hello there. [pause:2s]")
@example("| a | b |\n|---|---|\n| [pause:1s] | x [pause:1s] |\n")
@example("[pause:1s][pause:1s]")
def test_any_text_is_spoken_in_order_and_loses_no_word(text: str) -> None:
    heard = hear([text])

    assert_orderly(heard, text)
    assert places(heard) == read(text)


@patient
@given(soups, st.lists(st.integers(1, 30), min_size=1, max_size=6))
def test_the_words_are_the_same_however_the_text_was_cut_into_deltas(text: str, sizes: list[int]) -> None:
    whole, pieces = hear([text]), hear(cut(text, sizes))

    assert places(pieces) == places(whole)


@patient
@given(soups, st.sampled_from(["skip", "name"]), st.sampled_from(["announce", "read", "skip"]), st.data())
def test_any_text_is_spoken_with_any_options(text: str, emoji: str, code: str, data: st.DataObject) -> None:
    tables = data.draw(st.sampled_from(["read", "announce", "skip"]))
    reading = ReadingOptions(emoji, code, tables, LEXICON, ALPHABET)  # type: ignore[arg-type]

    assert_orderly(hear([text], reading=reading), text)


EXTREMES = {
    "prose without a mark": "hello world and some more " * 770,
    "sentences": "The cat sat on the mat. " * 300,
    "one word": "abcdefghij" * 500,
    "digits": "1234567890" * 500,
    "digits with commas": "1," * 5000,
    "an amount of money": "$" + "1" * 5000 + ".50",
    "a version": "v" + "1." * 5000 + "1",
    "underscores": "a_" * 5000,
    "marks after a word": "word" + "!?,;:" * 120 + " next.",
    "marks before a word": "…" * 600 + " word next.",
    "dashes": "word " + "— " * 600 + "next.",
    "quotes": '"' * 5000 + "a" + '"' * 5000,
    "phonemes": "[word](/wˈɜɹd/) " * 1000,
    "phonemes too long": "[word](/" + "ə" * 3000 + "/) end",
    "an address": "https://example.com/" + "a/" * 3000,
    "a table": "| a | b |\n|---|---|\n" + "| one | two |\n" * 150,
    "a fence": "```py\n" + "x = 1\n" * 3000 + "```\nDone.",
    "items": "- a\n" * 300,
    "pauses": "hi [pause:1s] " * 300,
    "combining marks": "e\u0301\u0302\u0303 " * 2000,
    "a word with many marks": "h" + "\u0301" * 3000 + "ello there",
    "pictographs": "hi 🎉 " * 2000,
    "Chinese": "你好世界。今天天气很好！" * 200,
    "Arabic": "مرحبا بالعالم " * 800,
    "emphasis": "**_" * 3000 + "x" + "_**" * 3000,
    "brackets": "[" * 10_000 + " hi",
}


@pytest.mark.parametrize("name", EXTREMES)
def test_long_and_strange_texts_are_spoken_whole(name: str) -> None:
    text = EXTREMES[name]

    heard = hear([text])

    assert_orderly(heard, text)
    assert places(heard) == read(text)


def test_a_hundred_thousand_characters_are_spoken_whole() -> None:
    text = ("The cat sat on the mat, and the dog, who had seen it, lay down beside it. " * 1400)[:100_000]

    heard = hear(cut(text, [5000]))

    assert_orderly(heard, text)
    assert len(heard.words) == len(text.split())


@pytest.mark.parametrize("before", ["", "Well. ", "| a |\n|---|\n| b |\n"])
@pytest.mark.parametrize("pause", ["[pause:1s]", "[pause:0.5s][pause:0.5s]", "[pause:1000ms]"])
def test_a_pause_on_a_line_of_its_own_is_as_long_as_was_asked_for(before: str, pause: str) -> None:
    text = f"{before}Hello there.\n\n{pause}\n\nThen no."

    words = hear([text]).words

    here = next(number for number, word in enumerate(words) if text[word.start : word.end] == "Then")
    assert 0.9 <= words[here].start_s - words[here - 1].end_s <= 1.2


def test_pauses_add_up_whether_or_not_the_sentence_before_them_is_being_spoken() -> None:
    pauses_s = []
    for spoken_first in (True, False):
        segmenter, reader, stream = (
            Segmenter(DEFAULT_POLICY),
            Reader(FakeG2P(), "en-us", READING),
            SentenceStream("en-us"),
        )
        sentences = stream.push("Yes.\n\n[pause:1s]\n\n[pause:1s]\n\nNo.") + stream.flush()
        first, *rest = map(reader.read, sentences)
        found: list[Segment] = []
        segmenter.push(first)
        if spoken_first:
            found += taken(segmenter)
        for sentence in rest:
            segmenter.push(sentence)
        found += taken(segmenter)
        pauses_s.append(found[-1].pause_before_s)

    assert pauses_s == [2.0, 2.0]


def test_silence_that_was_asked_for_costs_no_memory_in_proportion() -> None:
    """Nine thousand controls of ten seconds fit into a request: a day of silence must not be one array."""
    text = "Hi " + "[pause:10s]" * 20 + " there."

    parts = anyio.run(_part_lengths, text)

    assert max(parts) <= 30 * SAMPLE_RATE * 2


async def _part_lengths(text: str) -> list[int]:
    async with Engine(load_model=BriefModel, load_g2p=FakeG2P, styles=FakeStyles()) as engine:
        await engine.load()
        voicing = Voicing(parse_voice("af_heart"), "en-us", 1.0, SAMPLE_RATE, READING)
        async with engine.speaking(voicing) as speech, anyio.create_task_group() as tasks:
            stream = SentenceStream("en-us")
            sentences = stream.push(text) + stream.flush()

            async def say() -> None:
                for sentence in sentences:
                    await speech.say(sentence)
                await speech.finish()

            tasks.start_soon(say)
            return [len(part.pcm) async for part in speech]


def cut_into_segments(text: str) -> list[Segment]:
    stream, reader, segmenter = SentenceStream("en-us"), Reader(FakeG2P(), "en-us", READING), Segmenter(DEFAULT_POLICY)
    for sentence in stream.push(text) + stream.flush():
        segmenter.push(reader.read(sentence))
    return taken(segmenter)


def taken(segmenter: Segmenter) -> list[Segment]:
    """Return what waits in ``segmenter`` as segments."""
    found: list[Segment] = []
    while segmenter.waiting:
        plan = segmenter.next(in_hand_s=0.0, budget=250, more=False)
        assert not isinstance(plan, Hold)
        found.append(plan)
    return found


@pytest.mark.parametrize("unit", ["hello world and some more ", "hi [pause:1s] ", "**a** ", "a_", "$1.50 "])
def test_the_time_grows_no_faster_than_the_text(unit: str) -> None:
    """A sentence without an end, four times as long: within three times what a linear step takes."""
    spent_s = {}
    for characters in (6000, 24_000):
        text = unit * (characters // len(unit))
        tries = []
        for _ in range(2):
            began = time.process_time()
            cut_into_segments(text)
            tries.append(time.process_time() - began)
        spent_s[characters] = min(tries)

    assert spent_s[24_000] <= 4 * 3 * max(spent_s[6000], 0.01)


@pytest.mark.anyio
async def test_a_session_goes_on_after_every_strange_text(serving) -> None:
    engine = Engine(load_model=BriefModel, load_g2p=FakeG2P, styles=FakeStyles())
    outcomes = {}
    async with serving(engine, max_ahead_s=1e6) as server, connect(server.session_url, compression=None) as socket:
        await socket.send(json.dumps({"type": "lexicon", "words": LEXICON.document()}))
        for name, text in EXTREMES.items():
            request = {"text": text, "request_id": name, "events": ["words", "segments"], "sample_rate": SAMPLE_RATE}
            await socket.send(json.dumps(request))
            words: list[dict[str, float]] = []
            ending: dict[str, object] = {}
            with anyio.fail_after(60):
                while ending.get("type") not in {"synthesis_complete", "error"}:
                    frame = await socket.recv()
                    ending = json.loads(frame) if isinstance(frame, str) else {}
                    words += ending.get("words", ()) if ending.get("type") == "words" else ()  # type: ignore[operator]
            outcomes[name] = ending["type"]
            if ending["type"] == "synthesis_complete":
                assert all(0 <= word["start"] < word["end"] <= len(text) for word in words)
                assert not words or words[-1]["end_s"] <= ending["total_duration_s"] + 0.3  # type: ignore[operator]

    assert set(outcomes.values()) == {"synthesis_complete"}, outcomes


def test_no_lexicon_is_needed() -> None:
    assert hear(["Okafor."], reading=ReadingOptions(lexicon=Lexicon())).words
