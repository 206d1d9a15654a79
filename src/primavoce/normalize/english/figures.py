"""How English says figures: as a count, a place in a row, a year, a code, or one by one."""

from primavoce.normalize.numbers import cardinal, digits, ordinal, year
from primavoce.normalize.tongue import Tongue

SPACE = "[ \u00a0\u202f]"
DASH = "[-\u2010-\u2015\u2212]"
"""Whatever is written for a hyphen, a dash or a minus."""


NUMBER = r"(?>\d{1,3}(?:,\d{3})++(?!\d)(?:\.\d++)?|\d++(?:\.\d++)?)"
"""A number as English writes it. Put `NOT_INSIDE` before it, or a long row costs the square of its length."""

NOT_INSIDE = r"(?<![\w.,])"


def count(value: int | str, tongue: Tongue) -> str:
    """Return a count in words, without the commas of num2words: "one hundred twenty", British "and twenty"."""
    number = int(str(value).replace(",", ""))
    return _smooth(cardinal(number, tongue), tongue)


def place(value: int | str, tongue: Tongue) -> str:
    """Return an ordinal in words: "twenty-first"."""
    return _smooth(ordinal(int(str(value).replace(",", "")), tongue), tongue)


def spelled(figures: str, tongue: Tongue) -> str:
    """Return each figure's name: "zero one three"."""
    return digits(figures, tongue)


def year_words(value: int, tongue: Tongue) -> str:
    """Return a year in words: "nineteen eighty-two", "two thousand eight", "nineteen oh five"."""
    if value < 1000:
        return count(value, tongue)
    return _smooth(year(value, tongue), tongue).replace("oh-", "oh ")


def short_year(figures: str, tongue: Tongue) -> str:
    """Return the last two figures of a year in words: "oh five", "ninety-eight"."""
    if figures == "00":
        return "two thousand"
    return f"oh {count(figures, tongue)}" if figures[0] == "0" else count(figures, tongue)


def code(figures: str, tongue: Tongue) -> str:
    """Return the number of a room, a flight, an error or a model, in pairs: "four oh four", "twenty-four ninety"."""
    if len(figures) == 5 and figures[0] != "0" and figures[2] != "0" and figures.endswith("00"):
        return f"{count(figures[:2], tongue)} {code(figures[2:], tongue)}"  # 12700: "twelve seven hundred"
    if len(figures) > 4 or (figures[0] == "0" and len(figures) > 1):
        return spelled(figures, tongue)
    if len(figures) <= 2 or figures.endswith("000"):
        return count(figures, tongue)
    head, tail = figures[:-2], figures[-2:]
    if tail == "00":
        return f"{count(head, tongue)} hundred"
    return f"{count(head, tongue)} {short_year(tail, tongue)}"


def _smooth(words: str, tongue: Tongue) -> str:
    words = words.replace(",", "")
    return words if tongue.tag == "en-gb" else words.replace(" and ", " ")
