"""Cut phonemes that are too many for the model, at the best pauses there are."""

import re

from primavoce.phonemes.alphabet import MAX_PHONEMES

_PAUSES = (
    re.compile(r"[.!?…]+[”\")]*(?=.)"),
    re.compile(r"(?:[;:,—]+[”\")]*|[”)])(?=.)"),
    re.compile(r" (?=.)"),
)
"""Where a cut hurts least, best first: after a sentence, after a clause, after a word."""

_CLINGS_TO_WHAT_FOLLOWS = frozenset("ˈˌ")
_CLINGS_TO_WHAT_PRECEDES = frozenset("ːʰʲᵝ↓→↗↘\u0303")

_SHORTEST_SHARE = 0.5
"""A piece that a pause would make shorter than this part of an even share is not worth that pause: the model's
pace and loudness depend on length, so a stub beside a long piece is heard."""


def split_phonemes(phonemes: str, *, limit: int = MAX_PHONEMES) -> list[str]:
    """Cut ``phonemes`` into pieces of at most ``limit`` symbols.

    Pieces are of nearly even length where the pauses allow it. Spaces at both ends and at the cuts go; nothing
    else does. Phonemes that fit come back as one piece, and phonemes of spaces alone as none.

    Raises:
        ValueError: ``limit`` is below one.
    """
    if limit < 1:
        raise ValueError(f"limit must be at least 1, not {limit}")
    pieces = []
    rest = phonemes.strip(" ")
    while len(rest) > limit:
        cut = _best_cut(rest, limit)
        pieces.append(rest[:cut].rstrip(" "))
        rest = rest[cut:].lstrip(" ")
    return [*pieces, rest] if rest else pieces


def _best_cut(phonemes: str, limit: int) -> int:
    """Return where to end the first piece: at the best kind of pause, and among those nearest an even share."""
    pieces_needed = -(-len(phonemes) // limit)
    share = len(phonemes) / pieces_needed
    # A space after the mark doesn't count: it goes at the cut. So one symbol past the limit may still be a pause.
    for pause in _PAUSES:
        cuts = [found.end() for found in pause.finditer(phonemes, 0, limit + 2)]
        fitting = [cut for cut in cuts if share * _SHORTEST_SHARE <= cut and len(phonemes[:cut].rstrip(" ")) <= limit]
        if fitting:
            return min(fitting, key=lambda cut: abs(cut - share))
    return _hard_cut(phonemes, min(limit, round(share)))


def _hard_cut(phonemes: str, cut: int) -> int:
    """Return ``cut``, or a place a little before it that parts no mark from the sound it belongs to."""
    for place in range(cut, max(0, cut - 4), -1):
        if phonemes[place - 1] not in _CLINGS_TO_WHAT_FOLLOWS and phonemes[place] not in _CLINGS_TO_WHAT_PRECEDES:
            return place
    return cut
