"""The pauses that a listener expects, by the marks before them, and the sample of silence. Light: no numpy."""

import unicodedata

PAUSES_S = {
    ".": 0.30,
    "!": 0.30,
    "?": 0.32,
    "…": 0.35,
    ":": 0.25,
    ";": 0.25,
    ",": 0.15,
    "—": 0.20,
}
"""Seconds of pause after a mark."""
NO_MARK_S = 0.35
"""Seconds of pause after a text that ends without a mark: a heading, an item, a paragraph."""
ALIKE = {
    "。": ".", "．": ".", "｡": ".", "।": ".", "۔": ".", "።": ".", "！": "!", "？": "?", "؟": "?", "፧": "?", "：": ":",
    "；": ";", "，": ",", "、": ",",
}  # fmt: skip
"""Marks of other scripts, and the mark of ours that they pause like."""
NO_SOUND = {"mulaw": b"\xff", "alaw": b"\xd5"}
"""The sample of silence in formats of which it isn't zero."""


def last_mark(text: str) -> str | None:
    """Return the mark that ends ``text``, as one of `PAUSES_S`, if any does.

    Closing quotes, brackets, emphasis and pictographs after the mark are passed over.
    """
    for symbol in reversed(text):
        mark = ALIKE.get(symbol, symbol)
        if mark in PAUSES_S:
            return mark if not text.rstrip("\"'”’)]*_ ").endswith("...") else "…"
        if unicodedata.category(symbol)[0] in "LN":
            break
    return None


def pause_after(text: str) -> float:
    """Return the seconds of pause that a listener expects after ``text``, by the mark that ends it."""
    mark = last_mark(text)
    return NO_MARK_S if mark is None else PAUSES_S[mark]


def silent_sample(audio_format: str, width: int) -> bytes:
    """Return a sample of silence in a format that sends samples.

    Args:
        audio_format: Its name on the wire.
        width: Bytes a sample.
    """
    return NO_SOUND.get(audio_format, bytes(width))
