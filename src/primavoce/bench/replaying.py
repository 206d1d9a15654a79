"""A model that says again what was recorded, at once: what is left is the cost of the way to the listener."""

from collections.abc import Iterator, Sequence

import numpy as np

from primavoce.audio.pcm import from_pcm
from primavoce.bench.hearing import SAMPLE_RATE
from primavoce.bench.recording import Clip
from primavoce.phonemes.alphabet import SILENT, SYMBOLS
from primavoce.phonemes.words import Pronunciation, Word
from primavoce.synthesis.engine import Engine
from primavoce.synthesis.segment import Rendering, RenderRequest, Samples
from primavoce.testing.fake_engine import FakeModel, FakeStyles

NAMES = tuple(symbol for symbol, number in SYMBOLS.items() if number not in SILENT)
"""Symbols that clips are called by: the whole of one is the phoneme of one word, so that it is one segment."""


class ReplayG2P:
    """Knows the texts of clips, and pronounces each as its name.

    Args:
        clips: No more than there are `NAMES`.
    """

    def __init__(self, clips: Sequence[Clip]) -> None:
        self._names = {_letters(clip.text): name for clip, name in zip(clips, NAMES, strict=False)}
        assert len(self._names) == len(clips)

    def pronounce(self, text: str, language: str, *, given: Sequence[tuple[int, int, str]] = ()) -> Pronunciation:
        """Return one word.

        Raises:
            KeyError: ``text`` is none of theirs.
        """
        del language, given
        return Pronunciation("", (Word(self._names[_letters(text)], "", 0, len(text)),))


class ReplayModel(FakeModel):
    """Hands out a clip as it was recorded, in the same pieces, as fast as it is asked for them.

    Args:
        clips: What it can say.
    """

    def __init__(self, clips: Sequence[Clip]) -> None:
        super().__init__()
        self._clips = {SYMBOLS[name]: clip for clip, name in zip(clips, NAMES, strict=False)}

    def render(self, request: RenderRequest) -> Rendering:
        """Begin the clip that the segment's one phoneme names."""
        clip = self._clips[request.ids[0]]
        durations_s = [0.0, clip.audio_s, *[0.0] * len(request.ids)]
        return Rendering(durations_s, _samples(clip), whole=len(clip.pieces) == 1)


def replay_engine(clips: Sequence[Clip]) -> Engine:
    """Return an engine that says the texts of ``clips`` and nothing else."""
    return Engine(load_model=lambda: ReplayModel(clips), load_g2p=lambda: ReplayG2P(clips), styles=FakeStyles())


def _samples(clip: Clip) -> Iterator[Samples]:
    assert FakeModel().sample_rate == SAMPLE_RATE
    for piece in clip.pieces:
        yield from_pcm(piece.pcm).astype(np.float32)


def _letters(text: str) -> str:
    """Return what of ``text`` no reading changes."""
    return "".join(letter for letter in text.casefold() if letter.isalnum())
