"""misaki's English with a tagger, for text whose words may be linked, or have a pronunciation that is given."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from misaki import en
from misaki.token import MToken

from primavoce.phonemes.dictionaries import Dictionaries, RatedPhonemes
from primavoce.phonemes.words import Given, Sound
from primavoce.phonemes.written import Written

Tagger = Callable[[str], object]
"""spaCy's pipeline: text → tokens with their part of speech."""

MOST_PARTS = 12
"""Parts (letters, digits, marks) of one word; misaki's search for known ones takes the cube: minutes for thousands."""

_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")
"""A word with its phonemes, stress or flags, in misaki's notation; or a link, which is said by its text."""


class Fallback(Protocol):
    """Pronounces a token that the dictionaries don't know."""

    def __call__(self, token: MToken) -> RatedPhonemes:
        """Return the token's phonemes."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the writer asked for, in the form that misaki passes on from its preprocessing to its tokenizer."""

    words: list[str]
    """Words and linked texts."""
    features: dict[int, object]
    """Number of a linked text among ``words`` → its phonemes, stress or flags."""
    given: Sequence[Given]


class Grammar(en.G2P):  # type: ignore[misc]
    """misaki's English with the tagger that we bring; its own would be downloaded."""

    def __init__(self, *, british: bool, tagger: Tagger, dictionaries: Dictionaries, fallback: Fallback) -> None:
        self.version = None  # the form of Kokoro v1.0
        self.british = british
        self.nlp = tagger
        self.lexicon = dictionaries
        self.fallback = fallback
        self.unk = ""

    def sounds(self, written: Written, given: Sequence[Given]) -> list[Sound]:
        """Return the sounds of ``written`` in terms of its origin, to which ``given`` refers too."""
        unlinked, words, features = unlink(written, written.carried(given))
        wishes = Wishes(words, features, unlinked.carried(given))
        _, tokens = self(unlinked.text, lambda text: (text, words, wishes))
        return unlinked.origins(_sounds(tokens, unlinked.text))

    def tokenize(self, text: str, words: list[str], wishes: Wishes) -> list[MToken]:
        """Return spaCy's tokens, with those as one that are given, and a space in any that go on and on."""
        tokens = super().tokenize(text, words, wishes.features)
        return list(_with_breaks(_with_given(tokens, text, wishes.given) if wishes.given else tokens))


def unlink(written: Written, given: Sequence[Given]) -> tuple[Written, list[str], dict[int, object]]:
    """Return the text with links as their texts, its words as misaki counts them, and what it is to do with which.

    What is given is no part of a link's notation, and wins over what that says.
    """
    text = written.text
    hidden = text
    for one in given:
        hidden = hidden[: one.start] + "x" * (one.end - one.start) + hidden[one.end :]
    words: list[str] = []
    features: dict[int, object] = {}
    edits: list[tuple[int, int, str]] = []
    place = 0
    for link in _LINK.finditer(hidden):
        touching = [one for one in given if one.start < link.end() and link.start() < one.end]
        if any(one.start < link.start(1) or link.end(1) < one.end for one in touching):
            continue
        words += text[place : link.start()].split()
        if not touching:
            _, _, wished = en.G2P.preprocess(text[link.start() : link.end()])
            features.update({len(words): wish for wish in wished.values()})
        words.append(text[link.start(1) : link.end(1)])
        edits += (link.start(), link.start(1), ""), (link.end(1), link.end(), "")
        place = link.end()
    words += text[place:].split()
    return written.edited(edits), words, features


def _with_given(tokens: Sequence[MToken], text: str, given: Sequence[Given]) -> Iterator[MToken]:
    """Yield ``tokens`` with one for each of ``given``; tokens are cut at its ends if need be."""
    waiting = list(reversed(given))
    for start, token in _cut(tokens, [place for one in given for place in (one.start, one.end)]):
        if not waiting or start < waiting[-1].start:
            yield token
            continue
        one = waiting[-1]
        if start + len(token.text) >= one.end:
            waiting.pop()
            yield replace(
                token,
                text=text[one.start : one.end],
                phonemes=one.phonemes,
                _=MToken.Underscore(is_head=True, num_flags="", prespace=False, rating=5, given=one.phonemes),
            )


def _cut(tokens: Sequence[MToken], places: list[int]) -> Iterator[tuple[int, MToken]]:
    """Yield ``tokens``, and where they start, with no place inside any."""
    waiting = list(reversed(places))
    start = 0
    for token in tokens:
        text = token.text
        while waiting and waiting[-1] <= start + len(text):
            length = waiting.pop() - start
            if 0 < length < len(text):
                yield start, replace(token, text=text[:length], whitespace="", _=_fresh())
                start, text = start + length, text[length:]
        yield start, token if text == token.text else replace(token, text=text, _=_fresh())
        start += len(text) + len(token.whitespace)


def _fresh() -> MToken.Underscore:
    return MToken.Underscore(is_head=True, num_flags="", prespace=False)


def _with_breaks(tokens: Sequence[MToken] | Iterator[MToken]) -> Iterator[MToken]:
    """Yield ``tokens`` with a space at least every `MOST_PARTS` parts of words."""
    unbroken = 0
    for token in tokens:
        parts = [token.text] if token.phonemes is not None else en.subtokenize(token.text)
        pieces = [token]
        if len(parts) > MOST_PARTS:
            texts = ["".join(parts[start : start + MOST_PARTS]) for start in range(0, len(parts), MOST_PARTS)]
            pieces = [replace(token, text=text, whitespace=" ") for text in texts]
            pieces[-1].whitespace = token.whitespace
        for piece in pieces:
            unbroken = 0 if piece.whitespace else unbroken + min(len(parts), MOST_PARTS)
            if unbroken >= MOST_PARTS:
                piece.whitespace, unbroken = " ", 0
            yield piece


def _sounds(tokens: Sequence[MToken], text: str) -> list[Sound]:
    """Return ``tokens`` as sounds of ``text``, of which they leave out nothing but spaces and single quotes."""
    sounds = []
    place = 0
    for token in tokens:
        start = end = place
        for number, char in enumerate(token.text):
            end = text.index(char, end) + 1
            start = start if number else end - 1
        place = end
        # misaki turns some symbols of given phonemes into those of its own English.
        given = token._.given
        sounds.append(Sound(given or token.phonemes or "", start, end, given=given is not None))
        sounds.append(Sound(token.whitespace, end, end))
    return sounds
