"""A fake engine: the real pipeline round a model that hums.

Every letter becomes a short tone, so speech has the right order, a plausible length and a level, in no time and
without weights. For tests of servers and clients, ours and yours.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from primavoce.kokoro.runs import Run
from primavoce.phonemes.alphabet import SYMBOLS
from primavoce.phonemes.words import Pronunciation, Word
from primavoce.synthesis.engine import Engine
from primavoce.synthesis.report import ModelReport
from primavoce.synthesis.segment import Rendering, RenderRequest, Samples
from primavoce.synthesis.tools import ADMISSION_PATIENCE_S
from primavoce.voices.blend import Blend

SAMPLE_RATE = 24_000
SECONDS_PER_PHONEME = 0.065

_WORD = re.compile(r"(?P<word>\w+(?:['-]\w+)*)(?P<after>\W*)")


class FakeModel:
    """Hums one tone a phoneme, higher for higher ids.

    Args:
        before: Called before each part is made; may block, or raise, to play a slow or a broken model.
        parts_per_segment: In how many parts a segment's audio comes.
    """

    def __init__(self, *, before: Callable[[], None] = lambda: None, parts_per_segment: int = 1) -> None:
        self._before = before
        self._parts_per_segment = parts_per_segment

    @property
    def sample_rate(self) -> int:
        """Hertz."""
        return SAMPLE_RATE

    @property
    def trial(self) -> tuple[float, float] | None:
        """Nothing is tried."""
        return None

    @property
    def together(self) -> int:
        """One: nothing is gained."""
        return 1

    def render(self, request: RenderRequest) -> Rendering:
        """Begin the hum; the style is looked at for its shape alone."""
        assert request.style.shape == (1, 256)
        durations_s = [0.0, *[SECONDS_PER_PHONEME / request.speed] * len(request.ids), 0.0]
        return Rendering(durations_s, self._parts(request.ids, request.speed), whole=self._parts_per_segment == 1)

    def make(self, runs: Sequence[Run]) -> None:
        """Nothing is ahead."""

    def report(self) -> ModelReport:
        """Return what it is: no weights, and a processor."""
        return ModelReport("", "cpu", "none")

    def _parts(self, ids: Sequence[int], speed: float) -> Iterator[Samples]:
        seconds = SECONDS_PER_PHONEME / speed
        time_s = np.arange(int(seconds * SAMPLE_RATE), dtype=np.float32) / SAMPLE_RATE
        tones = [0.25 * np.sin(2 * np.pi * (150 + 4 * number) * time_s) for number in ids]
        whole = np.concatenate([*tones, np.zeros(0)]).astype(np.float32)
        for part in np.array_split(whole, self._parts_per_segment):
            self._before()
            yield part


class FakeG2P:
    """Takes every letter that the model's alphabet has for its own phoneme."""

    def pronounce(self, text: str, language: str, *, given: Sequence[tuple[int, int, str]] = ()) -> Pronunciation:
        """Return the words between the spaces of ``text``; ``language`` makes no difference."""
        del language
        known = "".join(symbol if symbol in SYMBOLS else " " for symbol in text.lower().replace("g", "ɡ"))
        for start, end, _ in given:
            known = known[:start] + "x" * (end - start) + known[end:]
        phonemes_of = {(start, end): phonemes for start, end, phonemes in given}
        words = []
        for found in _WORD.finditer(known):
            start, end = found.span("word")
            after = re.sub(" +", " ", found["after"])
            words.append(Word(phonemes_of.get((start, end), found["word"]), after, start, end))
        if words:
            words[-1] = replace(words[-1], after=words[-1].after.rstrip())
        return Pronunciation("", tuple(words))


class FakeStyles:
    """The same style for every voice."""

    def style(self, voice: Blend, n_phonemes: int) -> Samples:
        """Return zeros, shape (1, 256)."""
        del voice, n_phonemes
        return np.zeros((1, 256), np.float32)


def fake_engine(*, model: FakeModel | None = None, patience_s: float = ADMISSION_PATIENCE_S) -> Engine:
    """Return an engine that hums; enter it, and load it, as a real one.

    Args:
        model: Hums; one of its own unless given.
        patience_s: Seconds that an utterance waits for room.
    """
    return Engine(load_model=lambda: model or FakeModel(), load_g2p=FakeG2P, styles=FakeStyles(), patience_s=patience_s)
