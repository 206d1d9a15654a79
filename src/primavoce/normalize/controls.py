"""Inline controls: ``[word](/phonemes/)`` and ``[pause:0.5s]``.

They are the writer's to use in every language, and they come first: to Markdown, the one is a link and the other
nothing at all. ``[docs](/docs/)`` is a link to Markdown too, and only that: phonemes have a mark of stress or length,
or another sign outside ASCII, or are two signs at most.
"""

import re

from primavoce.normalize.draft import Draft, left_out
from primavoce.normalize.lexicon import are_phonemes

LONGEST_PAUSE_S = 10.0
"""Silence that one control may ask for; more would look as if the voice had died."""

_GIVEN = re.compile(r"(?<![\\`!])\[([^\[\]\n]{1,100}+)\]\(/([^/()\[\]\n]{1,300}+)/\)")
_PAUSE = re.compile(
    r"""(?<![\\`]) \[ pause: [ ]?
        (?: (?P<whole> \d{1,9}+ ) (?: [.,] (?P<part> \d{1,9}+ ) )? | [.,] (?P<bare> \d{1,9}+ ) )
        [ ]? (?P<unit> m?s )? \] (?!`)""",
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)
_SHORT = 2
"""Signs that are phonemes even if all are ASCII: /I/, /Ai/."""
_STRESS = ("'", '"', ":")
"""How ASCII writes stress and length."""
_EMPHASIS = str.maketrans("", "", "*_~`")


def controls(draft: Draft, alphabet: frozenset[str]) -> None:
    """Settle pauses, and words whose phonemes are given; what only looks like either is left for later rules.

    Not between backticks or after a backslash: that is a writer who explains them.
    """
    if "[" not in draft.text:
        return
    draft.pause(_PAUSE, _pause_s)
    draft.rewrite(_GIVEN, lambda match: None if _is_said(match[2], alphabet) else _word_alone(match))
    draft.give(_GIVEN, lambda match: (match[1].translate(_EMPHASIS), match[2].strip()))


def _pause_s(match: re.Match[str]) -> float:
    amount = float(f"{match['whole'] or 0}.{match['part'] or match['bare'] or 0}")
    seconds = amount / 1000 if (match["unit"] or "s").lower() == "ms" else amount
    if seconds > LONGEST_PAUSE_S:
        left_out(len(match.group()), "a pause is at most 10 s; the rest of it")
    return min(seconds, LONGEST_PAUSE_S)


def _is_path(text: str) -> bool:
    """Whether what stands between slashes is a step of a relative link: ``/docs/``, but not ``/aɪ/``."""
    return text.isascii() and len(text.strip()) > _SHORT and not any(mark in text for mark in _STRESS)


def _is_said(text: str, alphabet: frozenset[str]) -> bool:
    return are_phonemes(text, alphabet) and not _is_path(text)


def _word_alone(match: re.Match[str]) -> str:
    left_out(len(match[2]), "not phonemes that the model knows; the word is read as it is spelled")
    return match[1]
