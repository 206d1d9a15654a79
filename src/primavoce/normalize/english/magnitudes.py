"""Numbers cut short: 10k users, 2.5M downloads, 4K, 1080p, 3x."""

import re

from primavoce.normalize.draft import Draft
from primavoce.normalize.english.context import word_after, word_before
from primavoce.normalize.english.figures import DASH, SPACE, count
from primavoce.normalize.tongue import Tongue
from primavoce.text.languages.rules import words

_FREE = r"(?<![\w.,$€£¥₹:/+-])"
_NUMBER = r"(\d{1,3}(?:,\d{3}){0,3}(?:\.\d{1,3})?|\d{1,6}(?:\.\d{1,3})?)"
_SHORT = re.compile(rf"{_FREE}{_NUMBER}([kKMB]|bn|mn)(\+?)(?![\w%°]|[.,]\d|{DASH}\d|\+)")
_RANGE = re.compile(rf"{_FREE}{_NUMBER}[ ]to[ ]{_NUMBER}([kKMB])(?![\w%°]|[.,]\d)")
_MANY = re.compile(r"(?<![\w.,$€£])(10|100|1,?000)s(?= of\b)")
_MANY_WORDS = {"10": "tens", "100": "hundreds", "1000": "thousands"}
_LINES = re.compile(r"(?<![\w.,$€£¥:/-])(\d{3,4})([pi])(\d{2,3})?(?![\w%])")
_TIMES = re.compile(rf"(?<![\w.,$€£¥:/-])(\d{{1,5}}(?:\.\d{{1,3}})?)[x×](?![\w%=])(?!{SPACE}?\d)")
_PLUS = re.compile(r"(?<=\d)\+(?![\w+=(]|\s*\d)")

_WORDS = {"k": "thousand", "K": "thousand", "M": "million", "mn": "million", "B": "billion", "bn": "billion"}
_BINARY = frozenset(str(2**power) for power in range(10))
"""1K, 2K, 4K … 512K are sizes of screens and memories, and K is said as a letter."""
_LABELLED = re.compile(
    r"\b(?:room|apartment|apt\.?|flat|seat|gate|section|unit|figure|fig\.?|table|exhibit|building|platform|class|grade|block|"
    r"level|schedule|appendix|row|bay|step|type|size|step|item|part|question|route|bus|exit|floor|suite)s? \Z",
    re.IGNORECASE,
)
_RUN = words(
    "ran run running a the my her his first",
)
_RACES = words(
    "resolution display video monitor tv screen textures",
    "race races run runs runner runners course loop pace walk jog personal pb finish finisher fun",
    "swim time training",
)
_AFTER_RUN = words(
    "in and but on at every this with yesterday today before after last for",
)
_MODELS = words(
    "model models llm llms version variant variants checkpoint checkpoints instruct",
)
_COMPARED = words(
    "faster slower more less better worse larger bigger smaller higher lower longer shorter cheaper as the over",
)


def magnitudes(draft: Draft, tongue: Tongue) -> None:
    """Write out the thousands and millions that one letter stands for; say resolutions and multiples."""

    def ranged(match: re.Match[str]) -> str | None:
        if match[3] == "K" and match[2] in _BINARY:
            return None
        return f"{match[1]} to {match[2]} {_WORDS[match[3]]}"

    def short(match: re.Match[str]) -> str | None:
        figures, letter, plus = match.groups()
        if _LABELLED.search(match.string[max(0, match.start() - 20) : match.start()]):
            return None
        after = word_after(match).lower()
        if letter in "BM" and after in _MODELS:
            return f"{figures} {letter}"
        is_race = letter in "kK" and (
            after in _RACES or (word_before(match).lower() in _RUN and (not after or after in _AFTER_RUN))
        )
        size = "K" if is_race or (letter == "K" and figures in _BINARY) else _WORDS[letter]
        return f"{figures} {size}{' plus' if plus else ''}"

    def lines(match: re.Match[str]) -> str:
        rate = f" {count(match[3], tongue)}" if match[3] else ""
        return f"{_lines(match[1], tongue)} {match[2].upper()}{rate}"

    def times(match: re.Match[str]) -> str:
        return f"{match[1]} {'times' if word_after(match).lower() in _COMPARED or '×' in match.group() else 'X'}"

    draft.say(_MANY, lambda match: _MANY_WORDS[match[1].replace(",", "")])
    draft.say(_LINES, lines)
    draft.rewrite(_RANGE, ranged)
    draft.rewrite(_SHORT, short)
    draft.rewrite(_TIMES, times)
    draft.rewrite(_PLUS, lambda _match: " plus")


def _lines(figures: str, tongue: Tongue) -> str:
    if len(figures) == 4:
        return f"{count(figures[:2], tongue)} {count(figures[2:], tongue)}"
    return f"{count(figures[0], tongue)} {count(figures[1:], tongue)}" if figures[1] != "0" else count(figures, tongue)
