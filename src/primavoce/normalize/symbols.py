"""Symbols in prose: names for those that mean something, commas for arrows, and the last rule, which drops the rest."""

import re
import unicodedata

from primavoce.normalize import money
from primavoce.normalize.draft import HELD, Draft, left_out
from primavoce.normalize.tongue import Tongue

_COMPATIBLE = re.compile(
    "[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff05\uff04\uff0b\uff1d\uffe5\u2460-\u2473\u2160-\u217f\ufb00-\ufb06\u3300-\u33ff"
    "\u2070\u2074-\u2079\u2080-\u2089\u2100-\u2101\u2103\u2105\u2109\u2116\u2121\U0001d400-\U0001d7ff\u00ad\u2044]"
)
_INVISIBLE = re.compile(
    "[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffc"
    "\U000e0000-\U000e01ef]|(?<![\u0900-\u0dff\u0600-\u06ff])[\u200c\u200d]"
)
_VULGAR = re.compile(r"(?:(?P<whole>\d)[ ]?)?(?P<vulgar>[¼-¾⅐-⅞])")

_ARROW = re.compile(r"(?<![ \t])[ \t]*+(?:[←-⇿⟵-⟿➔-➾⬅-⬇]|<?[-=]{1,3}>)++[ \t]*")
_COMPARED = re.compile(
    rf"(?<![\w)%{HELD}])(?P<sign>[<>≤≥]=?)"
    rf"(?:|(?<![\w)%{HELD}] [<>≤≥])(?<![\w)%{HELD}] [<>]=)[ ])(?P<figure>[€$£]?\d[\d.,]{{0,20}}+)"
)
"""A sign right before a number, >5, or with a space where nothing stands before it to be compared: (> 5)."""
_ABOUT = re.compile(rf"[~≈∼](?=[ ]?(?:[€$£]|\d|{HELD}))")
_MENU = re.compile(r"(?<=[^\W\d_][^\W\d_])[ ]>[ ](?=[^\W\d_a-zà-ÿ][^\W\d_])")
"""From one menu to the next: Settings > Wi-Fi."""
_OPERATOR = re.compile(r"(?:===?|!==?|>=|<=|&&|\|\||[=≠≈≤≥<>÷×∗·√∞±&@§¶©^])")
_BETWEEN = re.compile(rf"(?<=[\w)²³%{HELD}])(?P<left>[ ]?)(?P<sign>[-+−*/^])(?P<right>[ ]?)(?=[\w(√∞{HELD}-])")
_BY = re.compile(rf"(?<=[\d{HELD}])[ ]?[x×][ ]?(?=[\d{HELD}])")
_SLASHED = re.compile(r"[^\W\d_]{1,30}+(?:/[^\W\d_]{1,30}+){1,12}(?![/\w])")
_SLASH = re.compile(rf"(?:(?<=[^\W_])|(?<={HELD})) ?/ ?(?:(?=[^\W_])|(?={HELD}))")
_NUMBERED = re.compile(r"(?:#|№|N[º°])[ ]?(?=\d)")
_SHARP = re.compile(r"(?<!\w)(?P<name>[CFJ])#(?!\w)")
_PLUSES = re.compile(r"(?<=\b[A-Za-z])\+\+(?!\w)")
_SQUARED = re.compile(r"(?<=\w)[²³]")
_MONEY = re.compile("|".join(re.escape(sign) for sign in money.SIGNS))
_DASHES = re.compile(r"(?<!-)-{2,3}(?!-)")
_PARTS = re.compile(r"(?<![ ])[ ]*+[|•·‣▪][ ]*+")

_KEPT = frozenset(".,;:!?…¡¿‽\"“”„‘’‚'«»‹›()[]{}-–—‐‑、。，！？：；（）「」『』《》〈〉【】・।॥" + HELD)


def plain_forms(draft: Draft, tongue: Tongue) -> None:
    """Write full-width and ornamental letters and figures plainly, and take out what can't be seen."""
    draft.rewrite(_COMPATIBLE, lambda match: _plain(match.group()))
    draft.drop(_INVISIBLE, "characters that can't be seen")
    if tongue.numerals is not None:
        draft.rewrite(_VULGAR, _ascii_fraction)


def _plain(char: str) -> str:
    if char == "\u00ad":
        return ""
    return unicodedata.normalize("NFKC", char).replace("\u2044", "/")


def _ascii_fraction(match: re.Match[str]) -> str:
    fraction = _plain(match["vulgar"])
    return f"{match['whole']} {fraction}" if match["whole"] else fraction


def compared_numbers(draft: Draft, tongue: Tongue) -> None:
    """Say a sign before a number: >5 "more than five", ~5 "about five", #1 "number one"."""
    space = _space(tongue)
    draft.rewrite(_NUMBERED, lambda _: f"{tongue.symbols['#']}{space}")
    draft.rewrite(_COMPARED, lambda match: _compared(match, tongue))
    draft.rewrite(_ABOUT, lambda _: f"{tongue.phrases['about']}{space}")


def _compared(match: re.Match[str], tongue: Tongue) -> str | None:
    name = {"<": "less_than", ">": "more_than", "≤": "at_most", "≥": "at_least", "<=": "at_most", ">=": "at_least"}
    form = tongue.phrases.get(name.get(match["sign"], ""))
    if not form:
        return None
    touches = match.start() > 0 and match.string[match.start() - 1] in ",;"
    return f"{_space(tongue) if touches else ''}{form.format(n=match['figure'])}"


def arithmetic(draft: Draft, tongue: Tongue) -> None:
    """Say the signs between numbers: 3 + 4 = 7, 2 × 5, 10 − 4, 8 / 2, 2^8."""
    draft.rewrite(_SHARP, lambda match: f"{match['name']} {_sharp(tongue)}")
    plus = tongue.symbols["+"]
    draft.rewrite(_PLUSES, lambda _: f" {plus} {plus}")
    powers = {"²": tongue.phrases["squared"], "³": tongue.phrases["cubed"]}
    draft.rewrite(_SQUARED, lambda match: f"{_space(tongue)}{powers[match.group()]}")
    draft.rewrite(_BETWEEN, lambda match: _between(match, tongue))
    draft.rewrite(_BY, lambda _: f"{_space(tongue)}{tongue.phrases['by']}{_space(tongue)}")


def _between(match: re.Match[str], tongue: Tongue) -> str | None:
    sign, spaced = match["sign"], bool(match["left"] and match["right"])
    before, after = match.string[match.start() - 1], match.string[match.end() : match.end() + 1]
    by_figures = _counts(before) and _counts(after)
    if bool(match["left"]) != bool(match["right"]):
        return None
    name = ""
    match sign:
        case "+" if spaced or by_figures:
            name = tongue.symbols["+"]
        case "+":
            name = tongue.symbols["+"] if before.isalnum() and after.isalnum() else ""
        case "−" if spaced or by_figures:
            name = tongue.symbols["−"]
        case "-" if spaced and by_figures and "=" in match.string:
            name = tongue.symbols["−"]
        case "*" if by_figures or (spaced and "=" in match.string):
            name = tongue.symbols["×"]
        case "/" if spaced and by_figures and (HELD not in before + after or "=" in match.string):
            name = tongue.phrases["divided"]
        case "^":
            name = tongue.symbols["^"]
    return f" {name} " if name else None


def _counts(char: str) -> bool:
    return char.isdecimal() or char in {HELD, ")", "(", "√", "∞", "%"}


def symbols(draft: Draft, tongue: Tongue) -> None:
    """Say the symbols that are left by their names, or as a pause."""
    comma = "、" if tongue.tag == "ja" else "，" if tongue.tag == "zh" else ", "
    draft.rewrite(_ARROW, lambda match: comma if _has_left(match) else " ")
    draft.rewrite(_MENU, lambda _: comma)
    draft.rewrite(_OPERATOR, lambda match: _named(match, tongue))
    draft.rewrite(_PARTS, lambda match: comma if _has_left(match) else " ")
    draft.rewrite(_SLASHED, lambda match: match.group().replace("/", " " if match.group().count("/") == 1 else comma))
    draft.rewrite(_DASHES, lambda _: "—")
    draft.rewrite(_MONEY, lambda match: f" {money.currency_names(money.SIGNS[match.group()], tongue)[1]} ")
    for sign, name in (("%", tongue.phrases["percent"]), ("‰", tongue.phrases["permille"])):
        draft.rewrite(re.compile(rf"(?<![A-Za-z]){sign}(?![A-Za-z])"), lambda _, name=name: f" {name} ")  # type: ignore[misc]
    draft.rewrite(_SLASH, lambda _: comma)
    draft.rewrite(re.compile(r"(?<=[^\W_]) ?\+(?= ?[^\W_])"), lambda _: f" {tongue.symbols['+']} ")


_MEANS = {"==": "=", "===": "=", "!=": "≠", "!==": "≠", "<=": "≤", ">=": "≥", "&&": "&", "||": "|", "∗": "×"}


def _named(match: re.Match[str], tongue: Tongue) -> str | None:
    sign = _MEANS.get(match.group(), match.group())
    if sign in "<>" and not (_has_left(match) and match.string[match.end() : match.end() + 8].strip()):
        return None  # a stray bracket
    if sign == "·":
        return None
    return f" {tongue.symbols[sign]} "


def _has_left(match: re.Match[str]) -> bool:
    """Whether there is something to be heard before the symbol, and no mark yet."""
    left = match.string[max(0, match.start() - 8) : match.start()].rstrip()[-1:]
    return bool(left) and (left.isalnum() or left in f'{HELD})]"”»%')


def _sharp(tongue: Tongue) -> str:
    return {"hi": "शार्प", "ja": "シャープ", "zh": "井"}.get(tongue.tag, "sharp")


def _space(tongue: Tongue) -> str:
    return "" if tongue.tag in {"ja", "zh"} else " "


def leftovers(draft: Draft, _tongue: Tongue) -> None:
    """Drop what nobody can read: symbols without a name, box drawing, private characters."""
    spans = []
    for match in re.finditer(r"[^\w\s]+|_+", draft.text):
        spans += [
            (match.start() + at, match.start() + at + 1, "")
            for at, char in enumerate(match.group())
            if not _is_read(char)
        ]
    if spans:
        left_out(len(spans), "symbols without a name")
        draft.edit(spans)


def _is_read(char: str) -> bool:
    return char in _KEPT or unicodedata.category(char)[0] in "LMN"
