"""Captions: what was written, in lines of a length that can be read, at the times when it is heard."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from primavoce.text.timing import WordTime

LONGEST_CUE = 84
"""Characters of a caption: two lines of 42, as broadcasters have it."""
LONGEST_TAIL = 16
"""Characters of marks that a caption may have beyond that, after its last word."""
LONGEST_CUE_S = 7.0
"""Seconds that a caption stands at most."""
LONGEST_GAP_S = 0.6
"""Silence at which a caption ends."""
SHORTEST_GAP_S = 0.1
"""Silence at which a caption ends after a mark; after the period of "Dr." there is less."""
_ENDS = (".", "!", "?", "…", "。", "！", "？", "।", ":", '"', "”", "»", ")")

_OPENS = frozenset("“„«‹‘([{¿¡「『《#*_-")


@dataclass(frozen=True, slots=True)
class Cue:
    """One caption."""

    start_s: float
    end_s: float
    text: str
    """As it was written, white space collapsed."""


def cues(text: str, words: Sequence[WordTime]) -> list[Cue]:
    """Return the captions for ``text``, whose ``words`` have times.

    Every character of the text from the first word on is in one caption, spoken or not: marks go with the word before
    them. Only what was written as one and is longer than a caption (a code fence that is announced) is shown in part,
    with an ellipsis.
    """
    return [
        Cue(group[0].start_s, group[-1].end_s, _shown(text[_beginning(text, group[0]) : end]))
        for group, end in _grouped(text, words)
    ]


def _grouped(text: str, words: Sequence[WordTime]) -> Iterator[tuple[Sequence[WordTime], int]]:
    """Yield the words of each caption, and where its text ends."""
    first = 0
    for index in range(1, len(words) + 1):
        end = _beginning(text, words[index]) if index < len(words) else len(text)
        if index == len(words) or _parts(text, words, first, index):
            yield words[first:index], end
            first = index


def _parts(text: str, words: Sequence[WordTime], first: int, index: int) -> bool:
    """Whether a new caption begins with the word at ``index``."""
    last, following = words[index - 1], words[index]
    after = index + 1
    reaches = words[after].start if after < len(words) else following.end
    written = text[words[first].start : _beginning(text, following)].rstrip()
    too_long = reaches - words[first].start > LONGEST_CUE or following.end_s - words[first].start_s > LONGEST_CUE_S
    silence_s = following.start_s - last.end_s
    return too_long or silence_s > LONGEST_GAP_S or (silence_s > SHORTEST_GAP_S and written.endswith(_ENDS))


def _shown(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_CUE + LONGEST_TAIL else f"{line[:LONGEST_CUE]}…"


def _beginning(text: str, word: WordTime) -> int:
    """Return where ``word`` begins with the marks that open before it."""
    start = word.start
    while start and text[start - 1] in _OPENS:
        start -= 1
    return start


def to_srt(captions: Sequence[Cue]) -> str:
    """Return ``captions`` as a SubRip file (numbered cues, times with a comma)."""
    return "".join(
        f"{number}\n{_time(cue.start_s, ',')} --> {_time(cue.end_s, ',')}\n{cue.text}\n\n"
        for number, cue in enumerate(captions, start=1)
    )


def to_vtt(captions: Sequence[Cue]) -> str:
    """Return ``captions`` as a WebVTT file (https://www.w3.org/TR/webvtt1/); ``&``, ``<`` and ``>`` are escaped."""
    body = "".join(
        f"{_time(cue.start_s, '.')} --> {_time(cue.end_s, '.')}\n{_escaped(cue.text)}\n\n" for cue in captions
    )
    return f"WEBVTT\n\n{body}"


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _time(seconds: float, mark: str) -> str:
    """Return ``seconds`` as hh:mm:ss and milliseconds after ``mark``."""
    milliseconds = round(seconds * 1000)
    minutes, rest = divmod(milliseconds, 60_000)
    return f"{minutes // 60:02}:{minutes % 60:02}:{rest // 1000:02}{mark}{rest % 1000:03}"


WRITERS: dict[str, Callable[[Sequence[Cue]], str]] = {"srt": to_srt, "vtt": to_vtt}
"""Format → its writer."""
