"""Numbers that are neither money nor measures: 42, 1,250, 3.5, −5, 5–10, 3 mln, 1/2, GPT-4."""

import re
from functools import cache

from primavoce.normalize import numbers, quantities, units
from primavoce.normalize.draft import Draft
from primavoce.normalize.numbers import Figure
from primavoce.normalize.quantities import LEFT, SIGN
from primavoce.normalize.tongue import Tongue

CODE_DIGITS = 7
"""Digits from which a number without marks and without round zeros is a code, said digit by digit."""

_HYPHENATED = re.compile(r"(?<=[^\W\d_])-(?=\d)")
_ALWAYS = re.compile(r"(?<![\w/])24/7(?![\w/])")
_FRACTION = re.compile(
    r"(?<![\w./,-])(?:(?<!\d[ ])(?P<whole>\d{1,3})[ ])?(?P<part>\d{1,4})/(?P<of>\d{1,4})(?![\w/]|[.,]\d)"
    r"(?:[ \u00a0]?(?P<unit>kg|g|l|L|dl|cl|ml|m|km|cm|h|oz|lb)(?!\w|/))?"
)


def plain_numbers(draft: Draft, tongue: Tongue) -> None:
    """Say the numbers that no other rule has said."""
    draft.say(_ALWAYS, lambda _: tongue.phrases["always"])
    draft.say(_FRACTION, lambda match: _fraction(match, tongue))
    if tongue.numerals is not None:
        draft.rewrite(_HYPHENATED, lambda _: " ")
    draft.say(_pattern(tongue), lambda match: _words(match, tongue))


@cache
def _pattern(tongue: Tongue) -> re.Pattern[str]:
    magnitude = quantities.magnitude(tongue).replace("(?:m|", "(?:M|")
    figure = numbers.figure_pattern(tongue)
    return re.compile(
        rf"{LEFT}{SIGN}(?P<low>{figure})(?:(?:[-–—〜～]|[ ][-–—][ ])(?P<high>{figure})(?![-–]\d|/))?"
        rf"(?:{magnitude})?(?P<letters>[A-Za-zÀ-ɏ]?)"
    )


def _words(match: re.Match[str], tongue: Tongue) -> str | None:
    if match["letters"]:  # 5G, 30s: English's phonemiser knows them, and espeak reads figures and letters apart
        return None
    if match["high"] is None:
        return _single(match, tongue)
    what = quantities.quantity(match, tongue)
    if what is None or what.high is None:
        return _chain(match.group(), tongue)
    if len(match["low"]) > 4 and match["low"].isdigit():
        return f"{digit_run(match['low'], tongue)}, {digit_run(match['high'], tongue)}"
    if match["magnitude"]:
        high, word = quantities.scaled(what.high, match["magnitude"], tongue)
        last = f"{numbers.said(high, tongue, noun=word)} {word}".strip()
        return quantities.ranged(numbers.said(what.low, tongue), last, what, tongue)
    return quantities.said(quantities.Quantity(what.low, what.high, what.sign.strip(), what.before), "", tongue)


def _single(match: re.Match[str], tongue: Tongue) -> str | None:
    written, sign = match["low"], (match["sign"] or "").strip().replace("−", "-")
    figure = numbers.read(written, tongue)
    if figure is None:
        return _chain(match.group(), tongue)
    if tongue.numerals is None and not sign and not match["magnitude"]:
        return figure.whole + (f".{figure.fraction}" if figure.fraction else "") if written != figure.whole else None
    if match["magnitude"]:
        figure, word = quantities.scaled(figure, match["magnitude"], tongue)
        words = f"{numbers.said(figure, tongue, noun=word)} {word}".strip()
        if word.startswith("mil ") and figure == Figure("1"):
            words = word
        elif tongue.tag in {"ja", "zh"}:
            words = words.replace(" ", "")
    elif written.isdecimal():
        words = digit_run(figure.whole, tongue)
    else:
        words = numbers.said(figure, tongue)
    return quantities.signed(words, sign, tongue)


def digit_run(figures: str, tongue: Tongue) -> str:
    """Return a number without marks in words; a long one that isn't round is a code and said digit by digit."""
    is_code = (len(figures) >= CODE_DIGITS and not figures.endswith("000")) or (len(figures) > 1 and figures[0] == "0")
    return numbers.digits(figures, tongue) if is_code else numbers.cardinal(int(figures), tongue)


def _chain(written: str, tongue: Tongue) -> str | None:
    """Return numbers with marks that make no number of them: 1.2.3 with each mark said, 3,4,5 as a list."""
    if tongue.numerals is None:
        return None
    words = []
    for piece in re.findall(r"\d++|\D", written):
        if piece.isdecimal():
            words.append(digit_run(piece, tongue))
        elif piece == ".":
            words.append(tongue.address["."])
        elif piece == "," and words:
            words[-1] += ","
        elif piece in "-−" and not words:
            words.append(tongue.phrases["minus"])
    return " ".join(words)


def _fraction(match: re.Match[str], tongue: Tongue) -> str | None:
    part, of = int(match["part"]), int(match["of"])
    if tongue.numerals is None:
        if match["whole"]:
            return None
        return tongue.phrases["over"].format(a=part, b=of)
    words = _parts(part, of, tongue)
    if match["unit"]:
        return _part_of(match, words, tongue)
    if match["whole"]:
        whole = numbers.cardinal(int(match["whole"]), tongue)
        return f"{whole} {tongue.phrases['and']} {words}" if of in {2, 3, 4, 5, 8} and part < of else None
    return words


def _part_of(match: re.Match[str], words: str, tongue: Tongue) -> str | None:
    """Return a fraction of a unit: "mezzo chilogrammo", "tre quarti di litro", "due chilogrammi e mezzo"."""
    one, many = (name.replace("{}", "").strip() for name in units.names(units.UNITS[match["unit"]], tongue))
    feminine = one.partition(" ")[0] in tongue.feminine
    half = tongue.phrases["half_feminine" if feminine else "half"]
    is_half = match["part"] == "1" and match["of"] == "2"
    if match["whole"]:
        value = int(match["whole"])
        count = numbers.counted(value, one, tongue)
        rest = half if is_half else words
        return numbers.elided(f"{count} {one if value == 1 else many} {tongue.phrases['and']} {rest}", tongue)
    if is_half:
        return f"{half} {one}"
    return f"{words} {numbers.linked(one, tongue)}{one}"


def _parts(part: int, of: int, tongue: Tongue) -> str:
    """Return a fraction in words: "three quarters", "tre quarti"; *nine over ten* where it may be a score."""
    names = tongue.phrases.get("fractions", "").split()
    if part < of and 2 <= of < 2 + len(names):
        one, _, many = names[of - 2].partition("/")
        if part == 1:
            return f"{tongue.phrases['one_part']} {one}".strip().replace("_", " ")
        return f"{numbers.cardinal(part, tongue)} {many or one}"
    return tongue.phrases["over"].format(a=numbers.cardinal(part, tongue), b=numbers.cardinal(of, tongue))
