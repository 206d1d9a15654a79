"""The texts that calibration never learns from, and may therefore be judged by.

They are the same lines of every language's file. Those say much the same in each language, so a text that is kept out
of one is kept out of all: met under another voice, it would flatter.
"""

from primavoce.calibration.plan import texts_in
from primavoce.languages import resolve_language

EVERY = 8
"""One line in so many is held out."""
FIRST = 3
"""The first that is, counted from 0."""


def held_out(index: int) -> bool:
    """Return whether the text on line ``index``, counted from 0, is never learnt from."""
    return index % EVERY == FIRST


def held_out_texts(language: str) -> tuple[str, ...]:
    """Return the texts of a language that are never learnt from, in the file's order: short to long, about.

    Args:
        language: A wire tag.

    Raises:
        UnknownLanguage: Kokoro doesn't speak it.
    """
    return tuple(text for index, text in enumerate(texts_in(resolve_language(language))) if held_out(index))
