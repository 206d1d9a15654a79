"""The published way: the published export as it comes, a whole text at once, sent when all of it is done."""

import time
from collections.abc import Callable, Sequence
from typing import Protocol, Self

from primavoce.assets.store import AssetStore
from primavoce.audio.pcm import to_pcm
from primavoce.bench.hearing import Heard, Hearing
from primavoce.kokoro.model import KokoroModel
from primavoce.phonemes.alphabet import encode
from primavoce.phonemes.phonemizer import Phonemizer
from primavoce.synthesis.styles import PackStyles
from primavoce.voices.blend import Blend


class WholeTexts(Protocol):
    """Speaks whole texts; blocking."""

    def count_phonemes(self, text: str) -> int:
        """Return how many phonemes ``text`` has."""

    def speak(self, text: str) -> bytes:
        """Return ``text`` as 16-bit mono PCM."""


class PublishedModel:
    """The published export in this process, with nothing done to it.

    Args:
        model: The export.
        phonemizer: Pronounces.
        styles: The voices.
        voice: The one that speaks.
    """

    def __init__(self, model: KokoroModel, phonemizer: Phonemizer, styles: PackStyles, voice: Blend) -> None:
        self._model = model
        self._phonemizer = phonemizer
        self._styles = styles
        self._voice = voice

    @classmethod
    def load(cls, store: AssetStore, voice: Blend, *, threads: int) -> Self:
        """Load it, and what it needs.

        Raises:
            AssetError: the weights or a voice can't be had.
        """
        model = KokoroModel.load(store.weights(), threads=threads)
        return cls(model, Phonemizer(preload=[voice.language]), PackStyles(store.voice), voice)

    def count_phonemes(self, text: str) -> int:
        """Return how many phonemes ``text`` has."""
        return len(self._phonemizer.phonemize(text, self._voice.language))

    def speak(self, text: str) -> bytes:
        """Return ``text``, which has at most 510 phonemes, as 16-bit mono PCM."""
        ids = encode(self._phonemizer.phonemize(text, self._voice.language))
        style = self._styles.style(self._voice, len(ids))
        return to_pcm(self._model.synthesize(ids, style, speed=1.0))


def hear_in_turn(model: WholeTexts, texts: Sequence[str], *, clock: Callable[[], float] = time.perf_counter) -> Heard:
    """Have ``texts`` spoken one after another, each sent when it is done.

    Raises:
        SynthesisFailed: there was no sound.
    """
    hearing, began = Hearing(), clock()
    for text in texts:
        pcm = model.speak(text)
        hearing.take(pcm, clock() - began)
    return hearing.end(clock() - began)
