"""Numbers that agree with the noun after them in Italian, Spanish, French and Portuguese."""

import re

from primavoce.normalize import numbers
from primavoce.normalize.draft import Draft
from primavoce.normalize.quantities import word_before
from primavoce.normalize.tongue import Tongue
from primavoce.text.languages.rules import words

_COUNT = re.compile(
    r"(?<![\w.,/:€$£-])(?P<count>\d{1,3}(?:[. \u00a0\u202f]\d{3}){1,3}|\d{1,6})[ \u00a0](?P<noun>[a-zà-ÿ]{3,})(?!\w|\.\w)"
)
_HALF = re.compile(r"(?<![\w.,/-])1/2(?=[ \u00a0](?P<noun>[a-zà-ÿ]{3,}))")
_FEMININE_ENDINGS = {
    "it": (
        "a",
        "zione",
        "sione",
        "gione",
        "tà",
        "tù",
        "trice",
        "notte",
        "parte",
        "classe",
        "lente",
        "rete",
        "nave",
        "chiave",
    ),
    "es": (
        "a",
        "as",
        "ción",
        "ciones",
        "sión",
        "siones",
        "dad",
        "dades",
        "noche",
        "noches",
        "clase",
        "clases",
        "vez",
        "veces",
    ),
    "pt-br": (
        "a",
        "as",
        "ção",
        "ções",
        "são",
        "sões",
        "dade",
        "dades",
        "noite",
        "noites",
        "vez",
        "vezes",
        "parte",
        "partes",
        "agem",
        "agens",
    ),
    "fr": ("tion", "sion", "té", "ette", "ure", "ée", "ance", "ence", "ille", "ine", "aine", "elle", "esse", "euse"),
}
_FEMININE_WORDS = {
    "fr": "fois heure minute seconde semaine personne nuit page pièce cuillère tasse tranche gousse pincée étape ligne image question "
    "réponse erreur chambre cuillères place table voiture boîte bouteille carotte pomme tomate version copie façon chose raison partie livre",
    "it": "",
    "es": "mano",
    "pt-br": "colher colheres mulher mulheres flor flores mãe mães",
}
_MASCULINE_WORDS = {
    "it": "problema tema sistema programma clima schema giga panorama diploma pigiama gorilla poeta",
    "es": "día problema tema sistema programa clima mapa idioma planeta días problemas temas sistemas programas mapas idiomas más gas",
    "pt-br": "dia problema tema sistema programa clima mapa idioma planeta dias problemas temas sistemas programas mapas mas",
    "fr": "musée lycée magazine été côté",
}
_IDENTIFIED = words("numero número numéro")
"""After these a number counts nothing."""
_NO_NOUN = words(
    "per con che non del della dei delle dal dalla nel nella sul sulla più meno volte virgola punto barra ",
    "por para con que del los las más menos coma punto barra una uno dos desde hasta entre sobre está era ",
    "pour avec que des les plus moins dans sur est sont virgule point fois ",
    "para com que dos das mais menos vírgula ponto barra uma num numa pela pelo são está na no",
)


def counts(draft: Draft, tongue: Tongue) -> None:
    """Make a number agree with the noun after it: 1 cipolla "una cipolla", 21 días "veintiún días", 1/2 mela."""
    draft.say(_HALF, lambda match: _half(match["noun"], tongue))
    draft.settle_spans([span for match in _COUNT.finditer(draft.text) if (span := _agreeing(match, tongue))])


def _half(noun: str, tongue: Tongue) -> str | None:
    if noun in _NO_NOUN:
        return None
    return tongue.phrases["half_feminine" if _is_feminine(noun, tongue) else "half"]


def _is_feminine(noun: str, tongue: Tongue) -> bool:
    """Whether ``noun`` is feminine, as its ending has it or as a table knows better."""
    if noun in _MASCULINE_WORDS[tongue.tag].split():
        return False
    known = noun in tongue.feminine or noun in _FEMININE_WORDS[tongue.tag].split()
    return known or noun.endswith(_FEMININE_ENDINGS[tongue.tag])


def _agreeing(match: re.Match[str], tongue: Tongue) -> tuple[int, int, str] | None:
    noun, figure = match["noun"], numbers.read(match["count"], tongue)
    if noun in _NO_NOUN or noun in tongue.magnitudes or figure is None or figure.fraction:
        return None
    if len(figure.whole) > 1 and figure.whole.startswith("0"):
        return None
    value = int(figure.whole)
    if tongue.tag in {"es", "pt-br"} and value > 1 and not noun.endswith("s"):
        return None  # a verb, as in: pedido 21 llega
    if word_before(match.string, match.start()) in _IDENTIFIED:
        return None
    words = numbers.counted(value, next(iter(tongue.feminine)) if _is_feminine(noun, tongue) else "", tongue)
    if words == numbers.cardinal(value, tongue):
        return None
    joined = numbers.elided(f"{words} {noun}", tongue)
    if joined.endswith(f" {noun}"):
        return match.start("count"), match.end("count"), joined.removesuffix(f" {noun}")
    return match.start("count"), match.end(), joined
