"""What is spoken for a calibration: which texts, at which speed, by which voice; the same at every time of asking."""

import hashlib
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import exp, log

FRAGMENT_WORDS = (1, 1, 2, 2, 3, 4)
"""How many words a fragment has, drawn evenly: listeners hear short openers first."""
FRAGMENT_CHARACTERS = (2, 10)
"""How many characters one has, in languages without spaces."""
SLOWEST, FASTEST = 0.5, 2.0
OWN_SPEED_SHARE = 0.5
"""Share of the segments that are spoken at the voice's own speed; the others at any, evenly by ratio."""
_DENSE = ("ja", "zh")


@dataclass(frozen=True, slots=True)
class Sample:
    """One segment to speak."""

    voice: str
    """Canonical name of a voice or blend."""
    language: str
    """A wire tag."""
    text: str
    line: int
    """Line of the language's file that it comes from, as a whole or in part."""
    speed: float
    name: str
    """Of its own among all samples."""


@cache
def texts_in(language: str) -> tuple[str, ...]:
    """Return the calibration texts of a language, by its wire tag."""
    resource = files("primavoce.calibration").joinpath("texts", f"{language.partition('-')[0]}.txt")
    return tuple(resource.read_text(encoding="utf-8").removesuffix("\n").split("\n"))


def samples(voices: Sequence[tuple[str, str]], rounds: int) -> Iterator[Sample]:
    """Yield what to speak: in each round, of each voice a text and a fragment of it.

    A calibration that is cut short after any round has all voices alike.

    Args:
        voices: Canonical names and languages.
        rounds: How many texts of each voice, at most as many as there are.
    """
    for number in range(rounds):
        for voice, language in voices:
            texts = texts_in(language)
            order = list(range(len(texts)))
            _chance("order", voice).shuffle(order)
            if number >= len(order):
                continue
            line = order[number]
            for kind in ("text", "fragment"):
                chance = _chance(kind, voice, number)
                text = texts[line] if kind == "text" else _fragment(texts[line], language, chance)
                speed = 1.0 if chance.random() < OWN_SPEED_SHARE else exp(chance.uniform(log(SLOWEST), log(FASTEST)))
                yield Sample(voice, language, text, line, speed, f"{voice}-{number:03d}-{kind}")


def _fragment(text: str, language: str, chance: random.Random) -> str:
    if language.partition("-")[0] in _DENSE:
        count = chance.randint(*FRAGMENT_CHARACTERS)
        start = chance.randrange(max(1, len(text) - count))
        return text[start : start + count]
    words = text.split()
    count = min(len(words), chance.choice(FRAGMENT_WORDS))
    start = chance.randrange(len(words) - count + 1)
    return " ".join(words[start : start + count])


def _chance(*of: object) -> random.Random:
    return random.Random(hashlib.sha256("/".join(map(str, of)).encode()).hexdigest())  # noqa: S311 - not a secret
