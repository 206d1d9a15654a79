"""Is a deployed agent's answer whole, and is it heard while it is still being written? Pure."""

import base64
from collections.abc import Iterator, Mapping

from primavoce.audio.loudness import first_sound_s, rms_dbfs
from primavoce.client.verification.pace import FEWEST_S_PER_CHARACTER
from primavoce.client.verification.speaking import QUIETEST_DBFS
from primavoce.client.verify import Check

NEAR_S = 0.05
SAMPLE_WIDTH = 2
PROMPT = "Explain in about a hundred and twenty words why the sky is blue."
"""Long enough that its text isn't complete before its first sentence is spoken."""


class AnswerCycle:
    """Takes an answer's events as they come, with the seconds after the prompt at which they did."""

    def __init__(self) -> None:
        self._kinds: list[tuple[str, float]] = []
        self._text = ""
        self._pcm = bytearray()
        self._rate = 0
        self._announced_s: float | None = None
        self._failure = ""
        self._garbled = ""

    @property
    def over(self) -> bool:
        """Whether nothing more is to come."""
        return bool(self._kinds) and self._kinds[-1][0] in {"agent_end", "error", "cancelled"}

    def take(self, event: Mapping[str, object], at_s: float) -> None:
        """Take ``event``, which came ``at_s``."""
        kind = str(event.get("type", "?"))
        self._kinds.append((kind, at_s))
        match event:
            case {"type": "text_delta", "text": str(text)}:
                self._text += text
            case {"type": "audio_stream_start", "sample_rate": int(rate)}:
                self._rate = rate
            case {"type": "audio_chunk", "data": str(written)}:
                self._hear(written)
            case {"type": "audio_stream_end", "duration_s": float() | int() as seconds}:
                self._announced_s = float(seconds)
            case {"type": "error", "code": code, "message": message}:
                self._failure = self._failure or f"{message} ({code})"
            case _:
                pass

    def _hear(self, written: str) -> None:
        try:
            pcm = base64.b64decode(written, validate=True)
        except ValueError:  # of binascii's, or of what isn't ASCII
            self._garbled = self._garbled or "a piece of audio is no base64"
            return
        if len(pcm) % SAMPLE_WIDTH:
            self._garbled = self._garbled or f"a piece of audio has {len(pcm)} bytes, and so half a sample"
        self._pcm += pcm

    def checks(self) -> Iterator[Check]:
        """Yield the outcomes, up to the first that failed."""
        steps = (
            ("begins", self._begins),
            ("writes", self._writes),
            ("speaks", self._speaks),
            ("is not silent", self._sounds),
            ("is heard before it is written", self._overlaps),
            ("has all of its audio", self._lasts),
            ("ends", self._ends),
        )
        for name, step in steps:
            passed, detail, at_s = step()
            yield Check(name, passed, detail, round(at_s, 3))
            if not passed:
                return

    def _begins(self) -> tuple[bool, str, float]:
        if not self._kinds:
            return False, "nothing came", 0.0
        kind, at_s = self._kinds[0]
        if kind != "agent_start":
            return False, self._failure or f"{kind} came instead of agent_start", at_s
        return True, "agent_start", at_s

    def _writes(self) -> tuple[bool, str, float]:
        found = self._times("text_delta")
        if not found:
            return False, self._failure or "no text came", 0.0
        return True, f"{len(self._text)} characters in {len(found)} deltas", found[0]

    def _speaks(self) -> tuple[bool, str, float]:
        found = self._times("audio_chunk")
        if not found or not self._times("audio_stream_start") or self._rate <= 0:
            return False, self._failure or "no audio came", 0.0
        return True, f"{len(found)} pieces of audio, {self._rate} Hz", found[0]

    def _sounds(self) -> tuple[bool, str, float]:
        pcm = bytes(self._pcm[: len(self._pcm) // SAMPLE_WIDTH * SAMPLE_WIDTH])
        level, sound = rms_dbfs(pcm), first_sound_s(pcm, self._rate)
        if sound is None or level < QUIETEST_DBFS:
            return False, f"the audio is silence ({level:.0f} dBFS)", 0.0
        return True, f"{level:.0f} dBFS, first sound {sound:.2f} s into it", sound

    def _overlaps(self) -> tuple[bool, str, float]:
        audio, text = self._times("audio_chunk")[0], self._times("text_delta")[-1]
        told = f"first audio at {audio:.2f} s, last text at {text:.2f} s"
        return audio < text, told, audio

    def _lasts(self) -> tuple[bool, str, float]:
        seconds = len(self._pcm) / SAMPLE_WIDTH / self._rate
        if self._announced_s is None:
            return False, self._failure or "no audio_stream_end came", seconds
        if self._garbled:
            return False, self._garbled, seconds
        told = f"{seconds:.2f} s came, {self._announced_s:.2f} s announced, for {len(self._text)} characters"
        # A model may write what isn't read out, so this knows of a text that was lost, not of a word.
        spoken = seconds >= FEWEST_S_PER_CHARACTER * len(self._text)
        return spoken and abs(seconds - self._announced_s) <= NEAR_S, told, seconds

    def _ends(self) -> tuple[bool, str, float]:
        kind, at_s = self._kinds[-1]
        told = "agent_end" if kind == "agent_end" else self._failure or f"{kind} was the last that came"
        return kind == "agent_end", told, at_s

    def _times(self, kind: str) -> list[float]:
        return [at_s for each, at_s in self._kinds if each == kind]
