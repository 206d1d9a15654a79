"""Words that a language's phonemiser says wrongly, spelled so that it says them as people do."""

import re
from functools import cache

from primavoce.normalize.draft import Draft
from primavoce.normalize.tongue import Tongue

LONGEST_ACRONYM = 6
"""Letters and figures; longer words in capitals are words."""

_WORD = re.compile(r"(?<![^\W_])[A-Za-zÀ-ɏ0-9]+(?:-[A-Za-zÀ-ɏ0-9]+)*(?![A-Za-zÀ-ɏ0-9])")
_CAPITALS = re.compile(rf"(?=[A-Z0-9]{{1,{LONGEST_ACRONYM}}}\Z)\d*[A-Z][A-Z0-9]*")


def respellings(draft: Draft, tongue: Tongue) -> None:
    """Spell words as the language's table has them: the last rule, since the others write words out too."""
    if not tongue.respellings:
        return
    phrases = _phrases(tongue)
    if phrases is not None:
        draft.respell(phrases, lambda match: _known(" ".join(match.group().split()), tongue))
    draft.respell(_WORD, lambda match: _word(match.group(), tongue))


@cache
def _phrases(tongue: Tongue) -> re.Pattern[str] | None:
    """Return an expression for the entries of more than one word."""
    keys = sorted((key for key in tongue.respellings if " " in key), key=len, reverse=True)
    forms = "|".join(re.escape(key).replace(r"\ ", "[ \u00a0]") for key in keys)
    return re.compile(rf"(?<!\w)(?:{forms})(?!\w)", re.IGNORECASE) if keys else None


def _known(word: str, tongue: Tongue) -> str | None:
    """Return an entry's spelling: one with a capital stands for itself alone, one without for any case."""
    exact = tongue.respellings.get(word)
    if exact is not None or word.islower():
        return exact
    folded = tongue.respellings.get(word.lower())
    return folded and folded[:1].upper() + folded[1:]


def _word(word: str, tongue: Tongue) -> str | None:
    known = _known(word, tongue)
    if known is not None or "-" not in word:
        return known or _lettered(word, tongue)
    parts = word.split("-")
    said = [_known(part, tongue) or _lettered(part, tongue) for part in parts]
    if not any(said):
        return None
    return "-".join(new or part for new, part in zip(said, parts, strict=True))


def _lettered(word: str, tongue: Tongue) -> str | None:
    """Return an acronym or a code letter by letter, where the language's table of letters says how."""
    if not tongue.letters or _CAPITALS.match(word) is None:
        return None
    pieces = re.findall(r"\d+|[A-Z]", word)
    return " ".join(tongue.letters.get(piece, piece) for piece in pieces)
