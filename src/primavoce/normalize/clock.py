"""Times of day and durations: 14:45, 7:30 p.m., 14h30, 1:02:03."""

import re

from primavoce.normalize import numbers
from primavoce.normalize.draft import Draft
from primavoce.normalize.tongue import Time, Tongue
from primavoce.normalize.units import names

_PERIOD_AFTER = r"(?:\.(?=[ \u00a0][a-zà-ÿ]))?"
_HALF = (
    r"(?:[ \u00a0\u202f]?(?P<half>[ap])(?:m\b|\.[ \u00a0]?m(?P<period>\.)|\.?m\b)"
    rf"|[ \u00a0]?h\b{_PERIOD_AFTER}|[ \u00a0]?बजे)?"
)
_TIME = r"(?:[01]?\d|2[0-4])[:：][0-5]\d"
_RIGHT = r"(?!\w|[:：]\w|[.,]\d)"
_LEFT = r"(?<![\dA-Za-zÀ-ɏ_.,:/-])"

_RANGE = re.compile(rf"{_LEFT}(?P<first>{_TIME})[ \u00a0]?[-–—][ \u00a0]?(?P<last>{_TIME}){_RIGHT}")
_CLOCK = re.compile(rf"{_LEFT}(?P<hour>[01]?\d|2[0-4])[:：](?P<minute>[0-5]\d)(?![:：]?\d|[.,]\d)(?i:{_HALF})(?!\w)")
_LETTER = re.compile(
    r"(?<![\w.,:/-])(?P<hour>[01]?\d|2[0-4])[ \u00a0\u202f]?h[ \u00a0\u202f]?(?P<minute>[0-5]\d)?(?:min)?(?!\w)"
)
_HOUR = re.compile(
    r"(?<![\w.,:/$€£-])(?P<hour>0?[1-9]|1[0-2])[ \u00a0]?(?i:(?P<half>[ap])(?:m\b|\.[ ]?m(?P<period>\.)))"
)
_PERIOD = re.compile(
    r"(?i:(?<=\balle )|(?<=\bdalle )|(?<=\bore )|(?<=\ble )|(?<=\bdelle )|(?<=\blas )|(?<=\bàs )|(?<=\bdas ))"
    r"(?P<hour>[01]?\d|2[0-4])\.(?P<minute>[0-5]\d)(?![\w%€]|[.,:]\d|[ ](?:euro|per|mila|milioni)\b)"
)
_LASTING = re.compile(rf"{_LEFT}(?P<hour>\d{{1,3}}):(?P<minute>[0-5]\d):(?P<second>[0-5]\d)(?:[.,]\d{{1,3}})?{_RIGHT}")
_WORD_BEFORE = re.compile(r"([^\W\d_]{1,12})([ \u00a0]{1,2})$")


def clock_times(draft: Draft, tongue: Tongue) -> None:
    """Say times of day as people say them, and hours, minutes and seconds as a duration."""
    draft.say(_LASTING, lambda match: duration(match, tongue))
    draft.say(_RANGE, lambda match: _range(match, tongue))
    patterns = [_CLOCK]
    if tongue.tag in {"fr", "pt-br"}:
        patterns.append(_LETTER)
    if tongue.tag in {"it", "es", "pt-br"}:
        patterns.append(_PERIOD)
    if tongue.locale == "en":
        patterns.append(_HOUR)
    for pattern in patterns:
        draft.settle_spans([span for match in pattern.finditer(draft.text) if (span := _span(match, tongue))])


def _span(match: re.Match[str], tongue: Tongue) -> tuple[int, int, str] | None:
    groups = match.groupdict()
    hour, minute = int(groups["hour"]), int(groups.get("minute") or 0)
    if hour == 24 and minute:
        return None
    start, end = match.span()
    ahead = _WORD_BEFORE.search(match.string[max(0, start - 14) : start])
    before = ahead[1] if ahead and tongue.numerals else ""
    half = (groups.get("half") or "").lower()
    words = time_words(Time(hour, minute, half=half, before=before), tongue)
    if half and tongue.locale == "en" and match.string[end : end + 1] == ".":
        words = words.removesuffix(".")
    elif groups.get("period") and _ends(match.string, end) and tongue.locale != "en":
        words += "."
    prefix = f"{before} "
    if before and words.startswith(prefix):
        return start, end, words.removeprefix(prefix)
    return (start - len(ahead[0]), end, words) if ahead and before else (start, end, words)


def _ends(text: str, at: int) -> bool:
    """Whether the sentence ends ``at`` a place, so that a period before it is a full stop too."""
    return not text[at : at + 8].strip(" \n\"'”’»)")


def _range(match: re.Match[str], tongue: Tongue) -> str:
    times = []
    for written in match.group("first", "last"):
        hour, minute = re.split("[:：]", written)
        before = {"it": "alle", "es": "las"}.get(tongue.tag, "")
        words = time_words(Time(int(hour), int(minute), before=before), tongue)
        times.append(words)
    if tongue.tag == "it":  # dalle nove alle diciotto, dall'una alle due, da mezzanotte all'una
        first = "da" + times[0].removeprefix("a ").join((" ", "")) if times[0].startswith("a ") else "d" + times[0]
        return f"{first} {times[1]}"
    if tongue.tag == "pt-br":
        times[0] = times[0].removesuffix(" horas")
    return tongue.phrases["times"].format(a=times[0], b=times[1])


def time_words(time: Time, tongue: Tongue) -> str:
    """Return a time of day in words, after the word that is before it."""
    if tongue.clock is not None:
        return tongue.clock(time, tongue)
    return time.after_its_word(_english(time, tongue))


def _english(time: Time, tongue: Tongue) -> str:
    """Return hour and minute side by side: "fourteen forty-five", "nine oh five", "seven thirty p.m."."""
    hour = numbers.cardinal(time.hour, tongue)
    if time.half:
        half = f"{time.half}.m."
        if time.hour == 0:
            hour = numbers.cardinal(12, tongue)
        return f"{hour} {_minute(time.minute, tongue)} {half}" if time.minute else f"{hour} {half}"
    if time.minute:
        return f"{hour} {_minute(time.minute, tongue)}"
    if time.hour % 24 == 0:
        return tongue.phrases["midnight"]
    return f"{hour} {tongue.phrases['hundred' if time.hour > 12 else 'o_clock']}"


def _minute(minute: int, tongue: Tongue) -> str:
    words = numbers.cardinal(minute, tongue)
    return f"{tongue.phrases['oh']} {words}" if minute < 10 else words


def duration(match: re.Match[str], tongue: Tongue) -> str:
    """Return hours, minutes and seconds in words, without those that are none."""
    parts = []
    for name in ("hour", "minute", "second"):
        value = int(match[name])
        if value:
            one, many = names(f"duration-{name}", tongue)
            form = one if value == 1 else many
            noun = form.replace("{}", "").strip()
            parts.append(form.replace("{}", numbers.counted(value, noun, tongue)))
    if not parts:
        return names("duration-second", tongue)[1].replace("{}", numbers.cardinal(0, tongue))
    return numbers.elided(("" if tongue.tag in {"ja", "zh"} else ", ").join(parts), tongue)
