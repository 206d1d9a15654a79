"""Units that only English cuts so: 5 ft., 2 hrs., 1 c. flour, 512 MiB, 9.81 m/s²."""

import re

from primavoce.normalize.attributive import is_attributive
from primavoce.normalize.draft import HELD, Draft
from primavoce.normalize.english.context import final_period
from primavoce.normalize.english.figures import NOT_INSIDE, NUMBER, SPACE
from primavoce.normalize.tongue import Tongue

_UNITS = {
    "ft": ("foot", "feet"),
    "in": ("inch", "inches"),
    "yd": ("yard", "yards"),
    "yds": ("yard", "yards"),
    "mi": ("mile", "miles"),
    "lb": ("pound", "pounds"),
    "lbs": ("pound", "pounds"),
    "oz": ("ounce", "ounces"),
    "min": ("minute", "minutes"),
    "mins": ("minute", "minutes"),
    "hr": ("hour", "hours"),
    "hrs": ("hour", "hours"),
    "sec": ("second", "seconds"),
    "secs": ("second", "seconds"),
    "yr": ("year", "years"),
    "yrs": ("year", "years"),
    "wk": ("week", "weeks"),
    "wks": ("week", "weeks"),
    "mo": ("month", "months"),
    "mos": ("month", "months"),
    "tsp": ("teaspoon", "teaspoons"),
    "Tsp": ("teaspoon", "teaspoons"),
    "TSP": ("teaspoon", "teaspoons"),
    "tbsp": ("tablespoon", "tablespoons"),
    "Tbsp": ("tablespoon", "tablespoons"),
    "TBSP": ("tablespoon", "tablespoons"),
    "tbs": ("tablespoon", "tablespoons"),
    "t": ("teaspoon", "teaspoons"),
    "T": ("tablespoon", "tablespoons"),
    "c": ("cup", "cups"),
    "C": ("cup", "cups"),
    "fl oz": ("fluid ounce", "fluid ounces"),
    "fl. oz": ("fluid ounce", "fluid ounces"),
    "sq ft": ("square foot", "square feet"),
    "sq. ft": ("square foot", "square feet"),
    "sq mi": ("square mile", "square miles"),
    "sq. mi": ("square mile", "square miles"),
    "sq m": ("square meter", "square meters"),
    "sq km": ("square kilometer", "square kilometers"),
    "cu ft": ("cubic foot", "cubic feet"),
    "cu. ft": ("cubic foot", "cubic feet"),
    "KiB": ("kibibyte", "kibibytes"),
    "MiB": ("mebibyte", "mebibytes"),
    "GiB": ("gibibyte", "gibibytes"),
    "TiB": ("tebibyte", "tebibytes"),
    "mAh": ("milliamp hour", "milliamp hours"),
    "Ah": ("amp hour", "amp hours"),
    "mmHg": ("millimeter of mercury", "millimeters of mercury"),
    "mm Hg": ("millimeter of mercury", "millimeters of mercury"),
    "bpm": ("beat per minute", "beats per minute"),
    "dB": ("decibel", "decibels"),
    "dBA": ("decibel", "decibels"),
    "kn": ("knot", "knots"),
    "kts": ("knot", "knots"),
    "mV": ("millivolt", "millivolts"),
    "kV": ("kilovolt", "kilovolts"),
    "mol": ("mole", "moles"),
    "nmi": ("nautical mile", "nautical miles"),
    "ftlb": ("foot-pound", "foot-pounds"),
    "kcals": ("kilocalorie", "kilocalories"),
    "kgs": ("kilogram", "kilograms"),
    "kms": ("kilometer", "kilometers"),
    "gms": ("gram", "grams"),
    "lbs/in": ("pound per inch", "pounds per inch"),
    "cc": ("C.C", "C.C"),
    "¢": ("cent", "cents"),
    "cts": ("cent", "cents"),
    "fps": ("frame per second", "frames per second"),
    "rpm": ("R.P.M", "R.P.M"),
    "RPM": ("R.P.M", "R.P.M"),
    "bps": ("basis point", "basis points"),
    "m/s²": ("meter per second squared", "meters per second squared"),
    "m/s^2": ("meter per second squared", "meters per second squared"),
    "m/s2": ("meter per second squared", "meters per second squared"),
    "km/s": ("kilometer per second", "kilometers per second"),
    "ft/s": ("foot per second", "feet per second"),
    "mg/dL": ("milligram per deciliter", "milligrams per deciliter"),
    "mg/dl": ("milligram per deciliter", "milligrams per deciliter"),
    "mg/L": ("milligram per liter", "milligrams per liter"),
    "g/L": ("gram per liter", "grams per liter"),
    "g/dL": ("gram per deciliter", "grams per deciliter"),
    "mmol/L": ("millimole per liter", "millimoles per liter"),
    "mL/hr": ("milliliter per hour", "milliliters per hour"),
    "mL/h": ("milliliter per hour", "milliliters per hour"),
    "mL/min": ("milliliter per minute", "milliliters per minute"),
    "L/min": ("liter per minute", "liters per minute"),
    "mg/kg": ("milligram per kilogram", "milligrams per kilogram"),
    "mg/day": ("milligram per day", "milligrams per day"),
    "kg/m²": ("kilogram per square meter", "kilograms per square meter"),
    "kg/m³": ("kilogram per cubic meter", "kilograms per cubic meter"),
    "g/cm³": ("gram per cubic centimeter", "grams per cubic centimeter"),
    "W/m²": ("watt per square meter", "watts per square meter"),
    "lb/ft": ("pound per foot", "pounds per foot"),
    "inHg": ("inch of mercury", "inches of mercury"),
    "pt": ("pint", "pints"),
    "qt": ("quart", "quarts"),
    "gal": ("gallon", "gallons"),
    "pcs": ("piece", "pieces"),
    "pts": ("point", "points"),
    "pkg": ("package", "packages"),
    "doz": ("dozen", "dozen"),
}
"""Cut short → its name for one and for many."""
_NEED_PERIOD = frozenset({"in", "pt", "mo", "mi", "t", "T", "c", "C"})
"""Units that are also words, or too short to be sure of: "5 in the morning"."""

_LONGEST_FIRST = [re.escape(cut) for cut in sorted(_UNITS, key=len, reverse=True)]
_UNIT = re.compile(
    rf"{NOT_INSIDE}({NUMBER})({SPACE}?)({'|'.join(_LONGEST_FIRST)})(\.|(?<=\w)\b|(?<=[²³¢]))(?![\w/²³^’'])"
)
_FOOD_NEXT = re.compile(rf"{SPACE}(?!of{SPACE})[a-z(]")
"""What comes after a cup or a spoon cut to one letter: "1 c. flour"."""
_COMPOUND = re.compile(r"(?<![\w.,-])(\d{1,6})-(min|hr|ft|lb|oz|yr|sec|mo|wk|in|yd|gal)\b\.?(?![\w/’'-])")
_AFTER_SETTLED = re.compile(
    rf"(?<=[a-z{HELD}])[ \u00a0]({'|'.join(cut for cut in _LONGEST_FIRST if '/' in cut)}|m/s)(?![\w/²³^])"
)
_MERCURY = re.compile(rf"(?<=[{HELD}]){SPACE}?mm{SPACE}?Hg\b")
_EITHER = re.compile(r"(?<=\d[GMTK]B)/(?=\d{1,4}[GMTK]B)")
_SIDES = re.compile(rf"\b(feet|foot|inches|yards|miles){SPACE}[x×]{SPACE}(?=\d)")
_MINIMUM = re.compile(rf"(?<![\w.]){SPACE}?min\.(?={SPACE}\w)", re.IGNORECASE)


def measures(draft: Draft, _tongue: Tongue) -> None:
    """Write out units that only English cuts so; their numbers stay open."""

    def unit(match: re.Match[str]) -> str | None:
        figures, _, cut, period = match.groups()
        if cut in _NEED_PERIOD and period != ".":
            return None
        if cut in "tTcC" and not _FOOD_NEXT.match(match.string, match.end()):
            return None
        one, many = _UNITS[cut]
        singular = figures == "1" or (period != "." and is_attributive(match))
        return f"{figures} {one if singular else many}{final_period(match)}"

    draft.rewrite(_EITHER, lambda _match: ", ")
    draft.rewrite(_UNIT, unit)
    draft.say(_AFTER_SETTLED, lambda match: f" {_UNITS[match[1]][1] if match[1] in _UNITS else 'meters per second'}")
    draft.say(_MERCURY, lambda _match: " millimeters of mercury")
    draft.rewrite(_SIDES, lambda match: f"{match[1]} by ")
    draft.rewrite(_COMPOUND, lambda match: f"{match[1]}-{_UNITS[match[2]][0]}{final_period(match)}")
    draft.say(_MINIMUM, lambda _match: " minimum")
