"""What each way to a listener costs: its bytes, its waiting, its work, and whether it is understood as well."""

import hashlib
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import batched

import numpy as np

from primavoce.audio.encoders import encoder_for
from primavoce.bench.aac import Aac
from primavoce.bench.decoding import decode, first_heard
from primavoce.bench.delivery import Delivered
from primavoce.bench.hearing import SAMPLE_RATE
from primavoce.bench.recogniser import word_errors
from primavoce.bench.recording import Clip
from primavoce.bench.spread import DIGITS, Spread
from primavoce.synthesis.segment import Samples

type Transcribe = Callable[[Samples], str]
"""Returns what is understood."""

AAC = "aac"
HEARD_AT_A_TIME = 8
"""Clips that are listened to in one go: a recogniser takes as long for a word as for half a minute."""
PAUSE_S = 0.5
"""Between two of them."""


@dataclass(frozen=True, slots=True)
class Way:
    """One way to a listener; bytes are those of all clips together."""

    transport: str
    """``websocket``: binary frames; ``sse``: base64 in events; empty: encoded and not sent."""
    format: str
    payload_bytes: int
    """Of audio in its format."""
    base64_overhead: float
    """What base64 adds to them, ÷ them."""
    wire_bytes: int | None
    """Of all that came over the connections; null: nothing was sent."""
    events: int
    cut_by_4k: int
    """Events that a block of 4 KiB would cut."""
    cut_by_socket: int
    """Events that a read of the socket did cut; a median of the trials, rounded down."""
    audio_before_s: float
    """Seconds of audio that must have been made before the first of it can be decoded; a median of the clips."""
    first_decodable_s: Spread
    """From the text to the first audio that can be decoded: a mean of the clips, in each trial."""
    own_s: Spread | None
    """How much of that the way itself takes, the model left out; null: nothing was sent."""
    cpu_s_per_audio_s: Spread | None
    """Processor seconds of the server for each second of audio, the model left out; null: nothing was sent."""
    word_error_rate: float | None
    """After decoding; null: nobody listened."""


@dataclass(frozen=True, slots=True)
class Trial:
    """All clips, once over one way."""

    delivered: list[Delivered]
    cpu_s: float
    """Of the server's process meanwhile."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """A clip in one format, encoded as it was made."""

    pieces: tuple[bytes, ...]
    """What each of the clip's pieces brought; the last of them the end, too."""
    first: int
    """Which of them is the first with which something can be heard."""


def judge(
    clips: Sequence[Clip], found: Mapping[tuple[str, str], Sequence[Trial]], *, listen: Transcribe | None, aac: bool
) -> tuple[Way, ...]:
    """Return what the trials say; blocking.

    Args:
        clips: What was sent.
        found: The trials, by transport and format.
        listen: Writes down what is understood; None if nobody does.
        aac: Whether the clips are encoded as AAC, too, for the comparison.

    Raises:
        SynthesisFailed: nothing of a clip can be decoded.
        InvalidSetting: a decoder isn't installed.
    """
    heard = None if listen is None else once_each(listen)  # a format is heard once, however it came
    formats = dict.fromkeys(audio_format for _, audio_format in found)
    encoded = {name: [encode(name, clip) for clip in clips] for name in formats}
    ways = [_judge_sent(clips, encoded[way[1]], way, trials, heard) for way, trials in found.items()]
    return (*ways, _judge_aac(clips, heard)) if aac else tuple(ways)


def encode(audio_format: str, clip: Clip) -> Encoded:
    """Return ``clip`` in a format of the server's, or in AAC.

    Raises:
        SynthesisFailed: nothing of it can be decoded.
        InvalidSetting: the format is AAC, and PyAV isn't installed.
    """
    encoder = Aac() if audio_format == AAC else encoder_for(audio_format, SAMPLE_RATE)
    pieces = [encoder.push(piece.pcm) for piece in clip.pieces]
    pieces[-1] += encoder.flush()
    return Encoded(tuple(pieces), first_heard(audio_format, pieces))


def _judge_sent(
    clips: Sequence[Clip],
    encoded: Sequence[Encoded],
    way: tuple[str, str],
    trials: Sequence[Trial],
    heard: Transcribe | None,
) -> Way:
    transport, audio_format = way
    audio_s = sum(clip.audio_s for clip in clips)
    made_s = _made_s(clips, encoded)
    own_s = [statistics.fmean(_first_s(audio_format, each) for each in trial.delivered) for trial in trials]
    last = trials[-1].delivered
    payload = sum(len(each.audio) for each in last)
    return Way(
        transport=transport,
        format=audio_format,
        payload_bytes=payload,
        base64_overhead=round(sum(each.carried_bytes for each in last) / payload - 1, DIGITS),
        wire_bytes=sum(each.wire_bytes for each in last),
        events=sum(each.events for each in last),
        cut_by_4k=sum(each.cut_by_4k for each in last),
        cut_by_socket=statistics.median_low(sum(each.cut_by_socket for each in trial.delivered) for trial in trials),
        audio_before_s=_audio_before_s(clips, encoded),
        first_decodable_s=Spread.of(made_s + each for each in own_s),
        own_s=Spread.of(own_s),
        cpu_s_per_audio_s=Spread.of(trial.cpu_s / audio_s for trial in trials),
        word_error_rate=_errors(clips, audio_format, [each.audio for each in last], heard),
    )


def _judge_aac(clips: Sequence[Clip], heard: Transcribe | None) -> Way:
    encoded = [encode(AAC, clip) for clip in clips]
    audio = [b"".join(each.pieces) for each in encoded]
    return Way(
        transport="",
        format=AAC,
        payload_bytes=sum(map(len, audio)),
        base64_overhead=0.0,
        wire_bytes=None,
        events=0,
        cut_by_4k=0,
        cut_by_socket=0,
        audio_before_s=_audio_before_s(clips, encoded),
        first_decodable_s=Spread.of([_made_s(clips, encoded)]),
        own_s=None,
        cpu_s_per_audio_s=None,
        word_error_rate=_errors(clips, AAC, audio, heard),
    )


def _made_s(clips: Sequence[Clip], encoded: Sequence[Encoded]) -> float:
    """Return when the voice had made what must be made before something can be heard: a mean."""
    return statistics.fmean(clip.pieces[each.first].made_s for clip, each in zip(clips, encoded, strict=True))


def _first_s(audio_format: str, delivered: Delivered) -> float:
    """Return when something could be heard, the voice being there from the first."""
    return delivered.pieces[first_heard(audio_format, [audio for _, audio in delivered.pieces])][0]


def _audio_before_s(clips: Sequence[Clip], encoded: Sequence[Encoded]) -> float:
    waits = [
        sum(len(piece.pcm) for piece in clip.pieces[: each.first + 1]) / 2 / SAMPLE_RATE
        for clip, each in zip(clips, encoded, strict=True)
    ]
    return round(statistics.median(waits), DIGITS)


def once_each(listen: Transcribe) -> Transcribe:
    """Return ``listen``, but what was heard before isn't listened to again."""
    known: dict[bytes, str] = {}

    def heard(samples: Samples) -> str:
        key = hashlib.sha256(samples.tobytes()).digest()
        if key not in known:
            known[key] = listen(samples)
        return known[key]

    return heard


def _errors(clips: Sequence[Clip], audio_format: str, audio: Sequence[bytes], heard: Transcribe | None) -> float | None:
    """Return the words that were misunderstood ÷ those that were spoken."""
    if heard is None:
        return None
    pause = np.zeros(round(PAUSE_S * SAMPLE_RATE), np.float32)
    wrong = words = 0
    for some in batched(zip(clips, audio, strict=True), HEARD_AT_A_TIME):
        said = np.concatenate([part for _, each in some for part in (decode(audio_format, each), pause)])
        errors, count = word_errors(" ".join(clip.text for clip, _ in some), heard(said))
        wrong, words = wrong + errors, words + count
    return round(wrong / words, DIGITS)
