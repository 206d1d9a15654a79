"""How a voice is asked for: one name, or several with weights, as in ``af_heart:0.7+af_bella:0.3``.

Kokoro-FastAPI's spelling, ``af_heart(7)+af_bella(3)``, is understood, too.
"""

import re
from dataclasses import dataclass

from primavoce.errors import InvalidField
from primavoce.voices.catalogue import Voice, find_voice

MAX_PARTS = 8
"""Voices in one blend; each is a pack to load."""

LOWEST_WEIGHT = 0.001
HIGHEST_WEIGHT = 1000.0

_BRACKETED = re.compile(r"([^():]*)\(([^()]*)\)")
"""A voice with its weight behind it, in brackets."""
_NUMBER = re.compile(r"\d{1,6}(\.\d{0,12})?|\.\d{1,12}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Blend:
    """One voice, or a weighted mean of several."""

    parts: tuple[tuple[Voice, float], ...]
    """Voices and weights, heaviest first and then by name; each voice once, the weights summing to one."""

    @property
    def name(self) -> str:
        """The canonical spelling: the same for every spelling of the same blend."""
        if len(self.parts) == 1:
            return self.parts[0][0].name
        return "+".join(f"{voice.name}:{weight:.4g}" for voice, weight in self.parts)

    @property
    def language(self) -> str:
        """The language of the heaviest voice."""
        return self.parts[0][0].language


def parse_voice(spec: str) -> Blend:
    """Read a voice's name, or a blend of up to `MAX_PARTS`.

    Weights are relative: ``af_heart:7+af_bella:3``, or ``af_heart(7)+af_bella(3)``, is
    ``af_heart:0.7+af_bella:0.3``. A voice without one weighs 1.

    Raises:
        UnknownVoice: a name is not in the catalogue.
        InvalidField: a part is empty, a weight is no number in range, or there are too many parts.
    """
    parts = spec.split("+", maxsplit=MAX_PARTS)
    if len(parts) > MAX_PARTS:
        raise InvalidField("voice", f"a blend has at most {MAX_PARTS} voices")
    weights: dict[Voice, float] = {}
    for part in parts:
        voice, weight = _parse_part(part)
        weights[voice] = weights.get(voice, 0.0) + weight
    total = sum(weights.values())
    # Rounded before sorting, so that 1:3 and 0.1:0.3 can't differ in the last bit and thereby in order.
    shares = [(voice, round(weight / total, 9)) for voice, weight in weights.items()]
    return Blend(tuple(sorted(shares, key=lambda share: (-share[1], share[0].name))))


def _parse_part(part: str) -> tuple[Voice, float]:
    bracketed = _BRACKETED.fullmatch(part.strip())
    name, weight = bracketed.groups() if bracketed else _at_colon(part)
    if not name.strip():
        raise InvalidField("voice", "a voice's name is missing")
    return find_voice(name.strip()), 1.0 if weight is None else _parse_weight(weight.strip())


def _at_colon(part: str) -> tuple[str, str | None]:
    name, colon, weight = part.partition(":")
    return name, weight if colon else None


def _parse_weight(text: str) -> float:
    if _NUMBER.fullmatch(text) and LOWEST_WEIGHT <= (weight := float(text)) <= HIGHEST_WEIGHT:
        return weight
    raise InvalidField("voice", f"a weight is a number from {LOWEST_WEIGHT:g} to {HIGHEST_WEIGHT:g}")
