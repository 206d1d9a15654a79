"""What money, percentages and units share: a sign, a number or a range of two, a magnitude."""

import re
from dataclasses import dataclass
from functools import cache

from primavoce.normalize import numbers
from primavoce.normalize.numbers import Figure
from primavoce.normalize.tongue import Tongue

LEFT = r"(?<![\dA-Za-zÀ-ɏ_.,])(?<!\d['’/])"
"""Where a figure may begin; after letters without case it may, since they need no space before it."""
RIGHT = r"(?![0-9A-Za-zÀ-ɏ_])"
GAP = r"[ \u00a0\u202f]?"
SIGN = r"(?P<sign>(?<![^\s(\[,;:=«“\"/])[-−+±])?"

_WORD_BEFORE = re.compile(r"([^\W\d_]{1,20})[ \u00a0]{0,2}$")


def low_and_high(tongue: Tongue) -> str:
    """Return an expression for a number or a range of two, named ``low`` and ``high``."""
    figure = numbers.figure_pattern(tongue)
    return rf"(?P<low>{figure})(?:{GAP}[-–—~〜～]{GAP}(?P<high>{figure}))?"


@cache
def _magnitude(words: tuple[str, ...]) -> str:
    letters = "|".join(re.escape(word) for word in words if len(word) == 1 and word.isascii())
    longer = "|".join(
        re.escape(word) for word in sorted(words, key=len, reverse=True) if len(word) > 1 or not word.isascii()
    )
    return rf"(?P<magnitude>(?:{letters or '(?!)'})|{GAP}(?:{longer or '(?!)'}))(?![A-Za-zÀ-ɏ0-9])"


def magnitude(tongue: Tongue) -> str:
    """Return an expression for a magnitude after a figure, named ``magnitude``; a letter stands right after it."""
    return _magnitude(tuple(tongue.magnitudes))


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number, or a range of two, as it was written."""

    low: Figure
    high: Figure | None
    sign: str
    """``-`` or ``+`` or ``±``, or nothing."""
    before: str
    """The word before it, in small letters."""


def quantity(match: re.Match[str], tongue: Tongue) -> Quantity | None:
    """Return what a match of the expressions here says, or None if its figures are no numbers."""
    groups = match.groupdict()
    low = numbers.read(groups["low"], tongue)
    high = numbers.read(groups["high"], tongue) if groups["high"] else None
    if low is None or (groups["high"] and high is None):
        return None
    sign = (groups.get("sign") or groups.get("inner_sign") or "").replace("−", "-")
    return Quantity(low, high, sign, word_before(match.string, match.start()))


def said(what: Quantity, of: str, tongue: Tongue) -> str:
    """Return a quantity in words, as it stands before the noun ``of``: "minus five", "five to ten"."""
    last = numbers.said(what.high or what.low, tongue, noun=of)
    if what.high is not None:
        last = ranged(numbers.said(what.low, tongue), last, what, tongue)
    return signed(last, what.sign, tongue)


def signed(words: str, sign: str, tongue: Tongue) -> str:
    """Return ``words`` with its sign."""
    if not sign:
        return words
    name = tongue.symbols["±"] if sign == "±" else tongue.phrases["minus" if sign == "-" else "plus"]
    return f"{name}{'' if tongue.tag in {'ja', 'zh'} else ' '}{words}"


def ranged(first: str, last: str, what: Quantity, tongue: Tongue) -> str:
    """Return a range in words.

    Where a language says *from … to*, the *from* is left out after a preposition (*in 5-10 minuti*) and of numbers that
    fall, which are a score.
    """
    if what.before in tongue.phrases.get("among", "").split():
        return f"{first} {tongue.phrases['and']} {last}"
    falls = what.high is not None and what.high.value <= what.low.value
    if falls or what.before in tongue.phrases.get("from", "").split():
        to = tongue.phrases["to"]
        return f"{first}{to}{last}" if tongue.tag in {"ja", "zh"} else f"{first} {to} {last}"
    beside = what.before in tongue.phrases.get("prepositions", "").split()
    form = tongue.phrases["beside" if beside else "from_to"]
    return form.format(a=first, b=last)


def scaled(figure: Figure, written: str | None, tongue: Tongue) -> tuple[Figure, str]:
    """Return ``figure`` and the word for its magnitude, or their product where that is plainer: 5k."""
    if not written:
        return figure, ""
    value, one, many = tongue.magnitudes[written.strip().lower()]
    product = figure.value * value
    if value == 1000 and tongue.numerals is not None and product == int(product):
        return Figure(str(int(product))), ""
    return figure, one if numbers.is_one(figure, tongue) else many


def word_before(text: str, at: int) -> str:
    """Return the word that ends before ``at``, in small letters."""
    found = _WORD_BEFORE.search(text[max(0, at - 22) : at])
    return found[1].lower() if found else ""
