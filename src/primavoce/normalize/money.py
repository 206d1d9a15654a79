"""Money: $48.20, 3,50 €, EUR 20, $2.5 million, €5–10, 20 €/mese."""

import re
from decimal import Decimal
from functools import cache

from babel.numbers import get_currency_name

from primavoce.normalize import numbers, quantities
from primavoce.normalize.attributive import is_attributive
from primavoce.normalize.draft import Draft
from primavoce.normalize.numbers import Figure
from primavoce.normalize.quantities import GAP, LEFT, RIGHT, SIGN, Quantity
from primavoce.normalize.tongue import Tongue
from primavoce.normalize.units import per_words
from primavoce.text.languages.rules import words

SIGNS = {
    "US$": "USD",
    "CA$": "CAD",
    "AU$": "AUD",
    "NZ$": "NZD",
    "HK$": "HKD",
    "MX$": "MXN",
    "R$": "BRL",
    "C$": "CAD",
    "A$": "AUD",
    "S$": "SGD",
    "$": "USD",
    "€": "EUR",
    "£": "GBP",
    "¥": "JPY",
    "￥": "JPY",
    "₹": "INR",
    "₩": "KRW",
    "₽": "RUB",
    "₺": "TRY",
    "₴": "UAH",
    "₦": "NGN",
    "₱": "PHP",
    "฿": "THB",
    "₫": "VND",
    "₪": "ILS",
    "₿": "BTC",
}
CODES = {
    code: code
    for code in words(
        "AED ARS AUD BRL BTC CAD CHF CLP CNY COP CZK DKK EGP EUR GBP HKD HUF IDR ILS INR JPY KRW MXN MYR NGN NOK NZD",
        "PEN PHP PKR PLN RON RUB SAR SEK SGD THB TWD UAH USD VND ZAR",
    )
} | {"RMB": "CNY"}
"""Codes that aren't words, however they are written; TRY and ALL are left out."""

_SIGN = "|".join(re.escape(sign) for sign in SIGNS)
_CODE = "|".join(CODES)
_PER = (
    r"(?:[ \u00a0]?/[ \u00a0]?(?P<per>[^\W\d_]{1,12}(?:[²³23](?!\d))?)(?:/(?P<per_too>[^\W\d_]{1,12}))?(?!\w|\.\w)"
    r"(?:(?<=/mo|/yr|/hr|/wk)\.(?=[ ][a-z]))?)?"
)


def money(draft: Draft, tongue: Tongue) -> None:
    """Say sums of money with the currency's name where a person says it."""
    for pattern in _patterns(tongue):
        draft.say(pattern, lambda match: _words(match, tongue))


@cache
def _patterns(tongue: Tongue) -> tuple[re.Pattern[str], ...]:
    span = quantities.low_and_high(tongue)
    figure = numbers.figure_pattern(tongue)
    magnitude = quantities.magnitude(tongue)
    link = rf"(?:[ \u00a0](?:{tongue.phrases.get('of', '(?!)')}[ \u00a0]|d['’]))?"
    before = re.compile(
        rf"(?<![\dA-Za-zÀ-ɏ$€£¥]){SIGN}(?P<currency>{_SIGN}|(?:{_CODE})(?={GAP}[-−]?\d)){GAP}(?P<inner_sign>[-−])?"
        rf"(?P<low>{figure})(?:{GAP}[-–—~〜～]{GAP}(?P=currency)?{GAP}(?P<high>{figure}))?(?:(?i:{magnitude}))?{RIGHT}(?:{GAP}(?P<code>{_CODE}){RIGHT})?{_PER}"
    )
    after = re.compile(
        rf"{LEFT}{SIGN}{span}(?:(?i:{magnitude}){link})?{GAP}(?P<currency>(?:{_SIGN})(?!\d)|(?:{_CODE}){RIGHT}){_PER}"
    )
    both = re.compile(
        rf"{LEFT}(?P<low>{figure}){GAP}(?P<currency>[€$£]){GAP}[-–—]{GAP}(?P<high>{figure}){GAP}(?P=currency)(?!\d){_PER}"
    )
    return both, before, after


def _words(match: re.Match[str], tongue: Tongue) -> str | None:
    what = quantities.quantity(match, tongue)
    if what is None:
        return None
    written = match["currency"]
    code = CODES.get(match.groupdict().get("code") or "") or SIGNS.get(written) or CODES[written]
    if code == "JPY" and written in "¥￥" and tongue.tag == "zh":
        code = "CNY"
    names = currency_names(code, tongue)
    if tongue.locale == "en" and not match["per"] and is_attributive(match):
        names = (names[0], names[0], *names[2:])
    said = _sum(what, match.groupdict().get("magnitude"), names, tongue)
    said = numbers.elided(said, tongue)
    for per in filter(None, match.group("per", "per_too")):
        said = f"{said} {per_words(per, tongue)}"
    return said


def _sum(what: Quantity, magnitude: str | None, names: tuple[str, ...], tongue: Tongue) -> str:
    low, word = quantities.scaled(what.low, magnitude, tongue)
    many = names[1]
    if what.high is None:
        cents = 0 if word or len(names) == 2 else _cents(low.fraction)
        last = _with_cents(low, cents, names, tongue) if cents else _plain(low, word, names, tongue)
        return quantities.signed(last, what.sign, tongue)
    high, high_word = quantities.scaled(what.high, magnitude, tongue)
    if low.fraction or high.fraction:  # 3,50-4,20 €: each with its cents
        sums = [
            _with_cents(figure, cents, names, tongue)
            if not word and len(names) > 2 and (cents := _cents(figure.fraction))
            else _plain(figure, high_word, names, tongue)
            for figure in (low, high)
        ]
        return quantities.ranged(sums[0], sums[1], what, tongue)
    first = numbers.said(low, tongue, noun=many)
    if magnitude and numbers.is_one(low, tongue) and word != high_word:
        first = f"{first} {word}"
    said = quantities.ranged(first, _plain(high, high_word, names, tongue), what, tongue)
    return quantities.signed(said, what.sign, tongue)


def _plain(figure: Figure, magnitude: str, names: tuple[str, ...], tongue: Tongue) -> str:
    """Return a sum without cents: "two point five million dollars"."""
    one, many = names[:2]
    if not figure.fraction.strip("0"):
        figure = Figure(figure.whole)
    if tongue.tag == "zh":
        figure = Figure(figure.whole, figure.fraction.rstrip("0"))
    whole = numbers.said(figure, tongue, noun=magnitude or many)
    if magnitude:
        if magnitude.startswith("mil ") and figure == Figure("1"):
            whole = ""  # Spanish has no word for a thousand million
        if tongue.tag in {"ja", "zh"}:
            return f"{whole}{magnitude}{many}"
        return f"{whole} {magnitude} {numbers.linked(many, tongue)}{many}".strip()
    unit = one if numbers.is_one(figure, tongue) else many
    form = tongue.phrases.get("amount", "{whole} {unit}")
    return form.format(whole=whole, unit=numbers.of_millions(figure, unit, tongue) + unit)


def _with_cents(figure: Figure, cents: int, names: tuple[str, ...], tongue: Tongue) -> str:
    whole = Figure(figure.whole)
    cent = numbers.counted(cents, names[3], tongue)
    name = names[2] if cents == 1 else names[3]
    if not whole.value and tongue.phrases["money"] != "{whole} {unit}":
        return tongue.phrases.get("amount", "{whole} {unit}").format(whole=cent, unit=name)
    unit = names[0] if numbers.is_one(whole, tongue) else names[1]
    form = tongue.phrases.get("money_few", tongue.phrases["money"]) if cents < 10 else tongue.phrases["money"]
    spoken_cents = cent if "{cent}" in form else numbers.cardinal(cents, tongue)
    return form.format(
        whole=numbers.said(whole, tongue, noun=unit),
        unit=numbers.of_millions(whole, unit, tongue) + unit,
        cents=spoken_cents,
        cent=name,
    )


def _cents(fraction: str) -> int:
    """Return the hundredths that ``fraction`` says; none if it says more than hundredths."""
    if not fraction or len(fraction) > 2:
        return 0
    return int(Decimal(f"0.{fraction}") * 100)


def currency_names(code: str, tongue: Tongue) -> tuple[str, ...]:
    """Return a currency's name for one and for many, and its hundredth's if the language's table knows it."""
    if code in tongue.currencies:
        return tongue.currencies[code]
    one, many = (get_currency_name(code, count=count, locale=tongue.locale) for count in (1, 2))
    if tongue.tag == "pt-br":  # Babel's are in capitals
        one, many = one[:1].lower() + one[1:], many[:1].lower() + many[1:]
    return one, many
