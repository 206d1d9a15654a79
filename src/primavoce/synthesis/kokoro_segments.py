"""The model as the engine sees it: each segment whole, or window by window, as its voice and its text allow."""

import logging
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from primavoce.audio.silence import is_silent
from primavoce.kokoro.log_mel import log_mel_distance
from primavoce.kokoro.model import SAMPLE_RATE
from primavoce.kokoro.prediction import Prediction, StatisticsPredictor, feature_vector
from primavoce.kokoro.runs import Run
from primavoce.kokoro.staged import FRAME_SAMPLES, Prosody, SpokenWindows, StagedModel, Statistics
from primavoce.kokoro.windows import FRAMES_A_SECOND, first_window_covers, windows
from primavoce.phonemes.alphabet import SILENT
from primavoce.synthesis.report import ModelReport
from primavoce.synthesis.segment import Rendering, RenderRequest, Samples
from primavoce.voices.vocoder import VocoderChoice

MOST_CHECKED_DB = 2.0
"""Log-mel distance from the whole run beyond which a check is worth a warning."""
LAST_SOUND_S = 0.3
"""Seconds after the beginning of its last phoneme by which, at the voice's own speed, a segment's sound is over: in 98
of 100 segments of all voices. The others are heard to their end, for only silence is left out."""
SILENT_SAMPLES = SAMPLE_RATE // 10
"""So much silence at the end of a window is the end."""
MOST_TOLD = 1000
"""Voices whose way is told in the log: there is no end of blends."""

type BestWay = Literal["stream", "short", "far"]
"""In windows, or why not: the first window would be all of it, or the prediction is a guess."""
type Way = BestWay | Literal["asked", "voice"]
"""The same, or whole since the operator said so, or since the voice isn't known."""

log = logging.getLogger("primavoce.synthesis")


@dataclass(slots=True)
class VocoderTally:
    """What was done since the model was loaded."""

    segments: Counter[Way] = field(default_factory=Counter)
    """Segments by the way that they took."""
    checks: int = 0
    """Segments that were compared with their whole run afterwards."""
    worst_check_db: float = 0.0
    """Log-mel distance of the worst of them."""
    parts: int = 0
    """Windows, and segments whole."""


class KokoroSegments:
    """An acoustic model; blocking, not thread-safe.

    Args:
        model: Runs the graphs.
        predictor: Knows the statistics of segments before they are spoken; without one, all are spoken whole.
        choice: What the operator wants.
        trial: Seconds of audio, and of work for it, of what was spoken for a try.
        digest: SHA-256 of the published weights.
    """

    def __init__(
        self,
        model: StagedModel,
        predictor: StatisticsPredictor | None,
        choice: VocoderChoice | None = None,
        *,
        trial: tuple[float, float] | None = None,
        digest: str = "",
    ) -> None:
        self._model = model
        self._predictor = predictor
        self._choice = choice or VocoderChoice()
        self._told: set[str] = set()
        self._trial = trial
        self._digest = digest
        self.tally = VocoderTally()
        """What was done so far."""

    @property
    def sample_rate(self) -> int:
        """Hertz."""
        return SAMPLE_RATE

    @property
    def trial(self) -> tuple[float, float] | None:
        """Seconds of audio, and of work for it, of what was spoken for a try."""
        return self._trial

    @property
    def together(self) -> int:
        """How many windows the device makes at once."""
        return self._model.device.together

    def render(self, request: RenderRequest) -> Rendering:
        """Do what must see the whole segment, and choose how its audio is made; nothing is remembered here."""
        ids, voice, speed = request.ids, request.voice, request.speed
        prosody = self._model.prosody(ids, request.style, speed=speed)
        way, statistics = self._way(voice, prosody, request.style, speed=speed, phonemes=len(ids))
        self.tally.segments[way] += 1
        self._tell(voice, way)
        if statistics is None:
            return Rendering(prosody.durations_s, self._counted(self._whole(prosody)), whole=True)
        until = sound_is_over_by(ids, prosody.durations_s, speed=speed)
        planned = windows(
            prosody.count,
            lead=prosody.lead,
            until=until,
            affordable=lambda: int(request.part_s() * FRAMES_A_SECOND),
            sizes=self._model.device.sizes,
        )
        spoken = _WhileHeard(self._model.windows(prosody, statistics, planned), certain=FRAME_SAMPLES * until)
        parts = self._counted(spoken)
        if not request.checked:
            return Rendering(prosody.durations_s, parts, ahead=spoken.ahead)
        kept: list[Samples] = []
        check = self._check_of(prosody, kept, voice)
        return Rendering(prosody.durations_s, _keeping(parts, kept), check, ahead=spoken.ahead)

    def make(self, runs: Sequence[Run]) -> None:
        """Make windows of several segments together."""
        self._model.make(runs)

    def report(self) -> ModelReport:
        """Return what it is, and what it has done."""
        tally, device = self.tally, self._model.device
        return ModelReport(
            self._digest,
            device.name,
            device.provider,
            {str(way): count for way, count in dict(tally.segments).items()},
            tally.parts,
            checks=tally.checks,
            worst_check_db=tally.worst_check_db,
        )

    def _counted(self, parts: Iterator[Samples]) -> Iterator[Samples]:
        for samples in parts:
            self.tally.parts += 1
            yield samples

    def _way(
        self, voice: str, prosody: Prosody, style: Samples, *, speed: float, phonemes: int
    ) -> tuple[Way, Statistics | None]:
        mode = self._choice.of(voice)
        if mode == "whole":
            return "asked", None
        if self._predictor is None or voice not in self._predictor.voices:
            return "voice", None
        way, prediction = best_way(self._predictor, prosody, style, speed=speed, phonemes=phonemes)
        if prediction is None or (way == "far" and mode == "auto"):
            return way, None
        return "stream", prediction.statistics

    def _whole(self, prosody: Prosody) -> Iterator[Samples]:
        samples, _ = self._model.whole(prosody)
        yield samples

    def _check_of(self, prosody: Prosody, kept: list[Samples], voice: str) -> Callable[[], None]:
        def check() -> None:
            whole, _ = self._model.whole(prosody)
            made = np.concatenate(kept)
            distance_db = log_mel_distance(whole[: made.size], made)
            self.tally.checks += 1
            self.tally.worst_check_db = max(self.tally.worst_check_db, distance_db)
            level = logging.WARNING if distance_db > MOST_CHECKED_DB else logging.INFO
            told = "a segment in windows (%s, %d frames) is %.2f dB from the whole run"
            log.log(level, told, voice, prosody.count, distance_db)

        return check

    def _tell(self, voice: str, way: Way) -> None:
        """Say once which way a voice takes."""
        if voice in self._told or len(self._told) >= MOST_TOLD or way in {"short", "far"}:
            return
        self._told.add(voice)
        if way == "voice":
            log.warning("%s is spoken whole: it isn't calibrated (primavoce calibrate --voice %s)", voice, voice)
        else:
            log.info("%s is spoken %s", voice, "in windows" if way == "stream" else "whole, as asked")


def best_way(
    predictor: StatisticsPredictor, prosody: Prosody, style: Samples, *, speed: float, phonemes: int
) -> tuple[BestWay, Prediction | None]:
    """Return which way is best for a segment of a voice that is known, and what is predicted of it, if anything is.

    Args:
        predictor: Knows the voice.
        prosody: The segment.
        style: The style vector, shape (1, 256).
        speed: As it was asked for.
        phonemes: How many, without padding.
    """
    if first_window_covers(prosody.count, lead=prosody.lead):
        return "short", None
    prediction = predictor.predict(
        feature_vector(prosody.features, style, speed=speed, phonemes=phonemes, frames=prosody.count)
    )
    return ("far" if prediction.distance > predictor.reach else "stream"), prediction


def sound_is_over_by(ids: Sequence[int], durations_s: Sequence[float], *, speed: float) -> int:
    """Return the frame by which a segment's sound is most likely over: the model counts silence to its last symbols.

    Args:
        ids: The phonemes.
        durations_s: Theirs, and the pads' around them.
        speed: As it was asked for.
    """
    last = max((place for place, number in enumerate(ids) if number not in SILENT), default=len(ids) - 1)
    begins_s = sum(durations_s[: last + 1])  # a pad goes before the first
    return round((begins_s + LAST_SOUND_S / min(1.0, speed)) * FRAMES_A_SECOND)


class _WhileHeard:
    """A segment's windows, until one ends in silence behind the first ``certain`` samples."""

    def __init__(self, spoken: SpokenWindows, *, certain: int) -> None:
        self._spoken = spoken
        self._certain = certain
        self._made = 0
        self._over = False

    def ahead(self) -> Sequence[Run]:
        return () if self._over else self._spoken.ahead()

    def __iter__(self) -> "_WhileHeard":
        return self

    def __next__(self) -> Samples:
        if self._over:
            raise StopIteration
        samples = next(self._spoken)
        self._made += samples.size
        # The last window's samples are a little short of its frames.
        behind = self._made > self._certain - FRAME_SAMPLES
        self._over = behind and is_silent(samples[-SILENT_SAMPLES:], SAMPLE_RATE)
        return samples


def _keeping(parts: Iterator[Samples], kept: list[Samples]) -> Iterator[Samples]:
    for samples in parts:
        kept.append(samples)
        yield samples
