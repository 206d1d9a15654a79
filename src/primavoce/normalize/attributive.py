"""Whether an English measure stands before a noun that it describes: a $25 credit, the 5 km run, a 512GB SSD."""

import re

from primavoce.text.languages.rules import words

_ARTICLE = re.compile(
    r"\b(?:an?|the|this|that|each|every|any|my|your|his|her|its|our|their|one|another|first|second|new|single)"
    r"(?: (?:new|extra|additional|small|large|big|full|flat|whole|free|fast|slow|one-time|monthly|annual|total|roughly|"
    r"about)){0,2} \Z",
    re.IGNORECASE,
)
_NEXT = re.compile(r"[ \u00a0](?=[A-Za-z])([A-Za-z][A-Za-z'’-]{0,30})")
_NOT_NOUNS = words(
    "and or is was are were be in of on at to from by with for a an the but so than as per each every more less",
    "fewer off away ago later long tall wide high deep thick old apart above below which that who you we i he she",
    "they it will would can could may might should must has have had do does did not if when while until because",
    "after before since into onto over under between about around through plus minus times worth now today then",
    "also only just again all both either this these those our your my his her their its left back up down out here",
    "there",
)


_MEASURED = words(
    "battery charger camera lens jack screen display monitor tank engine motor SSD drive disk RAM bag bottle jar pack",
    "box pan run walk hike race radius fee discount credit bill deposit card voucher refund adapter cable laptop TV",
    "angle view rotation bend feedback increments intervals timeout limit delay module connection",
)
"""Nouns that a measure describes even without an article: "67W charger"."""


def is_attributive(match: re.Match[str]) -> bool:
    """Whether the word after ``match`` is what it measures: one of a few, after an article any that may be a noun."""
    after = _NEXT.match(match.string, match.end())
    if after is None:
        return False
    if after[1] in _MEASURED:
        return True
    led = _ARTICLE.search(match.string, max(0, match.start() - 40), match.start())
    return led is not None and after[1].lower() not in _NOT_NOUNS
