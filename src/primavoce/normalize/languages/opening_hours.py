"""Weekdays in short and hours side by side: lun-ven 9-13 e 15-19, 9h-18h."""

import re
from functools import cache

from primavoce.normalize.draft import Draft
from primavoce.normalize.quantities import word_before
from primavoce.normalize.tongue import Tongue

_DAYS = {
    "it": "lun:lunedì mar:martedì mer:mercoledì gio:giovedì ven:venerdì sab:sabato dom:domenica",
    "es": "lun:lunes mar:martes mié:miércoles jue:jueves vie:viernes sáb:sábado dom:domingo",
    "fr": "lun:lundi mar:mardi mer:mercredi jeu:jeudi ven:vendredi sam:samedi dim:dimanche",
    "pt-br": "seg:segunda ter:terça qua:quarta qui:quinta sex:sexta sáb:sábado sab:sábado dom:domingo",
}
_FROM_TO = {"it": "dal {} al {}", "es": "de {} a {}", "fr": "du {} au {}", "pt-br": "de {} a {}"}
_PREPOSITIONS = {"it": {"da", "dal"}, "es": {"de"}, "fr": {"du", "de"}, "pt-br": {"de"}}

_HOUR = r"(?:[01]?\d|2[0-4])"
_AFTER_HOURS = re.compile(
    rf"(?P<lead>(?:ore|orario|orari)[ \u00a0]|(?:orario|orari|(?:lune|marte|mercole|giove|vener)dì|sabato|domenica):?[ \u00a0])"
    rf"(?P<first>{_HOUR})(?P<minute>[.:][0-5]\d)?[-–](?P<last>{_HOUR})(?P<after>[.:][0-5]\d)?(?![\w/%€]|[.,:]\d)",
    re.IGNORECASE,
)
_AND_HOURS = re.compile(
    rf"(?<=:[0-5]\d)(?P<lead>[ ]e[ ]|[,/]?[ ]|/)(?P<first>{_HOUR})(?P<minute>[.:][0-5]\d)?[-–](?P<last>{_HOUR})(?P<after>[.:][0-5]\d)?"
    r"(?![\w/%€]|[.,:]\d)"
)
_LETTERED = re.compile(
    rf"(?<![\w.,:/-])(?P<first>{_HOUR}[ ]?[hH](?:[0-5]\d)?)[ ]?[-–][ ]?(?P<last>{_HOUR}[ ]?[hH](?:[0-5]\d)?)(?!\w)"
)


def opening_hours(draft: Draft, tongue: Tongue) -> None:
    """Write weekdays out, and hours side by side so that the rule for times knows them."""
    days, ranges = _patterns(tongue)
    draft.rewrite(ranges, lambda match: _days(match, tongue))
    names = _names(tongue)
    draft.rewrite(days, lambda match: f"{names[match['day'].lower()]}{match['colon'] or ''}")
    if tongue.tag == "it":
        draft.rewrite(_AFTER_HOURS, _italian)
        for _ in range(2):
            draft.rewrite(_AND_HOURS, _italian)
    if tongue.tag in {"fr", "pt-br"}:
        draft.rewrite(_LETTERED, lambda match: _lettered(match, tongue))


@cache
def _names(tongue: Tongue) -> dict[str, str]:
    return {short: name for short, _, name in (entry.partition(":") for entry in _DAYS[tongue.tag].split())}


@cache
def _patterns(tongue: Tongue) -> tuple[re.Pattern[str], re.Pattern[str]]:
    day = "|".join(_names(tongue))
    one = re.compile(rf"(?<![\w-])(?P<day>{day})\.?(?P<colon>:)?(?=[ ]\d{{1,2}}[-–.:hH])", re.IGNORECASE)
    span = re.compile(
        rf"(?<![\w-])(?P<first>{day})\.?[ ]?[-–/][ ]?(?P<last>{day})(?!\w)\.?(?P<colon>:)?", re.IGNORECASE
    )
    return one, span


def _days(match: re.Match[str], tongue: Tongue) -> str:
    names = _names(tongue)
    first, last = names[match["first"].lower()], names[match["last"].lower()]
    words = _FROM_TO[tongue.tag].format(first, last)
    if word_before(match.string, match.start()) in _PREPOSITIONS[tongue.tag]:
        words = words.partition(" ")[2]
    if tongue.tag == "it":
        words = words.replace("dal domenica", "dalla domenica").replace("al domenica", "alla domenica")
    return f"{words}{match['colon'] or ''}"


def _italian(match: re.Match[str]) -> str:
    """Return two hours as times, which that rule reads as *dalle nove alle tredici*."""
    lead = "" if match["lead"].strip().lower() == "ore" else match["lead"]
    first, last = match["minute"] or ":00", match["after"] or ":00"
    return f"{lead}{match['first']}:{first[1:]}-{match['last']}:{last[1:]}"


def _lettered(match: re.Match[str], tongue: Tongue) -> str:
    to = "às" if tongue.tag == "pt-br" else "à"
    lead = {"fr": "de", "pt-br": "das"}[tongue.tag]
    preposition = "" if word_before(match.string, match.start()) in {"de", "das", "dès", "entre"} else f"{lead} "
    return f"{preposition}{match['first'].lower()} {to} {match['last'].lower()}"
