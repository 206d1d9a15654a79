"""Roman numerals, only after a name or a word that takes one: Henry VIII, World War II, Chapter IV, MCMXCIV."""

import re

from primavoce.normalize.draft import Draft
from primavoce.normalize.english.context import word_before
from primavoce.normalize.english.figures import DASH, SPACE, count, place, year_words
from primavoce.normalize.tongue import Tongue
from primavoce.text.languages.rules import words

_WORTH = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
_VALID = re.compile(r"M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")
_NUMERAL = r"[IVXLC]{1,9}"
_WORDS = words(
    "DIM CV LID LCD MILD MIX CC LIVID VIVID CD XXX DC CIVIL CIVIC",
)

_LABELS = (
    "chapter|part|book|volume|act|scene|section|article|title|phase|type|class|stage|level|grade|tier|appendix|annex|"
    "schedule|figure|table|plate|canto|psalm|sonnet|symphony|sonata|concerto|opus|no\\.|number|division|corps|war|"
    "super bowl|game|round|zone|category|group|mark|mk|factor|vatican|step|lesson|unit|module|paragraph|amendment|"
    "episode|season|series|star wars|final fantasy|rocky|rambo|saw|apollo|gemini|los|wave|iphone|os|cohort|exhibit"
)
_LABELLED = re.compile(
    rf"(?<!\w)((?i:{_LABELS})(?i:s)?)({SPACE})({_NUMERAL})((?:(?:,{SPACE}|{SPACE}(?:and|or|to|through){SPACE}|{DASH}){_NUMERAL}(?!\w)){{0,4}})"
    r"(['’]s)?(?![\w’'-]|\.\w)"
)
_PARTS = re.compile(rf"{_NUMERAL}|[^IVXLC]+")

_RULERS = (
    "Henry Louis Elizabeth George Charles Edward Richard James William Philip Phillip Paul Benedict Pius Leo Francis "
    "Gregory Clement Innocent Napoleon Ramses Ramesses Catherine Peter Nicholas Alexander Frederick Otto Ferdinand "
    "Mary Margaret Haakon Harald Carl Gustav Gustaf Gustavus Emmanuel Emanuele Umberto Felipe Alfonso Ivan Darius "
    "Xerxes Ptolemy Cleopatra Thutmose Amenhotep Mehmed Selim Murad Suleiman Baldwin Robert David Christian Leopold "
    "Albert Rainier Franz Josef Joseph Wilhelm Ludwig Constantine Theodosius Justinian Basil Stephen Urban Boniface "
    "Celestine Sixtus Julius Adrian Martin Eugene Callixtus Pedro Manuel Afonso Rama Carlos Beatrix Juliana Margrethe "
    "Abdullah Mohammed Muhammad Antiochus Artaxerxes Cyrus Tiberius Maximilian Sigismund Casimir Ladislaus Matthias "
    "John Victor Michael Michele Andrew Magnus Olaf Eric Erik Canute Cnut Hussein Faisal Farouk Fuad"
)
_TITLES = words(
    "King Queen Pope Emperor Empress Tsar Czar Kaiser Prince Duke Sultan Shah Pharaoh Saint St",
)
_RULER = re.compile(rf"(?<!\w)({_RULERS.replace(' ', '|')})({SPACE})({_NUMERAL})(['’]s)?(?![\w’'-]|\.\w)")
_PERSON = re.compile(
    rf"(?<![\w.])([A-Z][a-z]{{1,20}}{SPACE}(?:[A-Z]\.{SPACE})?)([A-Z][a-z’']{{1,20}})(,?{SPACE})(II|III|IV|VI{{1,3}}|IX)(['’]s)?(?![\w’'-]|\.\w)"
)
_TITLED = re.compile(rf"(?<=[a-z])({SPACE})(I{{2,3}}|IV|VI{{1,3}}|IX|XI{{1,3}}|XI?V|XVI{{0,3}}|XI?X)(?![\w’'-]|\.\w)")
_CAPITALISED = re.compile(rf"(?:[.!?:]{SPACE}|^)?([A-Z][a-z]{{2,20}})\Z")
_YEAR = re.compile(r"(?<![\w.-])(M[CDXLVIM]{4,14})(?![\w-])")
_AFTER_FIRST = re.compile(rf"(?:['’]s\b|[,.;:!?)]|\Z|{SPACE}(?:of|ruled|reigned|died|became|who|in|and|at|on|from)\b)")
_VERB_AFTER = re.compile(
    rf"{SPACE}(?:am|have|had|was|will|would|can|could|like|liked|love|loved|want|wanted|think|thought|know|knew|need|"
    r"needed|did|do|don['’]t|read|made|wrote|saw|play|played|use|used|see|get|got|never|always|also|really|just)\b"
)
_GIVEN = frozenset(_RULERS.split()) | words(
    "Thomas Samuel Benjamin Anthony Hank Harry Walter Arthur Davis",
)


def roman(draft: Draft, tongue: Tongue) -> None:
    """Say numerals after rulers' names as ordinals, after titles and labels as counts; MCMXCIV as a year."""

    def ruler(match: re.Match[str]) -> str | None:
        name, gap, numeral, possessive = match.groups()
        value = _value(numeral, most=40)
        if value is None or numeral in {"L", "C"}:
            return None
        is_titled = word_before(match).rstrip(".") in _TITLES
        if numeral == "I" and not (is_titled or possessive or _AFTER_FIRST.match(match.string, match.end())):
            return None
        return f"{name}{gap}the {place(value, tongue)}{possessive or ''}"

    def labelled(match: re.Match[str]) -> str | None:
        label, gap, first, more, possessive = match.groups()
        if label.lower() == "no." and first == "I":
            return None  # No. I won't.
        if label == "War" and word_before(match) == "World" and not more and first in {"I", "II", "III"}:
            return f"{label}{gap}{_said(first, tongue)}{possessive or ''}"
        if not label[0].isupper() and (len(first) == 1 and _VERB_AFTER.match(match.string, match.end())):
            return None
        if first == "I" and (
            _VERB_AFTER.match(match.string, match.end()) or (label.islower() and not _takes_one(match))
        ):
            return None
        said = _said(first, tongue)
        rest = [_said(part, tongue) if part[0] in "IVXLC" else _between(part) for part in _PARTS.findall(more)]
        if said is None or any(part is None for part in rest):
            return None
        return f"{label}{gap}{said}{''.join(part or '' for part in rest)}{possessive or ''}"

    def person(match: re.Match[str]) -> str | None:
        given, family, gap, numeral, possessive = match.groups()
        value = _value(numeral, most=9)
        if given.split()[0] not in _GIVEN or value is None:
            return None
        return f"{given}{family}{gap}the {place(value, tongue)}{possessive or ''}"

    def titled(match: re.Match[str]) -> str | None:
        value = _value(match[2], most=39)
        before = _CAPITALISED.search(match.string[max(0, match.start() - 24) : match.start()])
        if value is None or before is None:
            return None
        starts = before.start(1) != before.start() or match.start() == len(before[1])
        if starts and match[2] in {"IV", "VI"}:
            return None  # Use VI; Start IV fluids
        return f" {count(value, tongue)}"

    def year(match: re.Match[str]) -> str | None:
        value = _value(match[1], most=2099)
        return year_words(value, tongue) if value and value >= 1000 else None

    draft.say(_RULER, ruler)
    draft.say(_LABELLED, labelled)
    draft.say(_PERSON, person)
    draft.say(_TITLED, titled)
    draft.say(_YEAR, year)


def _value(numeral: str, *, most: int) -> int | None:
    """Return the value of ``numeral``, or None if it is none or greater than ``most``."""
    if numeral in _WORDS or not _VALID.fullmatch(numeral):
        return None
    worth = [_WORTH[letter] for letter in numeral]
    value = sum(-this if this < after else this for this, after in zip(worth, [*worth[1:], 0], strict=True))
    return value if value <= most else None


def _said(numeral: str, tongue: Tongue) -> str | None:
    """Return the count that ``numeral`` is after a label; a single L or C is a letter there: Vitamin C, Plan C."""
    value = None if numeral in {"L", "C"} else _value(numeral, most=199)
    return None if value is None else count(value, tongue)


def _between(mark: str) -> str:
    return " to " if re.fullmatch(DASH, mark) else mark


def _takes_one(match: re.Match[str]) -> bool:
    """Whether a label in small letters may be followed by the numeral I: type I diabetes, not the part I know."""
    label = match[1].lower()
    return label in {"type", "class", "stage", "phase", "level", "grade", "tier", "factor"}
