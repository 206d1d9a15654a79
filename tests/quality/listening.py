"""Speech in windows beside whole runs, as a recogniser and a model of opinions hear both."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from primavoce.audio.pcm import to_pcm
from primavoce.bench.quality import BothWays, Pair
from primavoce.bench.recogniser import word_errors
from primavoce.calibration.comparison import Comparison, compare
from primavoce.kokoro.model import SAMPLE_RATE, Samples
from primavoce.synthesis.kokoro_segments import BestWay
from primavoce.voices.blend import Blend, parse_voice
from tests.quality.opinion import opinion
from tests.quality.recogniser import Recogniser

SENTENCES = tuple(Path(__file__).with_name("sentences.txt").read_text(encoding="utf-8").splitlines())
"""Fifty English sentences that calibration has never seen."""
VOICES = ("af_heart", "am_michael", "bf_emma", "bm_george")

MOST_WORDS_LOST = 0.005
"""Share of words that may be misheard in windows alone: half a point of the word error rate."""
MOST_OPINION_LOST = 0.05
"""Of DNSMOS's scale from 1 to 5."""
LEAST_WORDS = 400
"""Below so many, half a point is less than two words, and the recogniser mishears those by chance."""


@dataclass(frozen=True)
class Judged:
    """One recording."""

    errors: int
    """Words that were misheard."""
    opinion: float


@dataclass(frozen=True)
class Listened:
    """One sentence, spoken both ways and judged."""

    voice: str
    text: str
    words: int
    way: BestWay
    whole: Judged
    windowed: Judged
    """The same as `whole` when the engine speaks it whole."""
    comparison: Comparison | None
    """None when it isn't spoken in windows."""


@dataclass(frozen=True)
class Rates:
    """What many sentences come to."""

    sentences: int
    words: int
    in_windows: int
    """Sentences that were spoken in windows."""
    word_error_rate_whole: float
    word_error_rate_windows: float
    words_lost: float
    """Difference of the rates; below 0, windows are understood better."""
    opinion_whole: float
    opinion_windows: float
    opinion_lost: float
    """Difference of the opinions; below 0, windows sound better."""

    @classmethod
    def of(cls, listened: Iterable[Listened]) -> "Rates":
        """Return what ``listened``, of which there is at least one, comes to."""
        found = list(listened)
        words = sum(each.words for each in found)
        whole, windows = (sum(getattr(each, side).errors for each in found) / words for side in ("whole", "windowed"))
        opinion_whole, opinion_windows = (
            sum(getattr(each, side).opinion for each in found) / len(found) for side in ("whole", "windowed")
        )
        return cls(
            sentences=len(found),
            words=words,
            in_windows=sum(each.way == "stream" for each in found),
            word_error_rate_whole=whole,
            word_error_rate_windows=windows,
            words_lost=windows - whole,
            opinion_whole=opinion_whole,
            opinion_windows=opinion_windows,
            opinion_lost=opinion_whole - opinion_windows,
        )


def listen(
    both: BothWays, recogniser: Recogniser, sentences: Sequence[str], voices: Sequence[str] = VOICES
) -> Iterator[Listened]:
    """Have each of ``voices`` speak each of ``sentences`` both ways, and yield how it was heard."""
    for sentence in sentences:
        for voice in map(parse_voice, voices):
            yield _listened(both.speak(sentence, voice), recogniser, sentence, voice)


def _listened(pair: Pair, recogniser: Recogniser, sentence: str, voice: Blend) -> Listened:
    def judged(samples: Samples) -> Judged:
        heard = recogniser.transcribe(to_pcm(samples), SAMPLE_RATE)
        return Judged(word_errors(sentence, heard)[0], opinion(samples, SAMPLE_RATE))

    whole = judged(pair.whole)
    words = word_errors(sentence, "")[1]
    if pair.way != "stream":
        return Listened(voice.name, sentence, words, pair.way, whole, whole, None)
    comparison = compare(pair.whole, pair.heard)
    return Listened(voice.name, sentence, words, pair.way, whole, judged(pair.heard), comparison)
