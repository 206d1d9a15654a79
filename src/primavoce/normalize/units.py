"""Units after a figure: 5km, 20 kg, −5 °C, 100 km/h, 3×4 m; their names are CLDR's."""

import re
from functools import cache

from babel.units import format_unit

from primavoce.normalize import numbers, quantities
from primavoce.normalize.attributive import is_attributive
from primavoce.normalize.draft import Draft
from primavoce.normalize.numbers import Figure
from primavoce.normalize.quantities import GAP, LEFT, SIGN, Quantity
from primavoce.normalize.tongue import Tongue

UNITS = {
    "km": "length-kilometer",
    "m": "length-meter",
    "dm": "length-decimeter",
    "cm": "length-centimeter",
    "mm": "length-millimeter",
    "µm": "length-micrometer",
    "nm": "length-nanometer",
    "mi": "length-mile",
    "ft": "length-foot",
    "yd": "length-yard",
    "km²": "area-square-kilometer",
    "m²": "area-square-meter",
    "cm²": "area-square-centimeter",
    "ha": "area-hectare",
    "m³": "volume-cubic-meter",
    "cm³": "volume-cubic-centimeter",
    "l": "volume-liter",
    "L": "volume-liter",
    "hl": "volume-hectoliter",
    "dl": "volume-deciliter",
    "cl": "volume-centiliter",
    "ml": "volume-milliliter",
    "mL": "volume-milliliter",
    "kg": "mass-kilogram",
    "Kg": "mass-kilogram",
    "KG": "mass-kilogram",
    "g": "mass-gram",
    "mg": "mass-milligram",
    "µg": "mass-microgram",
    "t": "mass-tonne",
    "lb": "mass-pound",
    "lbs": "mass-pound",
    "oz": "mass-ounce",
    "km/h": "speed-kilometer-per-hour",
    "kmh": "speed-kilometer-per-hour",
    "kph": "speed-kilometer-per-hour",
    "m/s": "speed-meter-per-second",
    "mph": "speed-mile-per-hour",
    "ms": "duration-millisecond",
    "µs": "duration-microsecond",
    "ns": "duration-nanosecond",
    "s": "duration-second",
    "sec": "duration-second",
    "min": "duration-minute",
    "h": "duration-hour",
    "hr": "duration-hour",
    "hrs": "duration-hour",
    "kB": "digital-kilobyte",
    "KB": "digital-kilobyte",
    "MB": "digital-megabyte",
    "GB": "digital-gigabyte",
    "TB": "digital-terabyte",
    "PB": "digital-petabyte",
    "kbit": "digital-kilobit",
    "Mbit": "digital-megabit",
    "Gbit": "digital-gigabit",
    "kb": "digital-kilobit",
    "Mb": "digital-megabit",
    "Gb": "digital-gigabit",
    "Hz": "frequency-hertz",
    "kHz": "frequency-kilohertz",
    "MHz": "frequency-megahertz",
    "GHz": "frequency-gigahertz",
    "W": "power-watt",
    "mW": "power-milliwatt",
    "kW": "power-kilowatt",
    "MW": "power-megawatt",
    "GW": "power-gigawatt",
    "hp": "power-horsepower",
    "kWh": "energy-kilowatt-hour",
    "kJ": "energy-kilojoule",
    "kcal": "energy-kilocalorie",
    "cal": "energy-calorie",
    "V": "electric-volt",
    "mA": "electric-milliampere",
    "Ω": "electric-ohm",
    "Pa": "pressure-pascal",
    "hPa": "pressure-hectopascal",
    "kPa": "pressure-kilopascal",
    "mbar": "pressure-millibar",
    "bar": "pressure-bar",
    "psi": "pressure-pound-force-per-square-inch",
    "lm": "light-lumen",
    "lx": "light-lux",
    "MP": "graphics-megapixel",
    "px": "graphics-pixel",
    "dpi": "graphics-dot-per-inch",
    "ppi": "graphics-pixel-per-inch",
    "ppm": "concentr-part-per-million",
    "°C": "temperature-celsius",
    "°F": "temperature-fahrenheit",
}
"""Abbreviation → CLDR's name. Only what can't be a word after a figure: not ``in``, not ``a``."""

SAME = {
    "km2": "km²",
    "m2": "m²",
    "mq": "m²",
    "cm2": "cm²",
    "kmq": "km²",
    "m3": "m³",
    "mc": "m³",
    "cm3": "cm³",
    "μm": "µm",
    "μs": "µs",
    "us": "µs",
    "μg": "µg",
    "mcg": "µg",
    "ºC": "°C",
    "° C": "°C",
    "℃": "°C",
    "° F": "°F",
    "ºF": "°F",
    "℉": "°F",
    "km/hr": "km/h",
    "mins": "min",
    "secs": "sec",
    "Ohm": "Ω",
    "\u2126": "Ω",
    "ko": "kB",
    "Ko": "kB",
    "Mo": "MB",
    "Go": "GB",
    "To": "TB",
    "किमी": "km",
    "मी": "m",
    "सेमी": "cm",
    "किग्रा": "kg",
}
PER_SECOND = {
    "B/s": "B",
    "kB/s": "kB",
    "KB/s": "KB",
    "MB/s": "MB",
    "GB/s": "GB",
    "kbps": "kbit",
    "Kbps": "kbit",
    "Mbps": "Mbit",
    "mbps": "Mbit",
    "Gbps": "Gbit",
    "kb/s": "kbit",
    "Mb/s": "Mbit",
    "Gb/s": "Gbit",
    "Mbit/s": "Mbit",
    "Gbit/s": "Gbit",
    "kbit/s": "kbit",
}
_NOT_IN = dict.fromkeys(("ko", "Ko", "Mo", "Go", "To"), "en it es pt hi ja zh") | {
    "us": "en",
    "mc": "en es fr pt hi ja zh",
    "mi": "it es fr pt",
    "mq": "en es fr pt hi ja zh",
}
"""Abbreviation → languages in which it is a word, or nothing."""

_WRITTEN = sorted([*UNITS, *SAME, *PER_SECOND], key=len, reverse=True)
_UNIT = "|".join(re.escape(unit) for unit in _WRITTEN)
_FEET = re.compile(
    r"(?<![\w.,])(?P<feet>\d{1,2})(?:[ \u00a0]?(?:ft|foot|feet)\.?[ \u00a0]?"
    r"(?P<inches>\d{1,2})(?:[ \u00a0]?(?:in|inch|inches)\b|[\"″])"
    r"|[ ]?['’′][ ]?(?P<short>\d{1,2}(?:\.5)?)[ ]?(?:[\"”″]|''))"
)


def units(draft: Draft, tongue: Tongue) -> None:
    """Say measures with the unit's name in full, degrees and dimensions among them."""
    if tongue.locale == "en":
        draft.say(_FEET, lambda match: _feet(match, tongue))
    dimensions, measures, degrees = _patterns(tongue)
    draft.say(dimensions, lambda match: _dimensions(match, tongue))
    draft.say(measures, lambda match: _measure(match, tongue))
    draft.say(degrees, lambda match: _degrees(match, tongue))


@cache
def _patterns(tongue: Tongue) -> tuple[re.Pattern[str], ...]:
    figure = numbers.figure_pattern(tongue)
    times = re.compile(
        rf"{LEFT}(?P<first>{figure}){GAP}(?:×|x(?=[ \u00a0]?\d)){GAP}(?P<second>{figure})"
        rf"(?:{GAP}(?:×|x(?=[ \u00a0]?\d)){GAP}(?P<third>{figure}))?"
        rf"(?:{GAP}(?P<unit>{_UNIT})(?![A-Za-zÀ-ɏ0-9/²³]))?"
    )
    measure = re.compile(
        rf"{LEFT}{SIGN}{quantities.low_and_high(tongue)}(?P<gap>{GAP})(?P<unit>{_UNIT})(?![A-Za-zÀ-ɏ0-9²³])"
        rf"(?:/(?P<per>[^\W\d_]{{1,12}})(?!\w))?+(?!/[A-Za-z0-9])"
        rf"(?:\.(?=[ \u00a0][a-zà-ÿ(]))?"
    )
    degrees = re.compile(rf"{LEFT}{SIGN}{quantities.low_and_high(tongue)}{GAP}°(?![A-Za-z])")
    return times, measure, degrees


def _measure(match: re.Match[str], tongue: Tongue) -> str | None:
    written = match["unit"]
    if _is_else(match, written, tongue):
        return None
    what = quantities.quantity(match, tongue)
    if what is None:
        return None
    singular = tongue.locale == "en" and is_attributive(match)
    per, words = match["per"], _named(what, written, tongue, singular=singular)
    if per is None:
        return words
    is_known = per.lower() in tongue.per or len(per) > 2 or one_of(per, tongue) is not None
    return f"{words} {per_words(per, tongue)}" if is_known else None


def _is_else(match: re.Match[str], written: str, tongue: Tongue) -> bool:
    """Whether what looks like a unit is probably something else: the 1990s, an iPhone 5s."""
    language = tongue.tag[:2]
    if language in _NOT_IN.get(written, "").split():
        return True
    if written == "s" and not match["gap"] and language == "en":
        follows_name = match.string[match.start() - 1 : match.start()] == "-" and match["sign"] is None
        return follows_name or (len(match["low"]) == 4 and match["low"].endswith("0"))
    return False


def _named(what: Quantity, written: str, tongue: Tongue, *, singular: bool = False) -> str:
    per_second = written in PER_SECOND
    unit = PER_SECOND.get(written, SAME.get(written, written))
    noun = names(UNITS[unit], tongue)
    figure = what.high or what.low
    one, many = noun
    name = one if singular or numbers.is_one(figure, tongue) else many
    words = quantities.said(what, name.replace("{}", "").strip(), tongue)
    link = numbers.of_millions(figure, name.replace("{}", "").strip(), tongue)
    form = name if not link else name.replace("{} ", f"{{}} {link}")
    if per_second:
        form = f"{form} {second(tongue)}" if tongue.tag not in {"ja", "zh"} else f"{second(tongue)}{form}"
    return numbers.elided(form.replace("{}", words), tongue)


def _degrees(match: re.Match[str], tongue: Tongue) -> str | None:
    what = quantities.quantity(match, tongue)
    if what is None:
        return None
    one = numbers.is_one(what.high or what.low, tongue) or (tongue.locale == "en" and is_attributive(match))
    name = tongue.phrases["degree" if one else "degrees"]
    form = tongue.phrases.get("amount", "{whole} {unit}")
    return form.format(whole=quantities.said(what, name, tongue), unit=name)


def _dimensions(match: re.Match[str], tongue: Tongue) -> str | None:
    figures = [numbers.read(text, tongue) for text in match.group("first", "second", "third") if text]
    if any(figure is None for figure in figures):
        return None
    known = [figure for figure in figures if figure is not None]
    by = tongue.phrases["by"] if match["unit"] or len(known) > 2 or "×" not in match.group() else tongue.symbols["×"]
    space = "" if tongue.tag in {"ja", "zh"} else " "
    *first, last = known
    words = [numbers.said(figure, tongue) for figure in first]
    unit = match["unit"]
    plain = Quantity(last, None, "", "")
    words.append(_named(plain, unit, tongue) if unit else numbers.said(last, tongue))
    return f"{space}{by}{space}".join(words)


def _feet(match: re.Match[str], tongue: Tongue) -> str:
    inches = match["inches"] or match["short"]
    parts = [(match["feet"], "length-foot"), (inches, "length-inch")]
    return " ".join(_inch(figures, unit, tongue) for figures, unit in parts)


def _inch(figures: str, unit: str, tongue: Tongue) -> str:
    figure = numbers.read(figures, tongue) or Figure("0")
    one, many = names(unit, tongue)
    return (one if numbers.is_one(figure, tongue) else many).replace("{}", numbers.said(figure, tongue))


def second(tongue: Tongue) -> str:
    """Return "per second" in ``tongue``."""
    known = tongue.per.get("s")
    if known:
        return known
    one = names("duration-second", tongue)[0].replace("{}", "").strip()
    return f"{tongue.phrases['per']}{'' if tongue.tag in {'ja', 'zh'} else ' '}{one}"


def per_words(written: str, tongue: Tongue) -> str:
    """Return what a price is for, as it is said: "per month", "al mese"."""
    known = tongue.per.get(written.lower())
    if known:
        return known
    return f"{tongue.phrases['per']} {one_of(written, tongue) or written}"


def one_of(written: str, tongue: Tongue) -> str | None:
    """Return the name of a unit by itself: ``kg`` "kilogram"; None if it is none."""
    unit = SAME.get(written, written)
    if unit not in UNITS:
        return None
    return names(UNITS[unit], tongue)[0].replace("{}", "").strip()


def names(unit: str, tongue: Tongue) -> tuple[str, str]:
    """Return a unit's name for one and for many, with ``{}`` where the number stands."""
    return tongue.units[unit] if unit in tongue.units else _names(unit, tongue.locale)


@cache
def _names(unit: str, locale: str) -> tuple[str, str]:
    one, many = (format_unit(count, unit, "long", locale=locale).replace("\u00a0", " ") for count in (1, 5))
    if locale == "ja":
        one, many = one.replace(" ", ""), many.replace(" ", "")
    return one.replace("1", "{}").replace("’", "'"), many.replace("5", "{}").replace("’", "'")
