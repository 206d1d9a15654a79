"""How well a predictor does on segments that it doesn't know: by voice, by language, by length, by speed."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from primavoce.calibration.collecting import Floats, Row
from primavoce.calibration.comparison import Comparison, Summary, compare
from primavoce.kokoro.prediction import StatisticsPredictor
from primavoce.kokoro.staged import StagedModel
from primavoce.kokoro.windows import FRAMES_A_SECOND, windows
from primavoce.phonemes.alphabet import encode

LENGTHS_S = (1.0, 2.0, 4.0, 8.0, 15.0)
"""Seconds of audio at which kinds of length end."""
SPEEDS = (0.75, 1.33)
"""Speeds at which kinds of speed end."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One segment, spoken both ways."""

    row: Row
    language: str
    distance: float
    """Of the prediction, from the nearest segment that the predictor knows."""
    comparison: Comparison


def judge(
    rows: Iterable[Row],
    predictor: StatisticsPredictor,
    model: StagedModel,
    style: Callable[[str, int], Floats],
    language_of: Mapping[str, str],
) -> Iterator[Judged]:
    """Speak each row whole and in windows, and yield what differs.

    Args:
        rows: None of them known to the predictor, for an honest judgement.
        predictor: Predicts.
        model: Speaks.
        style: Gives a voice's style vector for a number of phonemes.
        language_of: The language of each voice.
    """
    for row in rows:
        prosody = model.prosody(encode(row.phonemes), style(row.voice, len(row.phonemes)), speed=row.speed)
        whole, _ = model.whole(prosody)
        prediction = predictor.predict(row.features)
        parts = list(model.windows(prosody, prediction.statistics, windows(prosody.count, lead=prosody.lead)))
        compared = compare(whole, np.concatenate(parts))
        yield Judged(row, language_of[row.voice], prediction.distance, compared)


def by_length(judged: Judged) -> str:
    """Return the kind of length that a segment has."""
    seconds = judged.row.frames / FRAMES_A_SECOND
    bounds = (0.0, *LENGTHS_S)
    for low, high in zip(bounds, LENGTHS_S, strict=False):
        if seconds < high:
            return f"{low:g} to {high:g} s"
    return f"over {bounds[-1]:g} s"


def by_speed(judged: Judged) -> str:
    """Return the kind of speed that a segment is spoken at."""
    speed = judged.row.speed
    if speed == 1:
        return "own speed"
    slow, fast = SPEEDS
    return f"0.5 to {slow}" if speed < slow else f"{slow} to {fast}" if speed < fast else f"{fast} to 2"


KINDS: Mapping[str, Callable[[Judged], str]] = {
    "language": lambda judged: judged.language,
    "length": by_length,
    "speed": by_speed,
    "voice": lambda judged: judged.row.voice,
}
"""By what a judgement is told apart."""


def summaries(judged: Iterable[Judged]) -> dict[str, dict[str, Summary]]:
    """Return the summary of each kind of segment, and of all."""
    groups: dict[str, dict[str, list[Comparison]]] = {"all": defaultdict(list)}
    for each in judged:
        groups["all"]["all"].append(each.comparison)
        for kind, of in KINDS.items():
            groups.setdefault(kind, defaultdict(list))[of(each)].append(each.comparison)
    return {kind: {name: Summary.of(found) for name, found in sorted(by.items())} for kind, by in groups.items() if by}
