"""Signs of arithmetic and algebra: 2 + 2 = 4, x², 10^6, 1e-6, x <= 5, ±3, √2.

Only the signs are replaced; the numbers stay open to the rules for units, decimals and plain figures.
"""

import re

from primavoce.normalize.draft import HELD, Draft
from primavoce.normalize.english.context import text_before
from primavoce.normalize.english.figures import NOT_INSIDE, SPACE, code, count
from primavoce.normalize.tongue import Tongue
from primavoce.text.languages.rules import words

_HIGH = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ⁿⁱ", "0123456789-+ni")
_LOW = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_MINUS = "[-−–]"
_BASE = rf"(?:(?<=[\d)\]{HELD}πθλ])|(?<=(?<![A-Za-z])[A-Za-z])|(?<=\bmc))"
_ONLY_UNIT = re.compile(r"(?:\d[ \u00a0]?|/)(?:m|s)\Z|(?<![A-Za-z])(?:km|cm|mm|ft|in|yd|mi)\Z")

_SCIENTIFIC = re.compile(rf"{NOT_INSIDE}({_MINUS}?\d{{1,15}}(?:\.\d{{1,15}})?)[eE]([-−+]?)(\d{{1,3}})(?!\w|\.\d)")
_BARE_POINT = re.compile(r"(?<![\w.,)])\.(?=\d{1,6}(?![\w.]\d))")
_PER_UNIT = re.compile(r"[ ]?(?<![A-Za-z])([A-Za-z]{1,4})⁻¹")
_PER_NAMES = {"s": "second", "mol": "mole", "m": "meter", "kg": "kilogram", "h": "hour", "K": "kelvin", "L": "liter"}
_DOUBLE_STAR = re.compile(r"(?<=[\w)\]])[ ]?\*\*[ ]?(?=[\w(])")
_STEPPED = re.compile(r"(?<=[\w)\]])[ ]([-+*/])=(?=[ ])")
_TIMES_TEN = re.compile(rf"{SPACE}?[×x·*]{SPACE}?10(?=\^|[⁰¹²³⁴-⁹⁻])")
_POWER = re.compile(
    rf"{_BASE}\^(?:\{{({_MINUS}?\w{{1,6}})\}}|\(({_MINUS}?\w{{1,6}})\)|({_MINUS}?(?:\d{{1,6}}|[A-Za-z])))(?!\w)"
)
_HIGH_POWER = re.compile(rf"{_BASE}([⁻⁺]?[⁰¹²³⁴-⁹]{{1,4}}|ⁿ|ⁱ)(?!\w)")
_LOW_FIGURES = re.compile(r"(?<=[A-Za-z)])([₀-₉]{1,4})")
_ROOT = re.compile(rf"(√|∛){SPACE}?(?=[\w(])")
_ABOUT = re.compile(rf"±{SPACE}?(?=\d)")
_ORDER = re.compile(r"(?<![\w.])([OΘΩ])\(([^()\n]{1,30})\)(?!\w)")
_GIVEN = re.compile(r"(?<!\w)P\(([A-Za-z])[ ]?\|[ ]?([A-Za-z])\)")
_NAMED_FUNCTION = re.compile(r"(?<![\w.])(sin|cos|tan|log|ln|exp)(\d{1,2})?\(([^()\n]{1,20})\)")
_FUNCTION_NAMES = {"sin": "sine", "cos": "cosine", "tan": "tangent", "log": "log", "ln": "natural log", "exp": "exp"}
_FUNCTION = re.compile(r"(?<![\w.])([fghPT])\(([a-zA-Z0-9])\)(?!\w)")
_FACTORIAL = re.compile(rf"(?<=\d)!(?={SPACE}?[=+*/×÷])")

_OPERAND_BEFORE = rf"(?:(?<=[\w)\]%°{HELD}]){SPACE}?)"
_OPERAND_AFTER = rf"(?:{SPACE}?(?=[-−+]?[\w(√πθ$€£¥{HELD}]))"
_COMPARISON = re.compile(
    rf"(?:(?<=[\w)\]%°'\"{HELD}])|^|(?<=[\s(])){SPACE}?(<=|>=|=<|!=|==|≤|≥|≠|≈|≡|≪|≫|<|>){SPACE}?(?=[-−+]?[.$€£¥]?[\w({HELD}])"
)
_WORDS = {
    "<=": "less than or equal to",
    "=<": "less than or equal to",
    "≤": "less than or equal to",
    ">=": "greater than or equal to",
    "≥": "greater than or equal to",
    "<": "less than",
    ">": "greater than",
    "≪": "much less than",
    "≫": "much greater than",
    "!=": "does not equal",
    "≠": "does not equal",
    "==": "equals",
    "≡": "is equivalent to",
    "≈": "is approximately",
}
_NO_SUBJECT = words(
    "or and if when with of to for about is are was were be at in need needs use requires",
)
_EQUALS = re.compile(rf"{_OPERAND_BEFORE}(?<![=<>!])=(?![=>]){_OPERAND_AFTER}")
_PLUS = re.compile(rf"(?:(?<=[\d)%{HELD}]){SPACE}?|(?<=\b\w){SPACE}|(?<=\w{SPACE}))\+(?!\+){_OPERAND_AFTER}")
_SIGNED = re.compile(r"(?:(?<=[\s(])|^)\+(?=\d)")
_EQUATION_MINUS = re.compile(rf"(?<=\d)[-−–](?=\d{{1,9}}(?:\.\d{{1,9}})?{SPACE}?=)")
_SPACED_MINUS = re.compile(
    rf"(?:(?<=[\d){HELD}]){SPACE}|(?<=\b[A-Za-z]){SPACE}|(?<=\d[a-z]){SPACE})[-−]{SPACE}(?=\d|[a-z]\b|\(|[{HELD}√π])"
)
_TRUE_MINUS = re.compile(rf"(?:{SPACE}|(?<=[\d)A-Za-z{HELD}])|^|(?<=\())−{SPACE}?(?=[\w({HELD}])")
_SCREEN = re.compile(rf"(?<![\w.,])(\d{{3,5}}){SPACE}?[x×]{SPACE}?(\d{{3,5}})(?!\w|\.\d|{SPACE}?[cmk]?m\b|{SPACE}?=)")
_SIZE = re.compile(
    rf"(?<![\w.,])(\d{{1,6}}(?:\.\d{{1,3}})?)({SPACE}?)([x×])\2(?=(\d{{1,6}}(?:\.\d{{1,3}})?)(?![\w.]*\^)"
    rf"({SPACE}?(?:[cmkd]?m|in|inch|inches|ft|feet|px|pixels?|meters?|metres?|cards?|grid|matrix|array|image|photo|print)\b)?)"
)
_RESULT_NEXT = re.compile(r"\d{1,6}(?:\.\d{1,3})?[ ]?=")
_TIMES = re.compile(rf"(?:(?<=[\d)πA-Za-z{HELD}])){SPACE}?[×·⋅∙]{SPACE}?(?=[\d(πA-Za-z{HELD}√−-])")
_STAR = re.compile(rf"(?:(?<=[\d)]){SPACE}?|(?<=\b[A-Za-z]){SPACE})\*{SPACE}?(?=[\d(]|[A-Za-z]\b)")
_TIMES_ALONE = re.compile(r"(?:(?<=[\s(])|^)×(?=\d)")
_DIVIDED = re.compile(rf"(?:(?<=[\d)A-Za-z{HELD}])){SPACE}?÷{SPACE}?(?=[\d(A-Za-z])|(?<=\d){SPACE}/{SPACE}(?=\d)")
_EQUATION_SLASH = re.compile(rf"(?<=\d)/(?=\d{{1,9}}{SPACE}?=)")
_NAMES = {
    "π": "pi",
    "∞": "infinity",
    "∑": "the sum of",
    "∫": "the integral of",
    "∂": "partial",
    "∆": "delta",
    "∝": "is proportional to",
    "∈": "in",
    "∉": "not in",
    "∪": "union",
    "∩": "intersection",
    "⊂": "is a subset of",
    "∅": "the empty set",
    "∀": "for all",
    "∃": "there exists",
    "∴": "therefore",
}
_STEPS = {"+": "plus", "-": "minus", "*": "times", "/": "divided by"}
_NAMED = re.compile(f"[{''.join(_NAMES)}]")


def powers(draft: Draft, tongue: Tongue) -> None:
    """Say powers, roots and numbers with an exponent."""

    def scientific(match: re.Match[str]) -> str:
        figures, sign, power = match.groups()
        return f"{_signed(figures)} times 10{_power(sign.replace('−', '-') + power.zfill(2), tongue)}"

    def power(match: re.Match[str]) -> str:
        return _power((match[1] or match[2] or match[3]).replace("−", "-").replace("–", "-"), tongue)

    def high_power(match: re.Match[str]) -> str | None:
        before = match.string[max(0, match.start() - 8) : match.start()]
        if _ONLY_UNIT.search(before):
            return None  # m² is a unit
        return _power(match[1].translate(_HIGH), tongue)

    draft.rewrite(_BARE_POINT, lambda _match: "0.")
    draft.rewrite(_PER_UNIT, lambda match: f" per {_PER_NAMES.get(match[1], match[1])}")
    draft.rewrite(_SCIENTIFIC, scientific)
    draft.rewrite(_TIMES_TEN, lambda _match: " times 10")
    draft.rewrite(_POWER, power)
    draft.rewrite(_HIGH_POWER, high_power)
    draft.rewrite(_LOW_FIGURES, lambda match: f" {count(match[1].translate(_LOW), tongue)} ")
    draft.rewrite(_ROOT, lambda match: f"the {'square' if match[1] == '√' else 'cube'} root of ")
    draft.rewrite(_ABOUT, lambda _match: "plus or minus ")
    draft.rewrite(_GIVEN, lambda match: f"P of {match[1]} given {match[2]} ")
    draft.rewrite(_NAMED_FUNCTION, lambda match: f"{_FUNCTION_NAMES[match[1]]} {match[2] or ''} of {match[3]}")
    draft.rewrite(_ORDER, lambda match: f"{match[1]} of {match[2]}")
    draft.rewrite(_FUNCTION, lambda match: f"{match[1]} of {match[2]}")
    draft.rewrite(_FACTORIAL, lambda _match: " factorial")


def mathematics(draft: Draft, tongue: Tongue) -> None:
    """Write signs between operands as words."""

    def screen(match: re.Match[str]) -> str:
        return f"{code(match[1], tongue)} by {code(match[2], tongue)}"

    def size(match: re.Match[str]) -> str:
        first, _, sign, _, unit = match.groups()
        if _RESULT_NEXT.match(match.string, match.end()):
            return f"{first} times "
        return f"{first} {'by' if sign == 'x' or unit else 'times'} "

    def comparison(match: re.Match[str]) -> str | None:
        if match[1] in {"<", ">"} and match.string[match.end()].isalpha() and not _is_even(match):
            return None  # a tag
        words = text_before(match).split() if match.start() else []
        has_subject = bool(words) and words[-1].lower() not in _NO_SUBJECT and words[-1][-1] not in "(,:;"
        said = _WORDS[match[1]]
        return f" {'is ' if has_subject and said.endswith(('than', 'to')) and said[:3] != 'is ' else ''}{said} "

    draft.rewrite(_DOUBLE_STAR, lambda _match: " to the power of ")
    draft.rewrite(_STEPPED, lambda match: f" {_STEPS[match[1]]} equals")
    draft.rewrite(_EQUATION_MINUS, lambda _match: " minus ")
    draft.rewrite(_EQUATION_SLASH, lambda _match: " divided by ")
    draft.say(_SCREEN, screen)
    draft.rewrite(_SIZE, size)
    draft.rewrite(_COMPARISON, comparison)
    draft.rewrite(_EQUALS, lambda _match: " equals ")
    draft.rewrite(_PLUS, lambda _match: " plus ")
    draft.rewrite(_SIGNED, lambda _match: "plus ")
    draft.rewrite(_SPACED_MINUS, lambda _match: " minus ")
    draft.rewrite(_TRUE_MINUS, lambda _match: " minus ")
    draft.rewrite(_TIMES, lambda _match: " times ")
    draft.rewrite(_STAR, lambda _match: " times ")
    draft.rewrite(_TIMES_ALONE, lambda _match: "times ")
    draft.rewrite(_DIVIDED, lambda _match: " divided by ")
    draft.rewrite(_NAMED, lambda match: f" {_NAMES[match.group()]} ")


def _is_even(match: re.Match[str]) -> bool:
    """Whether the sign has an operand before it, and as much space there as after it."""
    written = match.group()
    return (
        match.start() > 0
        and written[:1].isspace() == written[-1:].isspace()
        and not match.string[match.start() - 1].isspace()
    )


def _power(exponent: str, tongue: Tongue) -> str:
    if exponent in {"2", "3"}:
        return " squared" if exponent == "2" else " cubed"
    number = exponent.lstrip("+-")
    said = count(number, tongue) if number.isdecimal() else number
    return f" to the power of {'minus ' if exponent.startswith('-') else ''}{said}"


def _signed(figures: str) -> str:
    return f"minus {figures[1:]}" if figures[0] in "-−–" else figures
