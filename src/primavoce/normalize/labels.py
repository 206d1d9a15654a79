"""How the pieces of an address are said: words as words, what has no vowels letter by letter, figures as figures."""

import re

from primavoce.normalize import numbers
from primavoce.normalize.tongue import Tongue
from primavoce.text.languages.rules import words

_PIECE = re.compile(r"[^\W\d_]++|\d++|[^\s\w]|_")
_CAMEL = re.compile(r"(?<=[a-zà-ÿ])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-zà-ÿ]{2})")
_CODE_LIKE = re.compile(r"(?=[a-zA-Z\d]{5,64}$)(?:[a-zA-Z]{0,4}\d{1,6}){2,16}[a-zA-Z]{0,4}")
_NO_VOWEL = re.compile(r"[b-df-hj-np-tv-xzB-DF-HJ-NP-TV-XZ]++")
_CONSONANTS = re.compile(r"[b-df-hj-np-tv-xzB-DF-HJ-NP-TV-XZ]{6}")

WORD_DOMAINS = words(
    "academy agency app art bio biz blog bot chat click cloud club co com company design dev edu email example",
    "finance fun games gov health home host inc info internal invalid jobs lan land life link live local localhost",
    "me media mobi museum name net news one online org page pro run school sh shop site space store studio team",
    "tech test today tools top travel wiki work world zone",
)
"""Top-level domains that are said as words; others are spelled: io, uk, de."""
_SPOKEN_AS_WORDS = {"it": {"it"}, "es": {"es", "mx", "ar"}}
"""Language → country codes said as words there: punto it."""
_SPELLED = words(
    "io ai exe ini api url uri ui id ip os ci cd db",
)
_SPELLED_IN_ENGLISH = words(
    "io ai exe api url uri ui id ip os ci aws",
)


def label(text: str, tongue: Tongue) -> str:
    """Return a piece of an address, or a name with marks inside, in words: ``web-01`` "web dash zero one"."""
    if _CODE_LIKE.fullmatch(text):
        return spelled(text, tongue)
    return " ".join(_piece(piece, tongue) for piece in _PIECE.findall(text))


def domain(text: str, tongue: Tongue) -> str:
    """Return a host's name in words: ``example.co.uk`` "example dot co dot U.K" in English."""
    *labels, top = text.split(".")
    said = [label(piece, tongue) for piece in labels]
    return f" {tongue.address['.']} ".join([*said, top_level(top, tongue)])


def top_level(text: str, tongue: Tongue) -> str:
    """Return a top-level domain as it is said."""
    low = text.lower()
    if low in WORD_DOMAINS or low in _SPOKEN_AS_WORDS.get(tongue.tag, ()) or len(low) > 4:
        return low if not _NO_VOWEL.fullmatch(low) else spelled(low, tongue)
    return spelled(low, tongue) if len(low) == 2 else label(low, tongue)


def spelled(text: str, tongue: Tongue) -> str:
    """Return ``text`` letter by letter and digit by digit: "U K", in English "U.K", and "A." for a lone A.

    To the English phonemiser an A by itself is the article; letters with periods between are letters.
    """
    if tongue.locale != "en":
        return " ".join(numbers.digits(char, tongue) if char.isdecimal() else char.upper() for char in text)
    runs = re.findall(r"\d++|[^\W\d_]++|[^\w\s]|_", text)
    return " ".join(numbers.digits(run, tongue) if run.isdecimal() else letters(run) for run in runs)


def letters(text: str) -> str:
    """Return letters as the English phonemiser spells them: "U.K", "A."."""
    return "A." if text in {"a", "A"} else ".".join(text.upper())


def figures(text: str, tongue: Tongue) -> str:
    """Return the figures of an address as they are said: 2024 as a year, 8080 by twos in English, 007 one by one."""
    if len(text) > 4 or (text.startswith("0") and len(text) > 1):
        return numbers.digits(text, tongue)
    value = int(text)
    if tongue.locale == "en" and len(text) == 4 and value % 1000 and value // 100 % 10:
        return numbers.year(value, tongue)
    if tongue.locale == "en" and len(text) == 4 and value % 1000 and value % 100 > 9:
        return f"{numbers.cardinal(value // 100, tongue)} {numbers.cardinal(value % 100, tongue)}"
    return numbers.cardinal(value, tongue)


def octet(text: str, tongue: Tongue) -> str:
    """Return a part of an IP address: "one ninety-two" in English, a cardinal elsewhere."""
    value = int(text)
    if tongue.locale != "en" or value < 100 or value % 100 == 0:
        return numbers.cardinal(value, tongue)
    rest = numbers.cardinal(value % 100, tongue)
    return f"{numbers.cardinal(value // 100, tongue)} {f'oh {rest}' if value % 100 < 10 else rest}"


def _piece(piece: str, tongue: Tongue) -> str:
    if piece.isdecimal():
        return figures(piece, tongue)
    if not piece[0].isalpha():
        return tongue.address.get(piece, "")
    return " ".join(_word(word, tongue) for word in _CAMEL.split(piece))


def _word(word: str, tongue: Tongue) -> str:
    low = word.lower()
    if low == "www" and low in tongue.address:
        return tongue.address[low]
    if len(word) == 1 and word.isascii():
        return letters(word) if tongue.locale == "en" else word.upper()
    if not word.isascii():
        return word
    if _NO_VOWEL.fullmatch(word) or _CONSONANTS.search(word):
        return spelled(word, tongue)
    if low in (_SPELLED_IN_ENGLISH if tongue.locale == "en" else _SPELLED):
        return spelled(word, tongue)
    return word
