"""Where to look: pp. 12-15, §4.2, No. 7, vol. 2, fig. 3."""

import re

from primavoce.normalize import labels
from primavoce.normalize.draft import HELD, Draft
from primavoce.normalize.english.figures import DASH, SPACE, code, count
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
_NO_FIGURE = re.compile(
    rf"(?<!\w)((?i:part|ref\.|reference|order|item|account|acct\.|serial|model|phone|tel\.|invoice|tracking|case|ticket)){SPACE}"
    rf"[Nn]o\.(?=[ ][a-z{HELD}])"
)
_BARE = re.compile(rf"(?<![\w.])(pp?|vol|[Ff]igs?){SPACE}(?=\d)")
_DOUBLED = re.compile(rf"\b((?i:sections?|sec\.?|art(?:icle|\.)|paragraphs?|para\.)){SPACE}[§¶]{{1,2}}{SPACE}?(?=\w)")
_LAW = re.compile(rf"(§){SPACE}?(\d{{3,4}})(?![\w%]|[.,]\d)")
_SUBSECTION = re.compile(r"(?<=\d)((?:\((?:\d{1,2}|[A-Za-z]|[ivx]{2,4})\)){1,4})(?![\w(])")
_SMALL_ROMAN = re.compile(
    rf"(?<!\w)([Aa]ct|[Ss]cene|[Bb]ook|[Pp]art|[Cc]hapter|[Pp]ages?|[Ss]ection|[Ii]tem){SPACE}([ivx]{{2,5}})(?![\w-]|\.\w)"
)
_NAME_AHEAD = re.compile(r"[A-Za-z_]\d{1,6}\Z")
_BOOKS = (
    "Genesis|Exodus|Leviticus|Numbers|Deuteronomy|Joshua|Judges|Ruth|Samuel|Kings|Chronicles|Ezra|Job|Psalms?|Proverbs|"
    "Ecclesiastes|Isaiah|Jeremiah|Ezekiel|Daniel|Hosea|Joel|Amos|Jonah|Micah|Matthew|Mark|Luke|John|Acts|Romans|"
    "Corinthians|Galatians|Ephesians|Philippians|Colossians|Thessalonians|Timothy|Titus|Hebrews|James|Peter|Jude|"
    "Revelation|Surah|Quran"
)
_VERSE = re.compile(rf"(?<!\w)({_BOOKS}){SPACE}(\d{{1,3}}):(\d{{1,3}})(?:[-–](\d{{1,3}}))?(?![\w:]|[.,]\d)")
_SIGN = re.compile(rf"(§§?|¶¶?|№){SPACE}?(?=\w)")
_HASH = re.compile(r"(?<=[a-z] )#(?=:)")
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

    def subsection(match: re.Match[str]) -> str | None:
        if _NAME_AHEAD.search(match.string, max(0, match.start() - 12), match.start()):
            return None  # log10(x)
        parts = re.findall(r"\w+", match[1])
        said = [count(part, tongue) if part.isdecimal() else _letter_or_roman(part, tongue) for part in parts]
        return f", {', '.join(said)}" if len(said) > 1 else f" {said[0]}"

    def verse(match: re.Match[str]) -> str:
        book, chapter, first, last = match.groups()
        said = f"{book} {count(chapter, tongue)}, {count(first, tongue)}"
        return f"{said} to {count(last, tongue)}" if last else said

    draft.say(_VERSE, verse)
    draft.rewrite(_DOUBLED, lambda match: f"{match[1]} ")
    draft.rewrite(_CUT, word)
    draft.rewrite(_BARE, word)
    draft.rewrite(_NO_FIGURE, lambda match: f"{match[1]} number")
    draft.say(_LAW, lambda match: f"section {code(match[2], tongue)}")
    draft.rewrite(_HASH, lambda _match: "number")
    draft.rewrite(_SIGN, lambda match: f"{_SIGNS[match[1]]} ")
    draft.say(_SUBSECTION, subsection)
    draft.say(_SMALL_ROMAN, lambda match: f"{match[1]} {_letter_or_roman(match[2], tongue)}")
    draft.say(_NUMBERED, levels)


_SMALL = dict(
    zip(
        ["ii", "iii", "iv", "vi", "vii", "viii", "ix", "xi", "xii", "xiii", "xiv"],
        (2, 3, 4, 6, 7, 8, 9, 11, 12, 13, 14),
        strict=True,
    )
)


def _letter_or_roman(text: str, tongue: Tongue) -> str:
    """Return a small numeral of two letters or more as a count, and a letter as such."""
    return count(_SMALL[text], tongue) if text in _SMALL else labels.letters(text)


def _levels(figures: str, tongue: Tongue) -> str:
    return " point ".join(count(part, tongue) for part in figures.split("."))
