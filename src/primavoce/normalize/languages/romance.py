"""The rules of Italian, Spanish, French and Portuguese; what differs is in their tables."""

import re
from collections.abc import Mapping
from functools import cache

from babel.dates import get_month_names

from primavoce.normalize import numbers
from primavoce.normalize.draft import Draft
from primavoce.normalize.languages.dates import dates, day_words
from primavoce.normalize.languages.romance_ordinals import centuries, ordinals, roman
from primavoce.normalize.quantities import word_before
from primavoce.normalize.tongue import Rule, Tongue, words

FULL_TITLES = {
    "dottor": "dottore",
    "signor": "signore",
    "professor": "professore",
    "ingegner": "ingegnere",
    "ragionier": "ragioniere",
    "monsignor": "monsignore",
}
"""Titles that lose their last vowel before a name: il dottor Rossi, but il dottore."""

AND_SO_ON = frozenset({"eccetera", "etcétera", "et cetera"})
"""What may end a sentence in the middle of a text."""

BEFORE_NAMES = frozenset(
    {
        "on.",
        "sen.",
        "col.",
        "gen.",
        "arch.",
        "rag.",
        "ing.",
        "geom.",
        "M.",
        "MM.",
        "D.",
        "R.",
        "Me",
        "Pr",
        "St",
        "Ste",
        "Dr",
    }
    | {"Av.", "av.", "S. A."}
)
"""Abbreviations that are only taken for one before a name, since they are also words or initials."""

_NAME_FOLLOWS = re.compile(r"[ \u00a0](?:[dD]['’])?[A-ZÀ-Þ]")
_END = re.compile(r"[\s\"'”’»)\]]*$")

# +39 02 1234567, 06 12 34 56 78, 333-123-4567
_PHONE = re.compile(
    r"(?<![\w.,/-])(?P<plus>\+)?(?P<number>(?>\(\d{1,5}\)|\d{1,15}+)"
    r"(?>[ \u00a0.-]?\(\d{1,5}\)|(?:[ \u00a0.-]|(?<=\)))\d{1,10}+){0,6}+)(?![\w/]|[.,:-]\d)"
)
_PHONE_WORD = re.compile(
    r"(?i:tel|telefono|teléfono|téléphone|telefone|cell|cellulare|celular|móvil|mobile|portable|fax|whatsapp|chiama|chiamare|chiamaci"
    r"|llama|llame|llamar|appelez|appeler|ligue|ligar|contattaci|numero verde"
    r"|numero|número|numéro)\W{0,3}(?:al|allo|il|le|el|au|para|para o|o|no|di|è|es|est|é)?\W{0,3}$"
)

_DAY_MONTH = re.compile(r"(?<![\w.,/-])(?P<day>[0-3]?\d)/(?P<month>[01]?\d)(?![\w/]|[.,]\d)")
_DATED = words(
    "il dal al del nel entro lunedì martedì mercoledì giovedì venerdì sabato domenica el día le du au dia até em",
)
_FIRST_OF = re.compile(r"(?<![\w.,/-])(?:1|1[°º]|1er|1\.º)(?=[ \u00a0](?:de[ \u00a0])?(?P<month>[^\W\d_]{3,10}))")
_DAY_RANGE = re.compile(
    r"(?<![\w.,/-])(?P<first>[0-3]?\d)[-–](?P<last>[0-3]?\d)(?=[ \u00a0](?:de[ \u00a0])?(?P<month>[^\W\d_]{3,10}))"
)
_OF_YEAR = re.compile(r"(?<![\w.,/-])(?P<number>\d{1,4})/(?P<year>(?:19|20)\d\d)(?![\w/]|[.,]\d)")
_APOSTROPHE_YEAR = re.compile(r"(?<!\w)['’](?=\d\d(?!\d))")

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
    ),
    "fr": ("tion", "sion", "té", "ette", "ure", "ée", "ance", "ence", "ille", "ine", "aine", "elle", "esse", "euse"),
}
_FEMININE_WORDS = {
    "fr": "fois heure minute seconde semaine personne nuit page pièce cuillère tasse tranche gousse pincée étape ligne image question "
    "réponse erreur chambre place table voiture boîte bouteille carotte pomme tomate version copie façon chose raison partie livre",
    "it": "",
    "es": "mano",
    "pt-br": "",
}
_MASCULINE_WORDS = {
    "it": "problema tema sistema programma clima schema giga panorama diploma pigiama gorilla poeta",
    "es": "día problema tema sistema programa clima mapa idioma planeta días problemas temas sistemas programas mapas idiomas más gas",
    "pt-br": "dia problema tema sistema programa clima mapa idioma planeta dias problemas temas sistemas programas mapas mas",
    "fr": "musée lycée magazine été côté",
}
_NO_NOUN = words(
    "per con che non del della dei delle dal dalla nel nella sul sulla più meno volte virgola punto barra ",
    "por para con que del los las más menos coma punto barra una uno dos desde hasta entre sobre está era ",
    "pour avec que des les plus moins dans sur est sont virgule point fois ",
    "para com que dos das mais menos vírgula ponto barra uma num numa pela pelo são está na no",
)


@cache
def _abbreviations(tongue: Tongue) -> tuple[re.Pattern[str], dict[str, str]]:
    said = _with_capitals(tongue.abbreviations)
    forms = "|".join(re.escape(key).replace(r"\ ", r"[ \u00a0]") for key in sorted(said, key=len, reverse=True))
    return re.compile(rf"(?<![\w.@/-])(?P<short>{forms})(?![\w@])"), said


@cache
def _before_numbers(tongue: Tongue) -> tuple[re.Pattern[str], dict[str, str]]:
    said = _with_capitals(tongue.before_number)
    forms = "|".join(re.escape(key) for key in sorted(said, key=len, reverse=True))
    return re.compile(rf"(?<![\w.@/-])(?P<short>{forms})[ \u00a0]?(?=\d|[IVXLC]{{1,7}}(?!\w))"), said


def abbreviations(draft: Draft, tongue: Tongue) -> None:
    """Write abbreviations out. The period of one that ends the sentence stays."""
    pattern, numbered = _before_numbers(tongue)
    draft.rewrite(pattern, lambda match: f"{numbered[match['short']]} ")
    pattern, said = _abbreviations(tongue)
    draft.rewrite(pattern, lambda match: _written_out(match, said))


def _with_capitals(table: Mapping[str, str]) -> dict[str, str]:
    """Return a table with each lower-case abbreviation also as it begins a sentence."""
    return {key[:1].upper() + key[1:]: said for key, said in table.items() if key[:1].islower()} | dict(table)


def _written_out(match: re.Match[str], said: dict[str, str]) -> str | None:
    short = match["short"]
    words = said.get(short) or said[short.replace("\u00a0", " ")]
    named = _NAME_FOLLOWS.match(match.string, match.end()) is not None
    if short.lower() == "min." and match.string[max(0, match.start() - 2) : match.start()].strip().isdecimal():
        return None  # minutes
    if not named and (short in BEFORE_NAMES or short.lower() in BEFORE_NAMES):
        return None
    if not named:
        words = FULL_TITLES.get(words, words)
    if short.endswith(".") and (_closes(match.string, match.end()) or (named and words in AND_SO_ON)):
        words += "."
    return words


def _closes(text: str, at: int) -> bool:
    """Whether a period before ``at`` ends the sentence too, or begins an ellipsis."""
    return text.startswith(".", at) or _END.match(text, at) is not None


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
    ):
        return None
    words = [_group(group, tongue) for group in groups]
    said = ", ".join(words)
    return f"{tongue.phrases['plus']} {said}" if match["plus"] else said


def _uneven(groups: list[str], written: str) -> bool:
    """Whether digits are grouped as in 333 123 4567 or 91 123 45 67: neither by thousands nor as years side by side."""
    by_thousands = all(len(group) == 3 for group in groups[1:])
    return len(groups) > 2 and not by_thousands and any(len(group) < 4 for group in groups) and "." not in written


def _group(group: str, tongue: Tongue) -> str:
    if tongue.tag == "fr" and len(group) == 2 and not group.startswith("0"):
        return numbers.cardinal(int(group), tongue)
    return numbers.digits(group, tongue)


def days(draft: Draft, tongue: Tongue) -> None:
    """Say days of a month: il 3/5, 1 maggio, 5-7 giugno, gli anni '90."""
    names = dict(get_month_names("wide", locale=tongue.locale))
    months = {name.lower() for name in names.values()}
    draft.say(_DAY_MONTH, lambda match: _day_month(match, names, tongue))
    first = tongue.phrases["first_day"]
    draft.say(_FIRST_OF, lambda match: first if match["month"].lower() in months else None)
    draft.say(_DAY_RANGE, lambda match: _day_range(match, tongue) if match["month"].lower() in months else None)
    of_year = tongue.phrases.get("of_year")
    if of_year:
        draft.rewrite(_OF_YEAR, lambda match: of_year.format(a=match["number"], b=match["year"]))
    draft.drop(_APOSTROPHE_YEAR, "an apostrophe for a century")


def _day_month(match: re.Match[str], names: dict[int, str], tongue: Tongue) -> str | None:
    day, month = int(match["day"]), int(match["month"])
    if not (1 <= day <= 31 and 1 <= month <= 12) or word_before(match.string, match.start()) not in _DATED:
        return None
    form = tongue.phrases.get("day_month", "{day} {month}")
    return form.format(day=day_words(day, tongue), month=names[month])


def _day_range(match: re.Match[str], tongue: Tongue) -> str:
    first, last = day_words(int(match["first"]), tongue), numbers.cardinal(int(match["last"]), tongue)
    if tongue.tag == "it" and word_before(match.string, match.start()) not in {"dal", "il", "i", "nei"}:
        return f"dal {first} al {last}".replace(" al otto", " all'otto").replace(" al undici", " all'undici")
    return f"{first} {tongue.phrases['to']} {last}"


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
    words = numbers.counted(value, next(iter(tongue.feminine)) if _is_feminine(noun, tongue) else "", tongue)
    if words == numbers.cardinal(value, tongue):
        return None
    joined = numbers.elided(f"{words} {noun}", tongue)
    if joined.endswith(f" {noun}"):
        return match.start("count"), match.end("count"), joined.removesuffix(f" {noun}")
    return match.start("count"), match.end(), joined


RULES: tuple[Rule, ...] = (abbreviations, dates, days, phones, centuries, roman, ordinals, counts)
"""In their order."""
