"""Ordinals and Roman numerals in Italian, Spanish, French and Portuguese: 1º, 2ª, 1er, XXI secolo, Luigi XIV."""

import re

from babel.dates import get_month_names

from primavoce.normalize import numbers
from primavoce.normalize.draft import Draft
from primavoce.normalize.languages.dates import day_words
from primavoce.normalize.quantities import word_before
from primavoce.normalize.tongue import Tongue
from primavoce.text.languages.rules import words

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
_DATED = re.compile(rf"(?<![\w'’])(?P<roman>{_ROMAN})[ \u00a0](?:de[ \u00a0])?(?P<month>[^\W\d_]{{3,10}})(?!\w)")
_BEFORE_NOUN = re.compile(rf"(?<![\w'’-])(?P<roman>{_ROMAN})(?=[ \u00a0](?P<noun>[^\W\d_]{{3,16}}+))")
_NUMBERED = words(
    "capitolo semestre trimestre quadrimestre bimestre grado livello girone turno congresso municipio atto emendamento ",
    "legislatura edizione guerra classe sezione giornata congreso edición jornada edição capítulo legislatura",
)
_QUEENS = words(
    "Anna Beatrice Beatriz Caterina Catalina Catarina Carolina Cristina Elisabetta Elizabeth Giovanna Isabel Isabella ",
    "Juana Leonor Margherita Margarita Maria María Vittoria Victoria",
)
_KINGS = words(
    "Alfonso Carlo Carlos Charles Clemente Enrico Enrique Federico Felipe Ferdinando Fernando Filippo Francesco Francisco",
    "François Georges Giacomo Giorgio Guglielmo Guillermo Henri Henrique Jaime João Jorge José Juan Leopoldo Louis Luigi Luís",
    "Luis Martino Napoleone Nicola Paolo Pedro Philippe Pietro Pio Sisto Umberto Urbano Elisabetta Isabel Elizabeth Elisabeth",
)
"""Names after which a single letter is a number too: Carlo V."""
_SINGLE = re.compile(r"(?P<name>[^\W\d_]{3,12}+) (?P<roman>[IVX])(?![\w'’°º-]|\.\w)")
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
    if tongue.tag != "fr":
        months = {name.lower() for name in get_month_names("wide", locale=tongue.locale).values()}
        draft.settle_spans([span for match in _DATED.finditer(draft.text) if (span := _date(match, months, tongue))])
        draft.say(_BEFORE_NOUN, lambda match: _before_noun(match, tongue))
    draft.say(_NAMED, lambda match: _named(match, tongue))
    draft.settle_spans([span for match in _SINGLE.finditer(draft.text) if (span := _single(match, tongue))])


def _date(match: re.Match[str], months: set[str], tongue: Tongue) -> tuple[int, int, str] | None:
    """Return the day of a street's name, as in via XX Settembre."""
    value = value_of(match["roman"])
    if not value or value > 31 or match["month"].lower() not in months:
        return None
    return *match.span("roman"), day_words(value, tongue)


def _before_noun(match: re.Match[str], tongue: Tongue) -> str | None:
    value, noun = value_of(match["roman"]), match["noun"].lower()
    if not value or noun not in _NUMBERED:
        return None
    return _ordinal(value, tongue, feminine=noun.endswith(("a", "one", "ión", "ão", "classe")))


def _single(match: re.Match[str], tongue: Tongue) -> tuple[int, int, str] | None:
    name, value = match["name"], value_of(match["roman"])
    if name.lower() in _PART or (name == "canto" and tongue.tag == "it"):
        words = numbers.cardinal(value, tongue)
    elif name not in _KINGS:
        return None
    elif tongue.tag == "fr":
        words = "premier" if value == 1 else numbers.cardinal(value, tongue)
    else:
        words = _ordinal(value, tongue, feminine=name in _QUEENS) or ""
    return *match.span("roman"), words


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
        return _ordinal(value, tongue, feminine=word in _QUEENS)
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
    after = match.string[match.end() : match.end() + 16].lower().lstrip()
    is_rank = (
        after.startswith(("in classifica", "in graduatoria", "al mondo", "assoluto"))
        or noun in _RANKED
        or (value == 1 and noun and noun not in {"celsius", "fahrenheit", "nord", "sud", "est"})
    )
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
