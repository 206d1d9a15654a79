"""Phrases that were spoken before: agents repeat themselves, and what is known needs no model."""

import hashlib
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from primavoce.kokoro.runs import Run
from primavoce.synthesis.report import ModelReport
from primavoce.synthesis.segment import AcousticModel, Rendering, RenderRequest, Samples

MOST_OF_ALL = 8
"""No phrase takes more than this part of the room, counted from 1: one long text would drive out all short ones."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A segment's audio, complete."""

    durations_s: Sequence[float]
    parts: tuple[Samples, ...]

    @property
    def size(self) -> int:
        """Bytes of its audio."""
        return sum(part.nbytes for part in self.parts)


class PhraseCache:
    """Keeps the phrases that were asked for last, up to a number of bytes; pure.

    Args:
        most_bytes: Of audio.
    """

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._phrases: OrderedDict[bytes, Phrase] = OrderedDict()
        self.size = 0
        """Bytes that are kept."""
        self.hits = self.misses = 0

    def get(self, key: bytes) -> Phrase | None:
        """Return a phrase that is kept, and keep it longer."""
        found = self._phrases.get(key)
        if found is None:
            self.misses += 1
            return None
        self.hits += 1
        self._phrases.move_to_end(key)
        return found

    def put(self, key: bytes, phrase: Phrase) -> None:
        """Keep a phrase, and drop those that weren't asked for longest; one that is too large isn't kept."""
        if phrase.size > self._most_bytes // MOST_OF_ALL:
            return
        if (before := self._phrases.pop(key, None)) is not None:
            self.size -= before.size
        self._phrases[key] = phrase
        self.size += phrase.size
        while self.size > self._most_bytes:
            _, dropped = self._phrases.popitem(last=False)
            self.size -= dropped.size


class RememberingModel:
    """A model that says what it has said before without making it again; blocking, not thread-safe.

    Args:
        model: Makes what is new.
        cache: Keeps it.
    """

    def __init__(self, model: AcousticModel, cache: PhraseCache) -> None:
        self._model = model
        self.cache = cache
        """What is kept."""

    @property
    def sample_rate(self) -> int:
        """Hertz."""
        return self._model.sample_rate

    @property
    def trial(self) -> tuple[float, float] | None:
        """The model's."""
        return self._model.trial

    @property
    def together(self) -> int:
        """The model's."""
        return self._model.together

    def render(self, request: RenderRequest) -> Rendering:
        """Begin a segment, or repeat it; what is to be checked is made anew."""
        key = _key(request)
        known = None if request.checked else self.cache.get(key)
        if known is not None:
            return Rendering(known.durations_s, iter(known.parts), repeated=True)
        made = self._model.render(request)
        return replace(made, parts=self._kept(key, made))

    def make(self, runs: Sequence[Run]) -> None:
        """Have the model make them."""
        self._model.make(runs)

    def report(self) -> ModelReport:
        """Return what is known of the model, and of what is remembered."""
        cache = self.cache
        return replace(
            self._model.report(), phrase_hits=cache.hits, phrase_misses=cache.misses, phrase_bytes=cache.size
        )

    def _kept(self, key: bytes, made: Rendering) -> Iterator[Samples]:
        parts: list[Samples] = []
        for part in made.parts:
            parts.append(part)
            yield part
        # Only what was asked for to its end: a cancel leaves nothing behind.
        self.cache.put(key, Phrase(made.durations_s, tuple(parts)))


def _key(request: RenderRequest) -> bytes:
    """Return what all that the audio depends on comes to, and whose it is; no text can be read from it."""
    told = repr((request.owner, request.voice, request.speed, tuple(request.ids))).encode()
    return hashlib.blake2b(told + request.style.tobytes(), digest_size=32).digest()
