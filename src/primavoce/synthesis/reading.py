"""From a sentence to the words that are said for it, each with its phonemes and the place where it was written."""

import logging
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby

from primavoce.errors import InvalidRequest, PhonemesFailed
from primavoce.normalize import ReadingOptions, Spoken, normalize
from primavoce.normalize.draft import Draft
from primavoce.phonemes.budget import split_phonemes
from primavoce.phonemes.words import Pronunciation
from primavoce.synthesis.segment import G2P
from primavoce.text import Kind, Sentence
from primavoce.text.languages import rules_for
from primavoce.text.segments import HARD_LIMIT, Gap

SENTENCE_MARKS = frozenset(".!?…")
MOST_MARKS = 12
"""Marks in a row that the model gets; more make no longer pause."""
LONGEST_WORD = HARD_LIMIT // 2
"""Phonemes of a word, so that with its marks it fits into a segment."""
CLAUSE_MARKS = frozenset(",;:—()“”")

log = logging.getLogger("primavoce.synthesis")


@dataclass(frozen=True, slots=True)
class ReadWord:
    """A word as it is said."""

    phonemes: str
    after: str
    """Marks and space between it and the next word."""
    start: int
    """Where it was written: characters into the utterance's text."""
    end: int
    gap: Gap
    pause_s: float = 0.0
    """Silence that was asked for after it."""


@dataclass(frozen=True, slots=True)
class ReadSentence:
    """A sentence, ready to be cut into segments."""

    start: int
    """Where it was written: characters into the utterance's text."""
    end: int
    kind: Kind
    lead: str
    """Marks before the first word, as phonemes."""
    words: tuple[ReadWord, ...]
    """None when there is nothing to say."""
    pause_before_s: float = 0.0
    """Silence that was asked for before the first word."""


class Reader:
    """Reads one utterance's sentences, in order; blocking, not thread-safe.

    Args:
        g2p: Pronounces.
        language: A wire tag.
        options: How to read what isn't prose, and names.
    """

    def __init__(self, g2p: G2P, language: str, options: ReadingOptions) -> None:
        self._g2p = g2p
        self._language = language
        self._options = options
        self._after: Kind | None = None

    def read(self, sentence: Sentence) -> ReadSentence:
        """Return what is said for ``sentence``.

        Raises:
            PhonemesFailed: it can't be pronounced.
            LanguageUnavailable: the language's extra is not installed.
        """
        try:
            return self._read(sentence)
        except (InvalidRequest, PhonemesFailed):
            raise
        except Exception as error:
            # Its message may hold what was said.
            log.error("a sentence of %d characters has no phonemes: %s", len(sentence.text), type(error).__name__)  # noqa: TRY400
            raise PhonemesFailed from error

    def _read(self, sentence: Sentence) -> ReadSentence:
        spoken = self._spoken(sentence)
        self._after = sentence.kind
        given = [(each.start, each.end, each.phonemes) for each in spoken.phonemes]
        pronounced = self._g2p.pronounce(spoken.text, self._language, given=given)
        words = list(_read_words(sentence, spoken, pronounced, rules_for(self._language).conjunctions))
        leading_s = _add_pauses(words, spoken, pronounced)
        pieces = tuple(spread([piece for word in words for piece in _fitting(word)]))
        lead = _few(pronounced.lead)
        return ReadSentence(sentence.start, sentence.end, sentence.kind, lead, pieces, leading_s)

    def _spoken(self, sentence: Sentence) -> Spoken:
        """Return what is read, which is what was written where the rules fail: a rule's fault silences nobody."""
        try:
            return normalize(sentence, self._language, after=self._after, options=self._options)
        except Exception as error:  # noqa: BLE001 - many rules, and strangers' text
            # What the error says may quote the text, which is nobody's to log.
            log.error("a sentence is read as it was written, for a rule failed: %s", type(error).__name__)  # noqa: TRY400
            return Draft(sentence.text).spoken()


def _add_pauses(words: list[ReadWord], spoken: Spoken, pronounced: Pronunciation) -> float:
    """Put the silence that was asked for after the word it follows; return what comes before all words."""
    leading_s = 0.0
    ends = [word.end for word in pronounced.words]
    for pause in spoken.pauses:
        before = bisect_right(ends, pause.at)
        if before == 0:
            leading_s += pause.seconds
        else:
            word = words[before - 1]
            words[before - 1] = replace(word, gap=Gap.PAUSE, pause_s=word.pause_s + pause.seconds)
    return leading_s


def spread(words: list[ReadWord]) -> Iterator[ReadWord]:
    """Give the words of one written thing that no segment holds (a number of a thousand digits) a part of it each.

    Otherwise each segment would claim the whole of it.
    """
    for _, group in groupby(words, key=lambda word: (word.start, word.end)):
        alike = list(group)
        total = sum(len(word.phonemes) for word in alike)
        if total <= LONGEST_WORD:
            yield from alike
            continue
        at, start, end = 0, alike[0].start, alike[0].end
        for word in alike:
            begin = start + (end - start) * at // total
            at += len(word.phonemes)
            yield replace(word, start=begin, end=start + (end - start) * at // total)


def _few(marks: str) -> str:
    """Return ``marks`` without those that repeat the one before, and no more than are heard."""
    distinct = "".join(mark for mark, _ in groupby(marks))
    if len(distinct) > MOST_MARKS:
        log.debug("not read: %d marks in a row", len(distinct) - MOST_MARKS)
        distinct = distinct[: MOST_MARKS - 1] + distinct[-1]
    return distinct


def _read_words(
    sentence: Sentence, spoken: Spoken, pronounced: Pronunciation, conjunctions: frozenset[str]
) -> Iterator[ReadWord]:
    words = pronounced.words
    origins = [_without_space(sentence.text, *spoken.origin(word.start, word.end)) for word in words]
    for index, word in enumerate(words):
        start, end = origins[index]
        gap = Gap.SENTENCE
        if index + 1 < len(words):
            following = words[index + 1]
            joins = spoken.text[following.start : following.end].lower() in conjunctions
            gap = _gap(word.after, inside=origins[index + 1][0] < end, joins=joins)
        yield ReadWord(word.phonemes, _few(word.after), sentence.start + start, sentence.start + end, gap)


def _without_space(text: str, start: int, end: int) -> tuple[int, int]:
    """Return where ``text[start:end]`` is without white space around it."""
    stripped = text[start:end].strip()
    start += text[start:end].find(stripped)
    return start, start + len(stripped)


def _gap(after: str, *, inside: bool, joins: bool) -> Gap:
    if inside:
        return Gap.INSIDE
    if not SENTENCE_MARKS.isdisjoint(after):
        return Gap.SENTENCE
    if not CLAUSE_MARKS.isdisjoint(after):
        return Gap.CLAUSE
    return Gap.CONJUNCTION if joins else Gap.WORD


def _fitting(word: ReadWord) -> Iterator[ReadWord]:
    """Yield ``word``, in pieces if the model can't take it in one go."""
    pieces = split_phonemes(word.phonemes, limit=LONGEST_WORD) or [""]
    for piece in pieces[:-1]:
        yield replace(word, phonemes=piece, after="", gap=Gap.INSIDE, pause_s=0.0)
    yield replace(word, phonemes=pieces[-1])
