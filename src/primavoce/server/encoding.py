"""An utterance's parts as they are sent: encoded off the event loop, and cut into frames."""

from collections.abc import Callable
from dataclasses import dataclass

import anyio.to_thread

from primavoce.audio.encoders import encoder_for
from primavoce.audio.formats import FORMATS
from primavoce.audio.framing import FRAME_BYTES, Framer
from primavoce.synthesis.segment import SpeechPart

NOT_WORTH_A_THREAD = frozenset({"pcm", "wav"})
"""Formats in which nothing is computed."""


@dataclass(frozen=True, slots=True)
class Frame:
    """What goes out at once."""

    data: bytes
    duration_s: float
    """Seconds of the utterance's audio that are told as sent with it: an encoder holds a little back, so with what
    compresses it is when they were pushed that counts."""


class EncodedParts:
    """Encodes one utterance.

    Args:
        audio_format: A format of `primavoce.audio.formats.FORMATS`.
        sample_rate: Hertz.
        frame_bytes: The longest frame.
    """

    def __init__(self, audio_format: str, sample_rate: int, *, frame_bytes: int = FRAME_BYTES) -> None:
        width = FORMATS[audio_format].sample_width if FORMATS[audio_format].sends_samples else 1
        self._encoder = encoder_for(audio_format, sample_rate)
        self._inline = audio_format in NOT_WORTH_A_THREAD
        self._framer = Framer(frame_bytes=frame_bytes // width * width, sample_width=width)
        self._untold_s = 0.0
        self._out_bytes = 0
        self._held: list[SpeechPart] = []
        self._gone: list[SpeechPart] = []

    async def push(self, part: SpeechPart) -> list[Frame]:
        """Encode a part, and return the frames that are certain; may be none."""
        self._untold_s += part.duration_s
        self._held.append(part)
        return self._frames(self._framer.push(await self._run(lambda: self._encoder.push(part.pcm))))

    async def flush(self) -> list[Frame]:
        """End the utterance, and return the frames that were held back."""
        data = await self._run(self._encoder.flush)
        return self._frames([*self._framer.push(data), *self._framer.flush()], last=True)

    def gone_out(self) -> list[SpeechPart]:
        """Return the parts that are among the frames since this was last asked, as far as an encoder lets go."""
        gone, self._gone = self._gone, []
        return gone

    def _frames(self, pieces: list[bytes], *, last: bool = False) -> list[Frame]:
        whole = sum(map(len, pieces))
        self._out_bytes += whole
        if not last and self._out_bytes <= self._encoder.header_bytes:
            return [Frame(piece, 0.0) for piece in pieces]  # no audio yet
        if not whole and not (last and self._untold_s):
            return []
        self._gone += self._held
        self._held = []
        told_s, self._untold_s = self._untold_s, 0.0
        return [Frame(piece, told_s * len(piece) / whole) for piece in pieces] if whole else [Frame(b"", told_s)]

    async def _run(self, encode: Callable[[], bytes]) -> bytes:
        return encode() if self._inline else await anyio.to_thread.run_sync(encode)
