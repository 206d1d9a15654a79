"""Clips that the voice has spoken once: what it said, and when each piece of it was there."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

import msgspec

from primavoce.audio.pcm import from_pcm, to_pcm
from primavoce.audio.silence import SilenceTrimmer
from primavoce.bench.hearing import SAMPLE_RATE
from primavoce.bench.writing import Clock
from primavoce.client import SpeechSession
from primavoce.errors import SynthesisFailed


@dataclass(frozen=True, slots=True)
class Piece:
    """As much as came at a time: a window, or as much of one as a frame holds."""

    made_s: float
    """Seconds from the text to its being there."""
    pcm: bytes
    """16-bit mono at `primavoce.bench.hearing.SAMPLE_RATE`."""


@dataclass(frozen=True, slots=True)
class Clip:
    """A text, spoken."""

    text: str
    pieces: tuple[Piece, ...]
    """In order; one at least."""

    @property
    def pcm(self) -> bytes:
        """All of it."""
        return b"".join(piece.pcm for piece in self.pieces)

    @property
    def audio_s(self) -> float:
        """Seconds of audio."""
        return sum(len(piece.pcm) for piece in self.pieces) / 2 / SAMPLE_RATE


@cache
def read_clip_texts() -> tuple[str, ...]:
    """Return what is recorded: short answers, in English."""
    return msgspec.json.decode(files("primavoce.bench").joinpath("clips.json").read_bytes(), type=tuple[str, ...])


async def record(session: SpeechSession, text: str, voice: str, *, clock: Clock = time.perf_counter) -> Clip:
    """Have ``text`` spoken, and keep it.

    Raises:
        SessionError: the session fails.
        SynthesisFailed: there was no sound.
    """
    began = clock()
    async with session.utterance(text, voice=voice, sample_rate=SAMPLE_RATE) as utterance:
        pieces = [Piece(round(clock() - began, 6), pcm) async for pcm in utterance.audio()]
    if not pieces:
        raise SynthesisFailed
    return trimmed(Clip(text, tuple(pieces)))


def trimmed(clip: Clip) -> Clip:
    """Return ``clip`` without the silence that nobody knows to be a part of it once it is only sound.

    The engine keeps silence in which the voice says the last word's end to be; of a replay it would trim that.
    """
    trimmer = SilenceTrimmer(SAMPLE_RATE)
    kept = [to_pcm(trimmer.push(from_pcm(piece.pcm))) for piece in clip.pieces]
    kept[-1] += to_pcm(trimmer.flush())
    found = zip(clip.pieces, kept, strict=True)
    return Clip(clip.text, tuple(Piece(piece.made_s, pcm) for piece, pcm in found if pcm))


def save(clips: Sequence[Clip], path: Path) -> None:
    """Write ``clips`` to a file."""
    path.write_bytes(msgspec.msgpack.encode(clips))


def load(path: Path) -> tuple[Clip, ...]:
    """Return the clips that `save` wrote.

    Raises:
        OSError: there is no such file.
        ValueError: it has something else in it.
    """
    return msgspec.msgpack.decode(path.read_bytes(), type=tuple[Clip, ...])
