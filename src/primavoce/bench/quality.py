"""Texts spoken both ways, whole and in windows, in this process: what being heard early costs."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol, Self

import numpy as np

from primavoce.assets.progress import Report
from primavoce.assets.store import AssetStore
from primavoce.calibration.comparison import Comparison, compare
from primavoce.calibration.heldout import held_out_texts
from primavoce.errors import NotCalibrated
from primavoce.kokoro.model import SAMPLE_RATE, Samples
from primavoce.kokoro.prediction import StatisticsPredictor, find_predictor
from primavoce.kokoro.staged import StagedModel
from primavoce.kokoro.threads import cpu_quota
from primavoce.kokoro.windows import windows
from primavoce.phonemes.alphabet import encode
from primavoce.phonemes.phonemizer import Phonemizer
from primavoce.settings import Settings
from primavoce.synthesis.kokoro_engine import load_prepared
from primavoce.synthesis.kokoro_segments import BestWay, best_way
from primavoce.synthesis.styles import PackStyles
from primavoce.voices.blend import Blend

ENGLISH = (
    "The bakery on the corner opens before sunrise every day.",
    "Did anyone remember to lock the back door?",
    "I can book that table for four people at eight o'clock.",
    "Yes, that works for me.",
    "Our neighbours Peter and Alice keep three goats and a very old donkey.",
    "Be careful, the floor is wet!",
    "Two hundred and sixty visitors came on the first morning alone.",
    "If the bus is late again, we could share a taxi to the airport instead.",
    "She closed the book, turned off the lamp, and listened to the rain for a while.",
    "What would you like to know about the new version?",
)
"""Ten sentences that calibration has never seen."""
OTHERS = slice(2, 12)
"""The ten of a language's held-out texts that are compared: all but two single words, and one that is longer than any
segment."""


class Pronouncer(Protocol):
    """Turns text into phonemes."""

    def phonemize(self, text: str, language: str) -> str:
        """Return the phonemes of ``text``."""


@dataclass(frozen=True, slots=True)
class Pair:
    """One text as one segment, spoken both ways."""

    way: BestWay
    """The one that the engine takes unless it is told otherwise."""
    guess: float
    """Distance of the prediction from what calibration has seen; 0 when nothing was predicted."""
    whole: Samples
    """Spoken in one run."""
    heard: Samples
    """As the engine speaks it: in windows, or the whole run once more."""


class BothWays:
    """Speaks texts whole and in windows; blocking.

    Args:
        model: Runs the graphs.
        predictor: Knows the statistics of segments before they are spoken.
        phonemizer: Pronounces.
        style: The style vector of a voice for a number of phonemes.
    """

    def __init__(
        self,
        model: StagedModel,
        predictor: StatisticsPredictor,
        phonemizer: Pronouncer,
        style: Callable[[Blend, int], Samples],
    ) -> None:
        self._model = model
        self._predictor = predictor
        self._phonemizer = phonemizer
        self._style = style

    @classmethod
    def load(cls, settings: Settings, voices: Iterable[Blend], *, progress: Report | None = None) -> Self:
        """Load what it needs; what is missing of it is fetched.

        Args:
            settings: Where weights are, and how many threads they get. Which way the operator chose doesn't matter
                here.
            voices: Those that are to speak.
            progress: Told of fetching and preparing.

        Raises:
            NotCalibrated: one of the voices is only spoken whole.
            AssetError: the weights or a voice can't be had.
        """
        asked = list(voices)
        store = AssetStore(settings.assets, progress=progress)
        predictor = find_predictor(store.weights_with_digest()[1], settings.assets.cache_dir)
        known = predictor.voices if predictor is not None else frozenset()
        for voice in asked:
            if predictor is None or voice.name not in known:
                raise NotCalibrated(voice.name)
        assert predictor is not None, "somebody is to speak"
        styles = PackStyles(store.voice)
        threads = settings.threads or cpu_quota()
        model = load_prepared(store, styles, settings.assets.cache_dir, progress, threads)
        phonemizer = Phonemizer(preload=sorted({voice.language for voice in asked}))
        return cls(model, predictor, phonemizer, styles.style)

    def speak(self, text: str, voice: Blend) -> Pair:
        """Return ``text``, which has at most 510 phonemes, spoken both ways.

        The first stage runs once: what differs is what came after it.

        Raises:
            NotCalibrated: the voice is only spoken whole.
            PhonemesFailed: it can't be pronounced.
            LanguageUnavailable: the voice's language isn't installed.
        """
        if voice.name not in self._predictor.voices:
            raise NotCalibrated(voice.name)
        ids = encode(self._phonemizer.phonemize(text, voice.language))
        style = self._style(voice, len(ids))
        prosody = self._model.prosody(ids, style, speed=1.0)
        whole, _ = self._model.whole(prosody)
        way, prediction = best_way(self._predictor, prosody, style, speed=1.0, phonemes=len(ids))
        if prediction is None:
            return Pair(way, 0.0, whole, whole)
        if way == "far":
            return Pair(way, prediction.distance, whole, whole)
        parts = self._model.windows(prosody, prediction.statistics, windows(prosody.count, lead=prosody.lead))
        return Pair(way, prediction.distance, whole, np.concatenate(list(parts)))


@dataclass(frozen=True, slots=True)
class Verified:
    """One text, spoken both ways and compared."""

    text: str
    way: BestWay
    guess: float
    """Distance of the prediction from what calibration has seen; 0 when nothing was predicted."""
    audio_s: float
    comparison: Comparison | None
    """None when it isn't spoken in windows."""


def verify_quality(both: BothWays, voice: Blend) -> Iterator[Verified]:
    """Speak ten sentences of the voice's language both ways, and yield how far apart each is.

    Raises:
        PrimavoceError: one can't be spoken.
    """
    for text in sentences_for(voice.language):
        pair = both.speak(text, voice)
        comparison = compare(pair.whole, pair.heard) if pair.way == "stream" else None
        yield Verified(text, pair.way, pair.guess, pair.whole.size / SAMPLE_RATE, comparison)


def sentences_for(language: str) -> tuple[str, ...]:
    """Return ten sentences of a language that calibration has never seen."""
    return ENGLISH if language.startswith("en-") else held_out_texts(language)[OTHERS]
