"""Telephone numbers in Italian, Spanish, French and Portuguese: +39 02 1234567, 06 12 34 56 78, 333-123-4567."""

import re

from primavoce.normalize import numbers
from primavoce.normalize.draft import Draft
from primavoce.normalize.quantities import word_before
from primavoce.normalize.tongue import Tongue

_PHONE = re.compile(
    r"(?<![\w.,/-])(?P<plus>\+)?(?P<number>(?>\(\d{1,5}\)|\d{1,15}+)"
    r"(?>[ \u00a0.-]?\(\d{1,5}\)|(?:[ \u00a0.-]|(?<=\)))\d{1,10}+){0,6}+)(?![\w/]|[.,:-]\d)"
)
_PHONE_WORD = re.compile(
    r"(?i:tel|telefono|teléfono|téléphone|telefone|cell|cellulare|celular|móvil|mobile|portable|fax|whatsapp|chiama|chiamare|chiamaci"
    r"|llama|llame|llamar|appelez|appeler|ligue|ligar|contattaci|numero verde"
    r"|numero|número|numéro)\W{0,3}(?:al|allo|il|le|el|au|para|para o|o|no|di|è|es|est|é)?\W{0,3}$"
)


def phones(draft: Draft, tongue: Tongue) -> None:
    """Say telephone numbers group by group: digit by digit, by twos in French."""
    draft.say(_PHONE, lambda match: _phone(match, tongue))


def _phone(match: re.Match[str], tongue: Tongue) -> str | None:
    written = match["number"]
    groups = re.findall(r"\d+", written)
    total = sum(map(len, groups))
    before = match.string[max(0, match.start() - 40) : match.start()]
    announced = _PHONE_WORD.search(before) is not None
    if not 6 <= total <= 15 or (total < 9 and not announced):
        return None
    french = tongue.tag == "fr" and len(groups) == 5 and all(len(group) == 2 for group in groups)
    if not (
        match["plus"]
        or announced
        or french
        or (groups[0].startswith("0") and len(groups) > 1)
        or _uneven(groups, written)
        or _spanish(match, groups, tongue)
    ):
        return None
    words = [_group(group, tongue) for group in groups]
    said = ", ".join(words)
    return f"{tongue.phrases['plus']} {said}" if match["plus"] else said


def _uneven(groups: list[str], written: str) -> bool:
    """Whether digits are grouped as in 333 123 4567 or 91 123 45 67: neither by thousands nor as years side by side."""
    by_thousands = all(len(group) == 3 for group in groups[1:])
    return len(groups) > 2 and not by_thousands and any(len(group) < 4 for group in groups) and "." not in written


def _spanish(match: re.Match[str], groups: list[str], tongue: Tongue) -> bool:
    """Whether three groups of three are a telephone in Spain, which a number of millions isn't after *al*."""
    by_threes = tongue.tag == "es" and len(groups) == 3 and all(len(group) == 3 for group in groups)
    return by_threes and groups[0][0] in "6789" and word_before(match.string, match.start()) in {"al", "el"}


def _group(group: str, tongue: Tongue) -> str:
    if tongue.tag == "fr" and len(group) == 2 and not group.startswith("0"):
        return numbers.cardinal(int(group), tongue)
    return numbers.digits(group, tongue)
