"""Where to look: pp. 12-15, §4.2, No. 7, vol. 2, fig. 3."""

import re

from primavoce.normalize.draft import Draft
from primavoce.normalize.english.figures import DASH, SPACE, count
from primavoce.normalize.tongue import Tongue
from primavoce.text.languages.rules import words

_WORDS = {
    "p": "page",
    "pp": "pages",
    "pg": "page",
    "pgs": "pages",
    "no": "number",
    "nos": "numbers",
    "nr": "number",
    "num": "number",
    "vol": "volume",
    "vols": "volumes",
    "fig": "figure",
    "figs": "figures",
    "ch": "chapter",
    "chap": "chapter",
    "chs": "chapters",
    "sec": "section",
    "sect": "section",
    "secs": "sections",
    "eq": "equation",
    "eqs": "equations",
    "art": "article",
    "arts": "articles",
    "para": "paragraph",
    "paras": "paragraphs",
    "ex": "example",
    "pt": "part",
    "bk": "book",
    "ed": "edition",
}
"""Cut short with a period, before a number → the word."""

_WORDS_TOO = words(
    "pt art sec ch ex ed no",
)
"""Those that may also end a sentence before one that begins with a letter."""

_CUT = re.compile(
    rf"(?<![\w.])({'|'.join(sorted(_WORDS, key=len, reverse=True))})\.{SPACE}?"
    r"(?=[#(]?(?:\d|[IVXLC]{1,6}\b|[A-Z]\.?\d))",
    re.IGNORECASE,
)
_BARE = re.compile(rf"(?<![\w.])(pp?|vol|[Ff]igs?){SPACE}(?=\d)")
_SIGN = re.compile(rf"(§§?|¶¶?|№){SPACE}?(?=\w)")
_SIGNS = {"§": "section", "§§": "sections", "¶": "paragraph", "¶¶": "paragraphs", "№": "number"}
_NUMBERED = re.compile(
    rf"(?<!\w)(sections?|chapters?|figures?|tables?|equations?|paragraphs?|articles?|steps?|appendix|clauses?|rules?|"
    rf"requirements?|exercises?|problems?|examples?|listings?){SPACE}([A-Z]\.)?(\d{{1,4}}(?:\.\d{{1,4}}){{1,5}})"
    rf"(?:{SPACE}?{DASH}{SPACE}?(\d{{1,4}}(?:\.\d{{1,4}}){{1,5}}))?([a-z]?)(?![\w%])(?!\.\d)",
    re.IGNORECASE,
)


def references(draft: Draft, tongue: Tongue) -> None:
    """Write out the words before numbers, and say the numbers of sections, whose points part levels."""

    def word(match: re.Match[str]) -> str | None:
        written = match[1]
        if match.string[match.end()] in "IVXLC" and written.lower() in _WORDS_TOO:
            return None  # No. I won't.
        said = _WORDS[written.lower()]
        return (said.capitalize() if written[0].isupper() and len(written) > 1 else said) + " "

    def levels(match: re.Match[str]) -> str:
        label, letter, figures, last, small = match.groups()
        said = f"{label} {letter.rstrip('.') + ' point ' if letter else ''}{_levels(figures, tongue)}"
        if last:
            said += f" to {_levels(last, tongue)}"
        return f"{said} {small.upper()}" if small else said

    draft.rewrite(_CUT, word)
    draft.rewrite(_BARE, word)
    draft.rewrite(_SIGN, lambda match: f"{_SIGNS[match[1]]} ")
    draft.say(_NUMBERED, levels)


def _levels(figures: str, tongue: Tongue) -> str:
    return " point ".join(count(part, tongue) for part in figures.split("."))
