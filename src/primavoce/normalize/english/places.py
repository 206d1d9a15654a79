"""Where things are: 1600 Pennsylvania Ave. NW, 221B Baker St., Apt. 4, P.O. Box 1234."""

import re

from primavoce.normalize.draft import Draft
from primavoce.normalize.english.figures import SPACE, code, spelled
from primavoce.normalize.tongue import Tongue

_STREET = (
    r"(?:St|Street|Ave?|Avenue|Blvd|Boulevard|Rd|Road|Ln|Lane|Dr|Drive|Ct|Court|Pl|Place|Sq|Square|Pkwy|Parkway|Way|Hwy|"
    r"Highway|Terrace|Ter|Circle|Cir|Trail|Row|Broadway|Crescent|Close|Gardens|Park|Walk|Loop|Mews|Hill)\b"
)
_HOUSE = re.compile(
    rf"(?<![\w.,$€£#/-])(\d{{3,5}})([A-Za-z]?)(?={SPACE}(?:[NSEW]{{1,2}}\.?{SPACE}|North{SPACE}|South{SPACE}|East{SPACE}|West{SPACE})?"
    rf"(?:(?:[A-Z][a-z’'.]{{1,20}}|\d{{1,3}}(?:st|nd|rd|th)){SPACE}){{1,3}}{_STREET}|{SPACE}Broadway\b)"
)
_SIDED = re.compile(
    rf"(?<![\w.,$€£#/-])(\d{{1,5}}){SPACE}([NSEW]|N[EW]|S[EW])\.?{SPACE}(?=(?:\d{{1,3}}(?:st|nd|rd|th)|[A-Z][a-z]{{1,20}}){SPACE}{_STREET})"
)
_SIDES = {
    "N": "North", "S": "South", "E": "East", "W": "West",
    "NE": "Northeast", "NW": "Northwest", "SE": "Southeast", "SW": "Southwest",
}  # fmt: skip
_SHORT_HOUSE = re.compile(
    rf"(?<![\w.,$€£#/-])(\d{{1,2}})([A-Z])(?={SPACE}(?:[A-Z][a-z’'.]{{1,20}}{SPACE}){{1,3}}{_STREET})"
)
_UNIT = re.compile(rf"(?<![\w.])(Apt|Ste|Bldg|Fl|Rm)(?:\.{SPACE}?|{SPACE})(#?){SPACE}?(?=\d|[A-Z]\d|[A-Z]\b)")
_UNITS = {"Apt": "Apartment", "Ste": "Suite", "Bldg": "Building", "Fl": "Floor", "Rm": "Room"}
_BOX = re.compile(rf"(?<![\w.])(P\.?{SPACE}?O\.?{SPACE}Box){SPACE}#?(\d{{3,6}})(?!\w|[.,]\d)", re.IGNORECASE)
_LETTERED_PLACE = re.compile(
    rf"(?i:(?<!\w)(exit|apartment|apt\.?|unit|gate|seat|room|row|suite|flat|floor|bus|route|platform|building|section)){SPACE}"
    r"(\d{1,4})([A-Za-z])(?!\w|[.,]\d)"
)


def places(draft: Draft, tongue: Tongue) -> None:
    """Say the numbers of houses in pairs, and write out what stands before other numbers."""

    def lettered(match: re.Match[str]) -> str:
        label = "Apartment" if match[1].rstrip(".") == "Apt" else match[1]
        return f"{label} {code(match[2], tongue)} {_letter(match[3])}"

    draft.say(_BOX, lambda match: f"P.O. Box {spelled(match[2], tongue)}")
    draft.say(_SIDED, lambda match: f"{code(match[1], tongue)} {_SIDES[match[2]]} ")
    draft.say(_HOUSE, lambda match: f"{code(match[1], tongue)} {_letter(match[2])}".rstrip(" "))
    draft.say(_SHORT_HOUSE, lambda match: f"{code(match[1], tongue)} {_letter(match[2])}")
    draft.say(_LETTERED_PLACE, lettered)
    draft.rewrite(_UNIT, lambda match: f"{_UNITS[match[1]]} {'number ' if match[2] else ''}")


def _letter(letter: str) -> str:
    return "A." if letter in {"a", "A"} else letter.upper()
