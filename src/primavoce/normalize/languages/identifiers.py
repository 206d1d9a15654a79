"""What identifies something, in languages other than English: versions, IBANs, tax numbers, postcodes, booking codes."""

import re

from primavoce.normalize import numbers
from primavoce.normalize.draft import Draft
from primavoce.normalize.quantities import word_before
from primavoce.normalize.tongue import Tongue
from primavoce.text.languages.rules import words

_EDGE = r"(?<![A-Za-zÀ-ɏ0-9_.])"
_V = re.compile(
    rf"{_EDGE}(?:v\.?[ ]?(?=\d)|V(?=\d{{1,4}}\.\d))(?=\d{{1,5}}(?:\.\d{{1,5}}){{0,5}}(?![A-Za-zÀ-ɏ0-9_/,]))"
)
_CHAIN = re.compile(r"(?<![A-Za-zÀ-ɏ0-9_.,])\d{1,5}(?:\.\d{1,5}){2,5}(?![A-Za-zÀ-ɏ0-9_]|[.,]\d)")
_VERSION_WORDS = words("versione versión version versão release build वर्शन संस्करण")

_IBAN = re.compile(
    r"(?<![\w-])(?=[A-Z]{2}\d{2}[ \u00a0]?[A-Z0-9]{0,4}[ \u00a0]?\d)"
    r"[A-Z]{2}\d{2}(?:[ \u00a0]?[A-Z0-9]{4}){2,7}(?:[ \u00a0]?[A-Z0-9]{1,3})?(?![\w-])"
)
_TAX_CODE = re.compile(r"(?<![\w-])([A-Z]{3})([A-Z]{3})(\d\d)([A-Z])(\d\d)([A-Z]\d{3})([A-Z])(?![\w-])")
"""An Italian codice fiscale: surname, name, year, month, day, place, check."""
_CODE = re.compile(r"(?<![\w./-])(?=[A-Z0-9]{5,24}(?![\w]|[./-]\w))(?=[A-Z]{0,3}\d{2}|\d[A-Z]{1,3}\d)[A-Z0-9]++")
_FLIGHT = re.compile(r"(?<!\w)(?P<word>(?i:volo|vuelo|vol|voo))[ \u00a0](?P<line>[A-Z]{2})[ \u00a0]?(?=\d{2,4}(?!\w))")
_SECRET = re.compile(
    r"(?<!\w)(?:PIN|OTP|CVV|PUK|(?i:codice|código|codigo|code|senha|token|contraseña|clave))"
    r"(?:[ \u00a0][a-zà-ÿ]{1,12}){0,3}+(?:[ \u00a0][A-Z]{2,4})?(?::|[ \u00a0](?:è|es|est|é))?[ \u00a0](?P<code>\d{3,8})(?![\w.,/:-]\d|\w)"
)
_RUNS = re.compile(r"[A-Z]{4}")
_BRAZILIAN = re.compile(
    r"(?<![\w./-])(?:(\d{3})\.(\d{3})\.(\d{3})-(\d\d)|(\d\d)\.(\d{3})\.(\d{3})/(\d{4})-(\d\d)|(\d{5})-(\d{3}))(?![\w/-]|[.,]\d)"
)
"""CPF, CNPJ and CEP."""
_TIMES = re.compile(r"(?<![\w.,/-])(?P<count>\d{1,3})x(?=[ ](?:de|sem|com|no|por|ao|mais)\b)")
_SCORE = re.compile(r"(?<![\w.,/-])(?P<a>\d{1,2})[ ]?x[ ]?(?P<b>\d{1,2})(?![\w/]|[.,]\d|[ ](?:cm|m|mm|px|x)\b)")
_POSTCODE = re.compile(r"(?:(?<=[,–-] )|(?<=CAP )|(?<=CAP: )|(?<=CAP è ))\d{5}(?=[.,;:)!?]?(?:\s|$))")
_PLACE_FOLLOWS = re.compile(r"\d{5} [A-ZÀ-Þ]")


def identifiers(draft: Draft, tongue: Tongue) -> None:
    """Say codes letter by letter and figure by figure, and the numbers of versions field by field."""
    word = tongue.phrases["version"]
    draft.rewrite(_V, lambda match: "" if _has_word(match) else f"{word}{_space(tongue)}")
    if tongue.numerals is None:
        point = f"{_space(tongue)}{tongue.phrases['version_point']}{_space(tongue)}"
        draft.rewrite(_CHAIN, lambda match: match.group().replace(".", point))
        return
    draft.say(_TAX_CODE, lambda match: ", ".join(_spelled(group, tongue) for group in match.groups()))
    draft.say(_IBAN, lambda match: _iban(match.group(), tongue))
    if tongue.tag == "pt-br":
        draft.say(_BRAZILIAN, lambda match: ", ".join(_spelled(group, tongue) for group in match.groups() if group))
        draft.rewrite(_TIMES, lambda match: f"{match['count']} vezes")
        draft.say(
            _SCORE,
            lambda match: f"{numbers.cardinal(int(match['a']), tongue)} a {numbers.cardinal(int(match['b']), tongue)}",
        )
    if tongue.tag == "it":
        draft.say(_POSTCODE, lambda match: _postcode(match, tongue))
    draft.settle_spans(
        [(*match.span("code"), numbers.digits(match["code"], tongue)) for match in _SECRET.finditer(draft.text)]
    )
    draft.rewrite(_FLIGHT, lambda match: f"{match['word']} {' '.join(match['line'])} ")
    draft.say(_CODE, lambda match: _code(match.group(), tongue))


def _has_word(match: re.Match[str]) -> bool:
    return word_before(match.string, match.start()) in _VERSION_WORDS


def _space(tongue: Tongue) -> str:
    return "" if tongue.tag in {"ja", "zh"} else " "


def _spelled(text: str, tongue: Tongue) -> str:
    return " ".join(numbers.digits(char, tongue) if char.isdecimal() else char for char in text)


def _iban(written: str, tongue: Tongue) -> str | None:
    if sum(char.isdecimal() for char in written) < 10:
        return None
    groups = written.split()
    if len(groups) == 1:
        groups = [written[at : at + 4] for at in range(0, len(written), 4)]
    return ", ".join(_spelled(group, tongue) for group in groups)


def _postcode(match: re.Match[str], tongue: Tongue) -> str | None:
    announced = match.string[: match.start()].rstrip(" :è").endswith("CAP")
    if not announced and not _PLACE_FOLLOWS.match(match.string, match.start()):
        return None
    return numbers.digits(match.group(), tongue)


def _code(written: str, tongue: Tongue) -> str | None:
    """Return a code such as 12345678Z or AB123456 in words; a plain number or a name with a figure is none."""
    if not any(char.isalpha() for char in written) or _RUNS.search(written):
        return None
    figures = sum(char.isdecimal() for char in written)
    return _spelled(written, tongue) if figures >= 3 else None
