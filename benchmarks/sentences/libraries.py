"""Four ways to cut text into sentences, behind one face.

A library that only knows whole texts streams the way its users make it: the open text is cut anew with each
delta, and all but the last sentence is given out.
"""

import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

from primavoce.text import SentenceStream


class Splitter(Protocol):
    """One text, cut as it comes."""

    def push(self, delta: str) -> list[str]:
        """Take ``delta`` and return the sentences that are complete by now."""

    def flush(self) -> list[str]:
        """Return what is left."""


@dataclass(frozen=True, slots=True)
class Library:
    """A library under measurement."""

    name: str
    version: str
    splitter: Callable[[str], Splitter]
    """Return a splitter for a language tag."""
    split: Callable[[str, str], list[str]] | None = None
    """Cut a whole text in a language; None where only a stream is offered."""
    slow: bool = False
    """Whether it takes so long that it is measured on a part of the text."""

    def whole(self, text: str, language: str) -> list[str]:
        """Return the sentences of a text that is there at once."""
        if self.split is not None:
            return self.split(text, language)
        return list(self.stream([text], language))

    def stream(self, deltas: Iterable[str], language: str) -> Iterator[str]:
        """Yield sentences while the deltas come."""
        splitter = self.splitter(language)
        for delta in deltas:
            yield from splitter.push(delta)
        yield from splitter.flush()


class Ours:
    """Our own stream."""

    def __init__(self, language: str) -> None:
        self._stream = SentenceStream(language)

    def push(self, delta: str) -> list[str]:
        """Take ``delta`` and return the sentences that are certain."""
        return [sentence.text for sentence in self._stream.push(delta)]

    def flush(self) -> list[str]:
        """Return what is left."""
        return [sentence.text for sentence in self._stream.flush()]


class Rescanned:
    """A whole-text library, made to stream."""

    def __init__(self, split: Callable[[str], list[str]]) -> None:
        self._split = split
        self._open = ""

    def push(self, delta: str) -> list[str]:
        """Cut all that is open anew, and return all but the last sentence."""
        self._open += delta
        sentences = [sentence for sentence in self._split(self._open) if sentence.strip()]
        given = sentences[:-1]
        at = 0
        for sentence in given:
            at = self._open.index(sentence, at) + len(sentence)
        self._open = self._open[at:]
        return given

    def flush(self) -> list[str]:
        """Return the sentences of what is open."""
        return [sentence for sentence in self._split(self._open) if sentence.strip()]


class Stream2Sentence:
    """stream2sentence's own stream, set to give out each sentence as soon as it can."""

    def __init__(self, language: str) -> None:
        from stream2sentence import SentenceSplitter

        self._splitter: Any = SentenceSplitter(
            minimum_sentence_length=1, minimum_first_fragment_length=1, auto_context=True, language=language
        )

    def push(self, delta: str) -> list[str]:
        """Take ``delta`` and return what it yields."""
        self._splitter.add(delta)
        return list(self._splitter.stream())

    def flush(self) -> list[str]:
        """Return what it yields at the end."""
        return list(self._splitter.flush())


def _sentencex(text: str, language: str) -> list[str]:
    import sentencex

    return list(sentencex.segment(language, text))


@cache
def _pysbd(language: str) -> Callable[[str], list[str]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)  # its patterns are older than the warning
        import pysbd
        from pysbd.languages import LANGUAGE_CODES

    segmenter: Any = pysbd.Segmenter(language=language if language in LANGUAGE_CODES else "en", clean=False)
    return lambda text: list(segmenter.segment(text))


def _split_by_pysbd(text: str, language: str) -> list[str]:
    return _pysbd(language)(text)


def libraries() -> list[Library]:
    """Return all four, ours first."""
    from importlib.metadata import version

    return [
        Library("primavoce", version("primavoce"), Ours),
        Library(
            "sentencex",
            version("sentencex"),
            lambda language: Rescanned(lambda text: _sentencex(text, language)),
            split=_sentencex,
        ),
        Library(
            "pySBD", version("pysbd"), lambda language: Rescanned(_pysbd(language)), split=_split_by_pysbd, slow=True
        ),
        Library("stream2sentence", version("stream2sentence"), Stream2Sentence, slow=True),
    ]
