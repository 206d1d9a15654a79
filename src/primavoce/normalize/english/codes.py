"""Numbers that are names: cards, orders, flights, rooms, errors, GPT-4."""

import re

from primavoce.normalize import labels
from primavoce.normalize.draft import HELD, Draft
from primavoce.normalize.english.context import word_before
from primavoce.normalize.english.figures import SPACE, code, count, spelled
from primavoce.normalize.tongue import Tongue
from primavoce.text.languages.rules import words as word_set

_CARD = re.compile(r"(?<![\w.,/-])((?:\d{4}[ -]){3}\d{1,4})(?![\w-]|[.,]\d)")
_DASHED = re.compile(r"(?<![\w.,/-])(\d{1,10}(?:-\d{1,10}){2,6}(?:-[\dXx])?)(?![\w-]|[.,/]\d)")
_LONG = re.compile(r"(?<![\w.,/$€£¥-])(\d{10,40})(?![\w%°]|[.,:/]\d)")
_ZEROS = re.compile(r"(?<![\w.,:/$€£¥-])(0\d{1,39})(?![\w%°]|[.,:/-]\d)")
_IDENTIFIER = re.compile(
    r"(?i:\b(order|ticket|invoice|account|booking|reservation|confirmation|reference|ref|case|tracking|customer|member|"
    r"membership|serial|policy|id|pin|otp|passcode|code|zip|zip code|postcode|part|patient|receipt))"
    rf"((?i:\.|{SPACE}id|{SPACE}number|{SPACE}code|{SPACE}no\.?|{SPACE}is){{0,3}}:?{SPACE}?)(#?){SPACE}?"
    r"(?<!\d)(\d{4,40})(?![\w%°]|[.,:/-]\d)"
)
_FILED = re.compile(
    rf"(?i:\b((?:case|docket|invoice|ref(?:erence)?\.?|policy|file|claim)(?:{SPACE}(?:no\.|number))?|no\.)){SPACE}#?(\d{{2,6}}-\d{{4,8}})(?![\w-]|[.,]\d)"
)
_HEX = re.compile(r"(?<![\w.])0([xb])([0-9a-fA-F]{1,16})(?!\w)")
_NO = re.compile(r"\b([Nn])o\.?\Z")
_ZERO_LED = re.compile(r"(?<![\w.,/$€£¥-])(0\d{1,9}-\d{2,10}|\d{2,10}-0\d{2,9})(?![\w-]|[.,/:]\d)")
_STATE_ZIP = re.compile(
    r"(?<!\w)(A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|"
    rf"V[AT]|W[AIVY]){SPACE}(\d{{5}})(?:-(\d{{4}}))?(?![\w-]|[.,]\d)"
)
_NUMBERED = re.compile(
    r"(?i:\b(room|suite|flight|route|highway|interstate|apartment|apt\.?|error|status|status code|http|rfc|iso|boeing|"
    rf"airbus|gate|bus|train|code|rtx|gtx|rx|peugeot|porsche|area|extension|ext\.?|form|section|title|nikon|canon))({SPACE}|-)"
    rf"(\d{{3,4}})(s?)(?![\w%°-]|[.,:/]\d)"
)
_STATUS = re.compile(
    rf"(?<![\w.,$€£/-])([1-5]\d\d)(?={SPACE}(?i:errors?|pages?|redirects?|responses?|status|not found|bad|forbidden|"
    r"unauthori[sz]ed|internal server|service unavailable|gateway)\b|[ \u00a0]OK\b)"
)
"""What a web server answers: "a 404 error", "502 Bad Gateway"."""
_AIRCRAFT = re.compile(r"(?<![\w.,$€£/-])(7[0-8]7)s(?!\w)")
_VARIANT = re.compile(r"(?<![\w.,$€£/-])(7[0-8]7|A3[0-8]\d)-(\d{1,4})(ER|LR|F)?(?![\w-]|[.,]\d)")
_SHORT_CODE = re.compile(r"(?<=\bto )(?<![\w.,$€£/-])(\d{5,6})(?=\.?\Z|[,.;] (?:for|to)\b)")
_FLIGHT = re.compile(
    r"(?<![\w-])(AA|AC|AF|AI|AY|AZ|B6|BA|CX|DL|EI|EK|EY|FR|IB|JL|KL|LH|LO|LX|NH|OS|QF|QR|SK|SQ|TK|TP|U2|UA|VS|VY|W6|WN)"
    rf"{SPACE}?(\d{{3,4}})(?![\w%°-]|[.,:/]\d)"
)
_LETTERED = re.compile(r"(?<![\w.,/@#$€£¥&+-])(#?)([A-Z]{1,5})(-?)(\d{1,12})(s?)(?![\w%°]|[.,:/]\d|-\d|['’]\w)")
_MODEL = re.compile(
    r"(?<![\w.,/@#$€£¥&+-])([A-Z]{2,5}-|[A-Z][a-z]{2,12}-?)(\d{1,3})(?:\.(\d{1,3}))?([a-z]?)(?:-(\d{1,3})([BM]))?(?![\w%°]|[.,:/]\d)"
)
_HASH = re.compile(
    r"(?<![\w.,/-])(?=[a-f]{0,12}\d)(?=\d{0,12}[a-f])([0-9a-f]{7,16}|[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})(?![\w-]|\.\w)"
)
_MIXED = re.compile(
    r"(?<![\w.,/@#$€£¥&+-])((?=[A-Za-z-]{0,8}\d)(?=[A-Z0-9iu-]{0,24}(?:\d-?[A-Z]|[A-Z]-?\d))"
    r"(?:[A-Z]{1,5}|\d{1,12}|[iu](?=\d))(?:-?(?:[A-Z]{1,5}|\d{1,12})){1,6}+)(?![\w%°]|[.,:]\d|-\w|['’]\w)"
)
_ATTACHED = re.compile(r"(?<=\d)[A-Z]+")
_MIXED_PART = re.compile(r"\d+|[A-Za-z]+")
_AFTER_FIGURES = word_set(
    "BC AD BCE CE AM PM KM KG MB GB TB KB PB HZ KHZ MHZ GHZ V W KW MW GW KWH L M K B T USD EUR GBP CST EST PST",
)
"""What may stand right after figures and is none of a code's letters, or is read elsewhere."""
_SIZE = re.compile(rf"(?<=[{HELD}])-(\d{{1,3}})([BM])(?!\w)")
_LABELS = {"apt": "apartment", "ext": "extension"}
_PLURAL_FIGURE = re.compile(r"(?<=[a-z])-([3-9])s(?!\w)")
_PLURAL = re.compile(rf"{SPACE}[a-z]{{3,30}}s\b")


def long_codes(draft: Draft, tongue: Tongue) -> None:
    """Say figure by figure, in groups, what is too long or too dashed to be a number."""
    draft.say(_CARD, lambda match: _grouped(re.split("[ -]", match[1]), tongue))
    draft.say(_DASHED, lambda match: _dashed(match[1], tongue))
    draft.say(_VARIANT, lambda match: _variant(match, tongue))
    draft.say(_HEX, lambda match: f"zero {match[1].upper()} {labels.spelled(match[2], tongue)}")
    draft.say(_MIXED, lambda match: _mixed(match[1], tongue))
    draft.say(_FILED, lambda match: f"{_NO.sub(_number, match[1])} {_grouped(match[2].split('-'), tongue)}")
    draft.say(_ZERO_LED, lambda match: _grouped(match[1].split("-"), tongue))
    draft.say(_IDENTIFIER, lambda match: _identifier(match, tongue))
    draft.say(_STATE_ZIP, lambda match: _zip(match, tongue))
    draft.say(_LONG, lambda match: _grouped(_fours(match[1]), tongue))
    draft.say(_ZEROS, lambda match: _grouped(_fours(match[1]), tongue))


def numbered(draft: Draft, tongue: Tongue) -> None:
    """Say the numbers of rooms, flights and errors in pairs: room 204 is "two oh four"."""

    def words(match: re.Match[str]) -> str | None:
        label = match[1].rstrip(".")
        if _PLURAL.match(match.string, match.end()) and label.lower() not in {"http", "error"}:
            return None
        said = code(match[3], tongue)
        plural = ("es" if said.endswith("x") else "s") if match[4] else ""
        return f"{_LABELS.get(label.lower(), label)} {said}{plural}"

    draft.say(_NUMBERED, words)
    draft.say(_STATUS, lambda match: code(match[1], tongue))
    draft.say(_AIRCRAFT, lambda match: f"{code(match[1], tongue)}s")
    draft.say(_SHORT_CODE, lambda match: spelled(match[1], tongue))
    draft.say(_FLIGHT, lambda match: f"{match[1]} {code(match[2], tongue)}")


def lettered(draft: Draft, tongue: Tongue) -> None:
    """Say letters with a number: GPT-4, B12, A100s; and codes of letters and figures: i7-12700K, 3f2a1bc."""

    def words(match: re.Match[str]) -> str | None:
        sign, name, _, figures, plural = match.groups()
        said = code(figures, tongue) if len(figures) <= 5 else _grouped(_fours(figures), tongue)
        number = "number " if sign and word_before(match).lower() != "number" else ""
        return f"{number}{'A.' if name == 'A' else name} {said}{plural and ('es' if said.endswith('x') else 's')}"

    def model(match: re.Match[str]) -> str:
        name, whole, part, letter, size, unit = match.groups()
        said = f"{name.rstrip('-')} {code(whole, tongue)}"
        said += f" point {count(part, tongue)}" if part else ""
        said += f" {letter.upper()}" if letter else ""
        return f"{said} {count(size, tongue)} {unit}" if size else said

    draft.say(_HASH, lambda match: labels.spelled(match[1], tongue))
    draft.say(_PLURAL_FIGURE, lambda match: f"-{count(match[1], tongue)}s")
    draft.say(_LETTERED, words)
    draft.say(_SIZE, lambda match: f" {count(match[1], tongue)} {match[2]}")
    draft.say(_MODEL, model)


def _variant(match: re.Match[str], tongue: Tongue) -> str:
    kind, variant, letters = match.groups()
    first = f"A. {code(kind[1:], tongue)}" if kind[0] == "A" else code(kind, tongue)
    return f"{first} {code(variant, tongue)}" + (f" {labels.letters(letters)}" if letters else "")


def _number(match: re.Match[str]) -> str:
    return f"{match[1]}umber"


def _mixed(written: str, tongue: Tongue) -> str | None:
    parts = _MIXED_PART.findall(written)
    if len(parts) < 3 and not (len(parts) == 2 and parts[0].isdecimal()):
        return None
    has_unit = written[0].isdigit() and any(unit in _AFTER_FIGURES for unit in _ATTACHED.findall(written))
    if has_unit or (len(parts) == 2 and len(parts[1]) > 3):
        return None
    said = []
    for at, part in enumerate(parts):
        if part.isdecimal():
            said.append(code(part, tongue) if len(part) <= 5 else _grouped(_fours(part), tongue))
        elif len(part) == 1 or at:
            said.append(labels.letters(part))
        else:
            said.append(part)
    return " ".join(said)


def _identifier(match: re.Match[str], tongue: Tongue) -> str | None:
    label, link, hash_mark, figures = match.groups()
    if not (hash_mark or link.strip(" .:") or len(figures) > 4):
        return None
    number = " number" if hash_mark and "number" not in link.lower() else ""
    return f"{label}{link.rstrip()}{number} {_grouped(_fours(figures), tongue)}".replace(" no. ", " number ")


def _zip(match: re.Match[str], tongue: Tongue) -> str:
    state, first, more = match.groups()
    return f"{state} {spelled(first, tongue)}" + (f", {spelled(more, tongue)}" if more else "")


def _dashed(figures: str, tongue: Tongue) -> str | None:
    groups = figures.split("-")
    if all(len(group) <= 2 for group in groups):
        return ", ".join(count(group, tongue) for group in groups)  # a record: 10-2-1
    return _grouped(groups, tongue)


def _grouped(groups: list[str], tongue: Tongue) -> str:
    return ", ".join("X" if group in "Xx" else spelled(group, tongue) for group in groups)


def _fours(figures: str) -> list[str]:
    """Cut a row of figures into groups of four; one of up to seven stays in one or two."""
    if len(figures) <= 5:
        return [figures]
    if len(figures) <= 7:
        return [figures[:3], figures[3:]]
    groups = [figures[start : start + 4] for start in range(0, len(figures), 4)]
    if len(groups[-1]) == 1:
        groups[-2:] = [groups[-2] + groups[-1]]
    return groups
