"""The times of words, checked against the sound itself, with the real weights."""

import os
from dataclasses import dataclass

import anyio
import numpy as np
import pytest

from primavoce.normalize import ReadingOptions
from primavoce.phonemes.alphabet import ALPHABET
from primavoce.settings import Settings
from primavoce.synthesis.engine import Engine
from primavoce.synthesis.kokoro_engine import kokoro_engine
from primavoce.synthesis.segment import Samples
from primavoce.synthesis.speech import Speech
from primavoce.synthesis.tools import Voicing
from primavoce.text import SentenceStream
from primavoce.text.timing import WordTime
from primavoce.voices.blend import parse_voice

pytestmark = [pytest.mark.model, pytest.mark.timeout(300)]

RATE = 24_000
WINDOW_S = 0.005
SILENT_DBFS = -50.0
AUDIBLE_DBFS = -45.0

TWO_SENTENCES = {
    "en-us": ("af_heart", "The train leaves at seven. [pause:1s] Please bring your ticket and a coat."),
    "en-gb": ("bf_emma", "The train leaves at seven. [pause:1s] Please bring your ticket and a coat."),
    "es": ("ef_dora", "El tren sale a las siete. [pause:1s] Traiga su billete y un abrigo."),
    "fr": ("ff_siwis", "Le train part à sept heures. [pause:1s] Prenez votre billet et un manteau."),
    "hi": ("hf_alpha", "ट्रेन सात बजे चलती है। [pause:1s] कृपया अपना टिकट और कोट लाइए।"),
    "it": ("if_sara", "Il treno parte alle sette. [pause:1s] Porti il biglietto e un cappotto."),
    "pt-br": ("pf_dora", "O trem parte às sete. [pause:1s] Traga o bilhete e um casaco."),
}
ONE_LONG_SENTENCE = (
    "af_heart",
    "When the train from the northern town arrives at the old station on the other side of the river this evening my "
    "brother will be waiting with the car so that nobody needs to walk home.",
)
"""Cut between words, where no pause is."""


@dataclass(frozen=True)
class Spoken:
    """A text, its words, and how it sounds."""

    text: str
    samples: Samples
    words: list[WordTime]

    @property
    def duration_s(self) -> float:
        return self.samples.size / RATE

    def level(self, start_s: float, end_s: float) -> float:
        """Return the RMS level of a stretch in dBFS."""
        stretch = self.samples[max(0, round(start_s * RATE)) : round(end_s * RATE)].astype(float)
        return float(10 * np.log10(np.mean(np.square(stretch)) + 1e-12)) if stretch.size else -120.0

    def levels(self) -> list[float]:
        """Return the level of each window of `WINDOW_S`."""
        return [self.level(n * WINDOW_S, (n + 1) * WINDOW_S) for n in range(int(self.duration_s / WINDOW_S))]

    def around_the_pause(self) -> tuple[WordTime, WordTime]:
        """Return the words before and after the pause that the text asks for."""
        at = self.text.index("[pause")
        after = next(number for number, word in enumerate(self.words) if word.start > at)
        return self.words[after - 1], self.words[after]

    def silence(self) -> tuple[float, float]:
        """Return from when to when its longest silence lasts."""
        best = (0, 0)
        begun = 0
        for number, level in enumerate([*self.levels(), 0.0]):
            if level >= SILENT_DBFS:
                best = max(best, (begun, number), key=lambda stretch: stretch[1] - stretch[0])
                begun = number + 1
        return best[0] * WINDOW_S, best[1] * WINDOW_S


@pytest.fixture(scope="module")
def spoken(asset_store) -> dict[str, Spoken]:
    """Every text of this file, spoken once."""
    del asset_store  # whoever wants the weights asks for it first, so that they are fetched in one place
    return anyio.run(_speak_all, {**TWO_SENTENCES, "long": ONE_LONG_SENTENCE})


async def _speak_all(texts: dict[str, tuple[str, str]]) -> dict[str, Spoken]:
    found = {}
    async with kokoro_engine(Settings.from_env(os.environ).assets, threads=2) as engine:
        await engine.load()
        for name, (voice, text) in texts.items():
            found[name] = await _speak(engine, voice, "en-us" if name == "long" else name, text)
    return found


async def _speak(engine: Engine, voice: str, language: str, text: str) -> Spoken:
    voicing = Voicing(parse_voice(voice), language, 1.0, RATE, ReadingOptions(alphabet=ALPHABET))
    async with engine.speaking(voicing) as speech, anyio.create_task_group() as tasks:
        tasks.start_soon(_say, speech, language, text)
        parts = [part async for part in speech]
    samples = np.frombuffer(b"".join(part.pcm for part in parts), "<i2").astype(np.float32) / 32_768
    return Spoken(text, samples, [word for part in parts if part.segment for word in part.segment.words])


async def _say(speech: Speech, language: str, text: str) -> None:
    stream = SentenceStream(language)
    for sentence in stream.push(text) + stream.flush():
        await speech.say(sentence)
    await speech.finish()


in_every_language = pytest.mark.parametrize("language", TWO_SENTENCES)


@pytest.mark.parametrize("name", [*TWO_SENTENCES, "long"])
def test_times_and_places_grow_and_every_word_has_one(spoken, name: str) -> None:
    heard = spoken[name]

    moments = [round(moment, 6) for word in heard.words for moment in (word.start_s, word.end_s)]
    assert moments == sorted(moments)
    written = heard.text.replace("[pause:1s] ", "").replace(".", "").replace("।", "").split()
    assert [heard.text[word.start : word.end] for word in heard.words] == written


@in_every_language
def test_the_first_word_begins_with_the_sound_and_the_last_ends_with_it(spoken, language: str) -> None:
    heard = spoken[language]

    first_sound_s = next(n for n, level in enumerate(heard.levels()) if level >= AUDIBLE_DBFS) * WINDOW_S
    assert heard.words[0].start_s == pytest.approx(first_sound_s, abs=0.15)
    assert heard.words[-1].end_s == pytest.approx(heard.duration_s, abs=0.3)


@in_every_language
def test_words_cover_the_audio(spoken, language: str) -> None:
    heard = spoken[language]

    covered_s = sum(word.end_s - word.start_s for word in heard.words)
    assert 0.6 * (heard.duration_s - 1.0) <= covered_s <= heard.duration_s


@in_every_language
def test_there_is_silence_where_the_times_say(spoken, language: str) -> None:
    heard = spoken[language]
    before, after = heard.around_the_pause()

    assert after.start_s - before.end_s >= 0.8
    assert heard.level(before.end_s + 0.05, after.start_s - 0.1) < SILENT_DBFS


@in_every_language
def test_words_beside_a_pause_end_and_begin_with_their_sound(spoken, language: str) -> None:
    heard = spoken[language]
    before, after = heard.around_the_pause()
    silent_from_s, silent_to_s = heard.silence()

    assert silent_to_s - silent_from_s >= 0.8
    assert before.end_s == pytest.approx(silent_from_s, abs=0.15)
    assert after.start_s == pytest.approx(silent_to_s, abs=0.1)


@pytest.mark.parametrize("name", [*TWO_SENTENCES, "long"])
def test_there_is_sound_in_the_middle_of_words(spoken, name: str) -> None:
    heard = spoken[name]

    thirds_s = [(word, (word.end_s - word.start_s) / 3) for word in heard.words]
    levels = [heard.level(word.start_s + third_s, word.end_s - third_s) for word, third_s in thirds_s]
    assert sum(level > AUDIBLE_DBFS for level in levels) >= 0.8 * len(levels)
