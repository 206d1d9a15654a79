"""Ordinals and Roman numerals in Italian, Spanish, French and Portuguese: 1º, 2ª, 1er, XXI secolo, Luigi XIV."""

import re

from primavoce.normalize import numbers
from primavoce.normalize.draft import Draft
from primavoce.normalize.quantities import word_before
from primavoce.normalize.tongue import Tongue, words

_ROMAN = r"(?=[IVXLC])(?:C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})"
_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}

_INDICATOR = re.compile(r"(?<![\w.,/-])(?P<number>\d{1,4})\.?(?P<mark>[ºª])(?!\w)")
_DEGREE = re.compile(r"(?<![\w.,/-])(?P<number>\d{1,3})°(?![A-Z])(?:(?=[ \u00a0](?P<noun>[^\W\d_]{3,20})))?")
_FRENCH = re.compile(
    r"(?<![\w.,/-])(?P<number>\d{1,4}|(?P<roman>[IVXLC]{1,8}))(?P<mark>ers|ère|er|re|nde|nd|èmes|ème|eme|es|e)(?!\w)"
)
_SPANISH = re.compile(r"(?<![\w.,/-])(?P<number>[13])\.?er(?!\w)")
_SHORT_CENTURY = re.compile(r"(?<=[IVX][ \u00a0])sec\.(?!\w)")
_CENTURY = {
    "it": re.compile(
        rf"(?<!\w)(?:(?P<before>secol[oi])[ \u00a0])?(?P<roman>{_ROMAN})(?:°|º)?(?(before)(?!\w)|(?=[ \u00a0]secol[oi]\b))"
    ),
    "es": re.compile(rf"(?<!\w)(?P<before>siglos?)[ \u00a0](?P<roman>{_ROMAN})(?!\w)"),
    "pt-br": re.compile(rf"(?<!\w)(?P<before>séculos?)[ \u00a0](?P<roman>{_ROMAN})(?!\w)"),
}
_NAMED = re.compile(r"(?<=[a-zà-ÿ] )(?P<roman>[IVX]{2,7})(?:°|º)?(?![\w'’-])")
_PART = words(
    "capitolo parte volume atto titolo libro sezione tomo scena capo comma fase allegato tavola articolo grado tipo livello ",
    "capítulo tomo acto título libro sección escena fase anexo parte tipo grado volumen ",
    "chapitre tome acte titre livre section scène phase annexe partie type niveau ",
    "capítulo ato título livro seção cena fase anexo parte tipo grau nível guerra mondiale mundial mondiale",
)
_ARTICLES = words(
    "il al del dal nel sul un lo la alla della dalla nella el en este o no do ao um le",
)
_RANKED = words(
    "piano posto livello anno classificato trimestre semestre comma capitolo grado secolo turno giorno round tempo classe ",
    "compleanno anniversario premio passo punto lotto reparto edizione maggio aprile gennaio piso lugar andar",
)


def value_of(roman_numeral: str) -> int:
    """Return the value of a Roman numeral, 0 if it is none."""
    if not roman_numeral or re.fullmatch(_ROMAN, roman_numeral) is None:
        return 0
    values = [_VALUES[letter] for letter in roman_numeral]
    return sum(
        -value if value < following else value for value, following in zip(values, [*values[1:], 0], strict=True)
    )


def centuries(draft: Draft, tongue: Tongue) -> None:
    """Say the number of a century: XXI secolo "ventunesimo", siglo XXI "veintiuno"."""
    if tongue.tag == "it":
        draft.rewrite(_SHORT_CENTURY, lambda _: tongue.phrases["century"])
    pattern = _CENTURY.get(tongue.tag)
    if pattern is not None:
        draft.say(pattern, lambda match: _century(match, tongue))


def _century(match: re.Match[str], tongue: Tongue) -> str | None:
    value = value_of(match["roman"])
    if not value:
        return None
    # Spanish and Portuguese count centuries after the tenth.
    words = numbers.ordinal(value, tongue) if tongue.tag == "it" or value <= 10 else numbers.cardinal(value, tongue)
    return f"{match['before']} {words}" if match["before"] else words


def roman(draft: Draft, tongue: Tongue) -> None:
    """Say a Roman numeral after a name or a part of a book: Luigi XIV, capitolo IV."""
    draft.say(_NAMED, lambda match: _named(match, tongue))


def _named(match: re.Match[str], tongue: Tongue) -> str | None:
    value = value_of(match["roman"])
    text = match.string[max(0, match.start() - 24) : match.start()].rstrip()
    word = re.split(r"[\s'’(«\"]", text)[-1]
    if not value:
        return None
    if word.lower() in _PART:
        return numbers.cardinal(value, tongue)
    if not word[:1].isupper() or len(word) < 3:
        return None
    if tongue.tag == "it" or (tongue.tag in {"es", "pt-br"} and value <= 10):
        return numbers.ordinal(value, tongue)
    return numbers.cardinal(value, tongue)


def ordinals(draft: Draft, tongue: Tongue) -> None:
    """Say ordinals with their gender: 2ª "seconda", 1er "premier", 3° piano "terzo piano"."""
    if tongue.tag == "fr":
        draft.say(_FRENCH, lambda match: _french(match, tongue))
        return
    draft.say(_INDICATOR, lambda match: _ordinal(int(match["number"]), tongue, feminine=match["mark"] == "ª"))
    draft.say(_DEGREE, lambda match: _degree(match, tongue))
    if tongue.tag == "es":
        draft.say(_SPANISH, lambda match: numbers.ordinal(int(match["number"]), tongue).removesuffix("o"))


def _degree(match: re.Match[str], tongue: Tongue) -> str | None:
    """Return an ordinal written with the sign for degrees, if the words around say that it is one."""
    value = int(match["number"])
    noun = (match["noun"] or "").lower()
    is_rank = noun in _RANKED or (value == 1 and noun and noun not in {"celsius", "fahrenheit", "nord", "sud", "est"})
    if not is_rank and (word_before(match.string, match.start()) not in _ARTICLES or noun in {"celsius", "fahrenheit"}):
        return None
    return _ordinal(value, tongue, feminine=False)


def _ordinal(value: int, tongue: Tongue, *, feminine: bool) -> str | None:
    if not value:
        return None
    words = numbers.ordinal(value, tongue)
    if not feminine:
        return words
    return re.sub(r"o\b", "a", words) if tongue.tag != "it" else words[:-1] + "a"


def _french(match: re.Match[str], tongue: Tongue) -> str | None:
    mark = match["mark"]
    value = value_of(match["roman"]) if match["roman"] else int(match["number"])
    if not value or (
        match["roman"] and len(match["roman"]) == 1 and (match["roman"] in "LC" or mark not in {"er", "e", "ème", "re"})
    ):
        return None
    if value == 1 and mark in {"er", "ers", "re", "ère"}:
        return "première" if mark in {"re", "ère"} else "premier"
    if mark in {"er", "ers", "re", "ère"}:
        return None
    if mark in {"nd", "nde"}:
        return ("seconde" if mark == "nde" else "second") if value == 2 else None
    return numbers.ordinal(value, tongue)
