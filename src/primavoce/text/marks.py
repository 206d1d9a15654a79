"""The characters that end, open and close sentences, in every script that is known here."""

import re

SOFT = ".．…!?‽⁇⁈⁉‼"
"""Marks that end a sentence only if what follows agrees: a period is also in 3.5, Dr. and example.com."""

STOPS = "。｡︒।॥۔።፨။។៕։᠃"
"""Full stops that mean nothing else: Chinese, Japanese, Hindi, Urdu, Amharic, Burmese, Khmer, Armenian, Mongol."""

ASKS = "！？؟፧⸮"
"""Question and exclamation marks that mean nothing else, but often come in twos: ？！"""

SEMICOLONS = ";\u037e"
"""A question mark in Greek, a clause mark elsewhere."""

CLAUSE = ",;:，、；：،؛·%&/\\|"
"""After one of these the sentence goes on, whatever mark came before."""

QUOTE_PAIRS = {
    '"': '"',
    "“": "”",
    "„": "“",
    "«": "»",
    "「": "」",
    "『": "』",
    "｢": "｣",
    "《": "》",
    "〈": "〉",
    "【": "】",
    "（": "）",
    "(": ")",
}
"""Opening mark → the mark that closes it. Single quotes are left out: most are apostrophes."""

QUOTES = frozenset(QUOTE_PAIRS) | frozenset(QUOTE_PAIRS.values())

NESTING = 8
"""Open quotes that are remembered; in a text that opens more and closes none, the oldest are forgotten."""

EMOJI = (
    "\u231a\u231b\u23e9-\u23f3\u23f8-\u23fa\u2600-\u27bf\u2b05-\u2b55"
    "\U0001f000-\U0001faff\ufe0f\u200d\u20e3\U000e0020-\U000e007f"
)
"""Pictographs and what joins or colours them, as ranges for a character class."""

OPENERS = frozenset("\"'“”‘’„‚«»‹›([{（「『｢《〈【*_~-–—‑>\u200e\u200f\u2066\u2067\u2068\ufeff")
"""Marks that may stand before the first letter of a sentence: quotes, brackets, emphasis, dashes."""

WORD_BREAKS = frozenset(" \t\n\r\u00a0\u202f\u3000\"'“”‘’„‚«»‹›()[]{}（）「」『』¿¡*_~`<>—–/|,;:!?…")
"""Marks that a word doesn't reach across, to the left of a period. An apostrophe is one: dell'avv. ends in avv."""

SPEAKABLE = re.compile(r"[^\W_]")
"""A letter or a digit: a sentence without one is not worth saying."""

CANDIDATE = re.compile(f"[\n`\\[{re.escape(SOFT + STOPS + ASKS + SEMICOLONS + ''.join(sorted(QUOTES)))}]")
"""The only characters at which the stream stops to think."""

RUN = re.compile(rf"[{SOFT}{STOPS}{ASKS}]*(?:[ \u00a0][.…]++(?!\w))*")
"""The rest of a run of marks: ?!, !!!, and dots set apart by spaces."""

SPACE = re.compile(r"[\s\u200b\ufeff]*")

_ALWAYS_CLOSE = r"”’»›)\]}」』）】》〉｣*_~\u200e\u200f\u2069¹²³⁴-⁹⁰"
_OTHER_CLOSERS = rf"""
    [“‘«‹](?!\w)                        # these close in German („…“, »…«) and open elsewhere
    | \[\d{{1,3}}\]                     # a numbered reference
    | (?<=\])\([^()\s]*\)               # where the link leads whose text the mark ended
    | </[A-Za-z]\w{{0,9}}> | <br[ ]?/?>  # what ends in HTML
    | [ \t\u00a0\u202f]*[{EMOJI}]       # a pictograph belongs to the sentence before it
    | [ \u00a0\u202f]{{1,2}}[»›”)\]}}](?!\w)  # closers set off by a space: French guillemets
"""
CLOSERS = re.compile(rf"""(?: ["'{_ALWAYS_CLOSE}] | {_OTHER_CLOSERS} )*""", re.VERBOSE)
"""All that may follow a mark and still belong to its sentence."""
CLOSERS_UNQUOTED = re.compile(rf"(?: [{_ALWAYS_CLOSE}] | {_OTHER_CLOSERS} )*", re.VERBOSE)
"""The same where no quotation is open: a straight quote then opens the next sentence (走吧！"好。")."""

STRAYS = re.compile(rf"[\s\u200b\ufeff”」』】》〉）)\]}}{STOPS}{ASKS}]*")
"""White space, and marks left over from the sentence before: closing ones, and second ones (。。)."""

PARTIAL_CLOSER = re.compile(r"\[\d{0,3} | (?<=\])\([^()\s]* | <(?:/(?:[A-Za-z]\w{0,9})? | br?[ ]?/?)?", re.VERBOSE)
"""One of the above of which the end may be still to come."""

_CJK = re.compile(
    "[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff]"
)
_GREEK = re.compile("[\u0370-\u03ff\u1f00-\u1fff]")
_THAI = re.compile("[\u0e00-\u0eff]")


def is_cjk(character: str) -> bool:
    """Whether ``character`` is of a script that writes sentences without a space between them."""
    return _CJK.match(character) is not None


def is_hangul(character: str) -> bool:
    """Whether ``character`` is Korean, which puts spaces between sentences."""
    return "\uac00" <= character <= "\ud7af"


def is_greek(character: str) -> bool:
    """Whether ``character`` is Greek: a semicolon after it asks."""
    return _GREEK.match(character) is not None


def is_thai(character: str) -> bool:
    """Whether ``character`` is Thai or Lao: a period after it abbreviates, since these end no sentence with one."""
    return _THAI.match(character) is not None


def after_quote(still_open: str, mark: str) -> str:
    """Return the closing marks still awaited, after ``mark``, when those of ``still_open`` were before it."""
    if mark in still_open:
        return still_open[: still_open.rindex(mark)]
    if mark in QUOTE_PAIRS:
        return (still_open + QUOTE_PAIRS[mark])[-NESTING:]
    return still_open


def past(pattern: re.Pattern[str], text: str, at: int, limit: int) -> int:
    """Return the position after what ``pattern`` matches ``at`` a place, or the place if it matches nothing."""
    match = pattern.match(text, at, limit)
    return match.end() if match else at
