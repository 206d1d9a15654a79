"""Rules of Japanese and Chinese, whose letters stand right beside figures: times, scores, negatives, telephones."""

import re

from primavoce.normalize.draft import Draft
from primavoce.normalize.tongue import Rule, Time, Tongue

_TIME = r"(?:[01]?\d|2[0-4])[:：][0-5]\d"
_LEFT = r"(?<![\dA-Za-z.,/-])(?<!\d[:：])"
_RIGHT = r"(?![\dA-Za-z:：]|[.,]\d)"
_TIMES = re.compile(rf"{_LEFT}(?P<first>{_TIME})[ ]?[-–—~〜～至][ ]?(?P<last>{_TIME}){_RIGHT}")
_CLOCK = re.compile(rf"{_LEFT}(?P<time>{_TIME}){_RIGHT}")
_SCORE = re.compile(rf"{_LEFT}(?P<a>\d{{1,3}})[:：](?P<b>\d{{1,3}}){_RIGHT}")
_MINUS = re.compile(r"(?<![\dA-Za-z)）%℃度円元月日年时時分秒-])[-−](?=\d)")
_DAY = re.compile(r"(?<![\dA-Za-z.,/-])(?P<month>0?[1-9]|1[0-2])/(?P<day>[0-3]?\d)(?=[（(にのはまか、午])")
_OF = re.compile(r"(?<![\dA-Za-z.,/-])(?P<part>\d{1,3})/(?P<of>\d{1,3})(?![\dA-Za-z/]|[.,]\d)")
_PHONE = re.compile(
    r"(?<![\dA-Za-z.,/-])(?P<plus>\+)?(?P<number>\d{1,4}(?:[- ]\d{1,4}){2,4}|0\d{2,3}-\d{7,8}|1[3-9]\d{9})(?![\dA-Za-z]|[-.,]\d)"
)
_SPEED = re.compile(r"[時时]速(?=[ ]?\d[\d.,]{0,6}[ ]?km/h)")
_SIMPLE = frozenset({(1, 2), (1, 3), (2, 3), (1, 4), (3, 4)})


def times(draft: Draft, tongue: Tongue) -> None:
    """Say times of day, and from when to when."""
    draft.say(_TIMES, lambda match: _times(match, tongue))
    draft.say(_CLOCK, lambda match: _time(match["time"], tongue))
    versus = tongue.phrases["versus"]
    draft.rewrite(_SCORE, lambda match: f"{match['a']}{versus}{match['b']}")


def _times(match: re.Match[str], tongue: Tongue) -> str:
    first, last = (_time(match[name], tongue) for name in ("first", "last"))
    return tongue.phrases["times"].format(a=first, b=last)


def _time(written: str, tongue: Tongue) -> str:
    hour, minute = re.split("[:：]", written)
    assert tongue.clock is not None, "both languages have one"
    return tongue.clock(Time(int(hour), int(minute)), tongue)


def telephones(draft: Draft, tongue: Tongue) -> None:
    """Say telephone numbers figure by figure."""
    draft.say(_PHONE, lambda match: _phone(match, tongue))


def _phone(match: re.Match[str], tongue: Tongue) -> str | None:
    written = match["number"]
    groups = re.findall(r"\d+", written)
    if not 9 <= sum(map(len, groups)) <= 15 or (" " in written and not match["plus"]):
        return None
    figures = tongue.phrases["figures"].split()
    gap = "" if tongue.tag == "zh" else " "
    said = tongue.phrases["comma"].join(gap.join(figures[int(figure)] for figure in group) for group in groups)
    return f"{tongue.phrases['plus'] if match['plus'] else ''}{said}"


def figures(draft: Draft, tongue: Tongue) -> None:
    """Say days as 3/5, fractions, and a sign before a number that stands beside a word."""
    if tongue.tag == "ja":
        draft.rewrite(_DAY, _day)
    draft.rewrite(_OF, lambda match: tongue.phrases["over"].format(a=match["part"], b=match["of"]))
    draft.rewrite(_MINUS, lambda _: tongue.phrases["minus"])
    draft.rewrite(_SPEED, lambda _: "")


def _day(match: re.Match[str]) -> str | None:
    month, day = int(match["month"]), int(match["day"])
    if (month, day) in _SIMPLE or not 1 <= day <= 31:
        return None
    return f"{month}月{day}日"


RULES: tuple[Rule, ...] = (telephones, times, figures)
"""After those for dates."""
