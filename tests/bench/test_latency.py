"""Latency, measured through the real server with a model that hums."""

import os
from pathlib import Path

import msgspec
import pytest

from primavoce.bench.hearing import SAMPLE_RATE
from primavoce.bench.latency import LatencyReport, measure_latency, run_latency
from primavoce.bench.session import hear, hear_first_sound
from primavoce.bench.setting import describe_machine, versions
from primavoce.bench.texts import Texts
from primavoce.client import SpeechSession
from primavoce.errors import SynthesisFailed

pytestmark = pytest.mark.anyio

TEXTS = Texts(("One two three.", "Four five.", "Six."), ("Yes we do.", "Yes we do and we will.", "No."))
TONE = b"\x00\x20\x00\xe0" * (SAMPLE_RATE // 20)  # a tenth of a second


class Hummer:
    """Hums a tenth of a second a letter, after as much silence as it is told."""

    def __init__(self, silence: bytes = b"") -> None:
        self.spoken: list[str] = []
        self._silence = silence

    def count_phonemes(self, text: str) -> int:
        return len(text)

    def speak(self, text: str) -> bytes:
        self.spoken.append(text)
        return self._silence + TONE * len(text)


async def test_the_published_way_gets_the_whole_text_or_the_first_sentence_and_the_rest(serving) -> None:
    published = Hummer()

    async with serving() as server, SpeechSession(server.address) as session:
        found = await measure_latency(session, published, TEXTS, voice="af_heart", trials=1, note=lambda _: None)

    assert published.spoken[1:] == ["One two three. Four five. Six.", "One two three.", "Four five. Six."]
    assert found.modes["batch"].audio_s.median == pytest.approx(0.1 * 30)
    assert found.modes["first_sentence"].audio_s.median == pytest.approx(0.1 * 29)


async def test_batch_is_waited_for_whole_and_its_silence_too(serving) -> None:
    published = Hummer(silence=bytes(SAMPLE_RATE))  # half a second

    async with serving() as server, SpeechSession(server.address) as session:
        found = await measure_latency(session, published, TEXTS, voice="af_heart", trials=2, note=lambda _: None)

    batch = found.modes["batch"]
    assert batch.first_sound_s.min >= batch.first_audio_s.min + 0.5
    assert batch.total_s.min < 0.5
    assert found.ratios["streaming_to_batch_first_sound"] == pytest.approx(
        found.modes["streaming"].first_sound_s.median / batch.first_sound_s.median, rel=0.01
    )


async def test_the_report_has_the_promised_fields_and_every_trial(serving) -> None:
    async with serving() as server, SpeechSession(server.address) as session:
        found = await measure_latency(session, Hummer(), TEXTS, voice="af_heart", trials=3, note=lambda _: None)
    report = LatencyReport(
        "latency", "af_heart", 3, 30, found.modes, found.ratios, found.by_length, found.lag_fit,
        describe_machine(threads=2), "6e74", versions(),
    )  # fmt: skip

    told = msgspec.json.decode(msgspec.json.encode(report))

    assert set(told["modes"]) == {"batch", "first_sentence", "streaming"}
    for figures in told["modes"].values():
        for name in ("first_audio_s", "first_sound_s", "total_s", "real_time_factor"):
            assert set(figures[name]) == {"median", "min", "max", "n"}
            assert figures[name]["n"] == 3
    assert isinstance(told["ratios"]["streaming_to_batch_first_sound"], float)
    assert [lag["characters"] for lag in told["by_length"]] == [10, 22, 3]
    assert all(lag["first_sound_s"]["n"] == 3 for lag in told["by_length"])
    assert set(told["lag_fit"]) == {"base_s", "s_per_phoneme"}
    assert {"cpu", "cores", "quota", "threads", "memory_bytes", "load"} == set(told["machine"])
    assert told["model_digest"] == "6e74"


async def test_a_voice_that_says_nothing_is_a_failure_and_no_measurement(serving) -> None:
    async with serving() as server, SpeechSession(server.address) as session:
        with pytest.raises(SynthesisFailed):
            await hear(session, "…", "af_heart")
        with pytest.raises(SynthesisFailed):
            await hear_first_sound(session, "…", "af_heart")


@pytest.mark.model
@pytest.mark.timeout(240)
async def test_the_real_voice_is_heard_sooner_streaming_than_whole(weights_path: Path) -> None:
    sentences = ("Good morning to you.", "The train leaves from platform four.", "It is on time.", "All is well today.")
    texts = Texts(sentences, ("Yes.", "I am on my way now."))

    report = await run_latency(os.environ, voice="af_bella", trials=1, note=lambda _: None, texts=texts)

    assert report.voice == "af_bella"
    assert report.modes["streaming"].first_sound_s.median < report.modes["batch"].first_sound_s.median
    assert report.by_length[0].phonemes < report.by_length[1].phonemes
    assert len(report.model_digest) == 64
    assert set(report.versions) >= {"primavoce", "python", "onnxruntime", "onnx", "numpy", "platform"}
