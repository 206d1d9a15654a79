"""Words cut short: e.g., vs., Dr. Okafor, Main St., w/o. A period that also ends the sentence stays."""

import re

from primavoce.normalize.draft import HELD, Draft
from primavoce.normalize.english.context import closing_period, final_period, text_before, word_after, word_before
from primavoce.normalize.english.figures import SPACE
from primavoce.normalize.tongue import Tongue

_ALWAYS = {
    "e.g": "for example",
    "i.e": "that is",
    "vs": "versus",
    "approx": "approximately",
    "a.k.a": "also known as",
    "cf": "compare",
    "viz": "namely",
    "et al": "and others",
    "dept": "department",
    "depts": "departments",
    "govt": "government",
    "mgmt": "management",
    "avg": "average",
    "tel": "telephone",
    "ext": "extension",
    "incl": "including",
    "excl": "excluding",
    "esp": "especially",
    "misc": "miscellaneous",
    "temp": "temperature",
    "max": "maximum",
    "assn": "association",
    "natl": "national",
    "intl": "international",
    "univ": "university",
    "mtg": "meeting",
    "appt": "appointment",
    "appts": "appointments",
    "qty": "quantity",
    "cont": "continued",
    "resp": "respectively",
    "abbr": "abbreviated",
    "hwy": "highway",
    "n.b": "note well",
    "b.i.d": "twice a day",
    "t.i.d": "three times a day",
    "q.i.d": "four times a day",
    "p.r.n": "as needed",
    "w.r.t": "with respect to",
    "mfr": "manufacturer",
    "mfg": "manufacturing",
    "pkg": "package",
    "asst": "assistant",
    "atty": "attorney",
    "blvd": "boulevard",
    "acct": "account",
    "amt": "amount",
    "bldg": "building",
    "sched": "scheduled",
    "addl": "additional",
    "pop": "population",
    "y.o": "years old",
    "qtr": "quarter",
    "occ": "occasionally",
    "mgr": "manager",
    "cl": "clause",
    "amend": "amendment",
    "attn": "attention",
}
"""Written with a period, in any case → said."""
_CLOSING = {"etc": "et cetera", "inc": "incorporated", "ltd": "limited", "corp": "corporation", "bros": "brothers",
            "jr": "junior", "sr": "senior", "co": "company", "est": "established", "esq": "esquire"}  # fmt: skip
"""The same for those that a sentence often ends on; the last seven after a name, or before a year."""
_NO_PERIOD = {"vs": "versus", "aka": "also known as", "approx": "approximately", "etc": "et cetera", "ppl": "people"}
_SLASHED = {
    "w/": "with",
    "w/o": "without",
    "w/out": "without",
    "b/c": "because",
    "c/o": "care of",
    "n/a": "not applicable",
    "and/or": "and or",
    "he/she": "he or she",
    "she/he": "she or he",
    "his/her": "his or her",
    "him/her": "him or her",
    "s/he": "she or he",
    "yes/no": "yes or no",
    "w/in": "within",
    "y/y": "year over year",
    "m/m": "month over month",
    "q/q": "quarter over quarter",
    "y/o": "years old",
    "yr/old": "year old",
    "m/f": "male or female",
    "km/hr": "kilometers per hour",
    "either/or": "either or",
    "on/off": "on off",
}
_TITLES = {
    "Dr": "Doctor",
    "Prof": "Professor",
    "Rev": "Reverend",
    "Gen": "General",
    "Col": "Colonel",
    "Lt": "Lieutenant",
    "Sgt": "Sergeant",
    "Capt": "Captain",
    "Cmdr": "Commander",
    "Maj": "Major",
    "Adm": "Admiral",
    "Sen": "Senator",
    "Gov": "Governor",
    "Rep": "Representative",
    "Hon": "Honorable",
    "Fr": "Father",
    "Sr": "Sister",
    "Supt": "Superintendent",
    "Insp": "Inspector",
    "Atty": "Attorney",
    "Mt": "Mount",
    "Ft": "Fort",
    "Pt": "Point",
    "Messrs": "Messieurs",
}
"""Before a name. Mr., Mrs. and Ms. aren't here: every voice knows how to say them."""
_STREETS = {
    "St": "Street",
    "Ave": "Avenue",
    "Blvd": "Boulevard",
    "Rd": "Road",
    "Ln": "Lane",
    "Dr": "Drive",
    "Ct": "Court",
    "Pl": "Place",
    "Sq": "Square",
    "Pkwy": "Parkway",
    "Hwy": "Highway",
    "Ter": "Terrace",
}
_NAME = r"[A-Z][a-z’'A-Z.-]"
_ALWAYS_CUT = re.compile(
    rf"(?<![\w./@-])({'|'.join(re.escape(cut) for cut in sorted(_ALWAYS, key=len, reverse=True))})\.(?![\w@/])",
    re.IGNORECASE,
)
_CLOSING_CUT = re.compile(rf"(?<![\w./@-])({'|'.join(_CLOSING)})\.(?![\w@/])", re.IGNORECASE)
_WITHOUT_PERIOD = re.compile(rf"(?<![\w./@-])({'|'.join(_NO_PERIOD)})(?![\w./@’'-])", re.IGNORECASE)
_SLASH = re.compile(
    rf"(?<![\w./-])({'|'.join(re.escape(cut) for cut in sorted(_SLASHED, key=len, reverse=True) if cut != 'w/')}"
    rf"|w/(?=\w|{SPACE}))(?!/)(?:(?<=w/)|(?!\w))",
    re.IGNORECASE,
)
_VERSUS = re.compile(rf"(?<=[\w.]){SPACE}v\.?{SPACE}(?=[A-Z])")
_TITLE = re.compile(rf"(?<![\w.])({'|'.join(_TITLES)})\.{SPACE}?(?={_NAME})|(?<![\w.])(Dr|Prof){SPACE}(?={_NAME})")
_SENIOR = re.compile(
    rf"(?<![\w.])Sr\.?{SPACE}(?=(?:Product|Software|Project|Program|Engineer|Engineering|Manager|Mgr|Director|Analyst|Vice|VP|"
    r"Developer|Designer|Consultant|Account|Data|Staff|Sales|Associate|Counsel|Editor|Technical|Systems?)\b)"
)
_STREET = re.compile(rf"(?<=[\w{HELD}.])({SPACE})({'|'.join(_STREETS)})(?:\.|\b)(?!\w|[’'-]\w)")
_QUARTER = re.compile(rf"{SPACE}(?:[NSEW]|N[EW]|S[EW])\b")
_SAINT = re.compile(rf"(?<![\w.])(St|Ste)\.?{SPACE}(?={_NAME})")
_HOUSE = re.compile(
    rf"(?:\b\d{{1,5}}{SPACE}(?:[NSEW]\.?{SPACE})?(?:[A-Z][a-z]{{1,20}}{SPACE}){{0,2}}[A-Z][a-z]{{1,20}}|[{HELD}]|\d(?:st|[nr]d|th))\Z"
)
_CAPITALISED = re.compile(rf"[A-Z][A-Za-z’'-]{{0,30}}\Z|[{HELD}]\Z")
_CAPITAL_NEXT = re.compile(rf"{SPACE}[A-Z][a-z]")
_CIRCA = re.compile(rf"(?<![\w.])(?:ca?\.|circa){SPACE}?(?=\d{{3,4}}|{HELD})")


def slashes(draft: Draft, _tongue: Tongue) -> None:
    """Say words that are cut short by a slash, and pairs of words."""
    draft.say(_SLASH, lambda match: _cased(match[1], _SLASHED[match[1].lower()]))


def abbreviations(draft: Draft, _tongue: Tongue) -> None:
    """Write out words that are cut short by a period."""
    _names(draft)
    draft.say(_VERSUS, lambda _match: " versus ")
    draft.say(_ALWAYS_CUT, lambda match: _cased(match[1], _ALWAYS[match[1].lower()]) + final_period(match))
    draft.say(_CLOSING_CUT, _closing)
    draft.say(_WITHOUT_PERIOD, lambda match: _cased(match[1], _NO_PERIOD[match[1].lower()]))
    draft.say(_CIRCA, lambda _match: "circa")


def _names(draft: Draft) -> None:
    """Write out titles, saints and streets: St. John's on Main St."""

    def street(match: re.Match[str]) -> str | None:
        gap, cut = match.groups()
        before = match.string[max(0, match.start() - 60) : match.start()]
        if not _CAPITALISED.search(before) or word_before(match).endswith("."):
            return None
        if cut in {"St", "Dr"} and _CAPITAL_NEXT.match(match.string, match.end()) and not _HOUSE.search(before):
            return None  # In St. Louis, Ask Dr. Okafor
        if cut in {"Pl", "Ct", "Sq", "Ter"} and not match.group().endswith("."):
            return None
        one_sentence = cut in {"St", "Dr"} or _QUARTER.match(match.string, match.end())
        period = final_period(match) if one_sentence else closing_period(match)
        return f"{gap}{_STREETS[cut]}{period}"

    draft.say(_STREET, street)
    draft.say(_SAINT, lambda _match: "Saint ")
    draft.say(_SENIOR, lambda _match: "Senior ")
    draft.say(_TITLE, lambda match: f"{_TITLES[match[1] or match[2]]} ")


def _closing(match: re.Match[str]) -> str | None:
    cut = match[1].lower()
    if cut not in {"etc", "est"} and not _after_name(match):
        return None
    if cut == "est" and not re.match(rf"{SPACE}(?:\d|{HELD})", match.string[match.end() : match.end() + 2]):
        return _cased(match[1], "estimated") if word_after(match)[:1].islower() else None
    word = _CLOSING[cut]
    said = word.capitalize() if match[1][0].isupper() else word
    return said + (closing_period(match) if cut == "etc" else final_period(match))


def _after_name(match: re.Match[str]) -> bool:
    words = text_before(match).rstrip().rstrip(",").split()
    return (
        bool(words)
        and (words[-1][0].isupper() or words[-1] in {"&", "and"} or HELD in words[-1])
        and not _is_title(words[-1])
    )


def _is_title(word: str) -> bool:
    return word in {"Mr.", "Mrs.", "Ms.", "Dr."}


def _cased(written: str, words: str) -> str:
    return words.capitalize() if written[0].isupper() and not written.isupper() else words
