"""The same answer spoken twice: while it is written, and after.

What is measured, in seconds after the prompt: the first token of text, the first byte of audio, the first audible
sample (a listener who plays audio as it comes hears nothing sooner), and the end of the audio's arrival.
"""

import time
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

import anyio
import anyio.to_thread
import msgspec

from primavoce.agent.scripted import TimedToken, play
from primavoce.audio.loudness import SoundDetector
from primavoce.client import SpeechSession
from primavoce.errors import RequestFailed, SessionBroken
from primavoce.protocol.client import Audio
from primavoce.protocol.messages import SegmentSpoken

SAMPLE_RATE = 24_000
BATCH_TIMEOUT_S = 600.0


@dataclass(slots=True)
class Run:
    """One way of speaking one answer."""

    first_token_s: float | None = None
    text_complete_s: float | None = None
    first_audio_s: float | None = None
    first_sound_s: float | None = None
    total_s: float | None = None
    audio_s: float = 0.0
    """Seconds of audio."""
    real_time_factor: float | None = None
    """Work ÷ audio."""
    pcm: bytearray = field(default_factory=bytearray, repr=False)


@dataclass(frozen=True, slots=True)
class Listener:
    """Told of what happens, as it happens; does nothing unless given something to do."""

    on_token: Callable[[str], None] = lambda _: None
    on_segment: Callable[[str], None] = lambda _: None
    on_audio: Callable[[float], None] = lambda _: None
    """Takes the seconds of audio that arrived."""


async def speak_while_writing(
    session: SpeechSession,
    tokens: list[TimedToken],
    *,
    voice: str,
    listener: Listener,
    clock: Callable[[], float] = time.perf_counter,
) -> Run:
    """Send each token as it is written, and take the audio as it comes.

    Raises:
        SessionError: the session fails.
    """
    run, began = Run(), clock()
    detector = SoundDetector(SAMPLE_RATE)

    async def deltas() -> AsyncIterator[str]:
        async for token in play(tokens, clock=clock):
            run.first_token_s = run.first_token_s or clock() - began
            listener.on_token(token)
            yield token
        run.text_complete_s = clock() - began

    async with session.utterance(deltas(), voice=voice, events=["segments"]) as utterance:
        async for event in utterance:
            match event:
                case Audio():
                    _take(run, event.pcm, clock() - began, detector)
                    listener.on_audio(len(event.pcm) / 2 / SAMPLE_RATE)
                case SegmentSpoken():
                    listener.on_segment(event.text)
                case _:
                    pass
    run.total_s = clock() - began
    if utterance.completed is not None:
        run.real_time_factor = utterance.completed.real_time_factor
    return run


async def speak_when_written(
    address: str,
    tokens: list[TimedToken],
    *,
    voice: str,
    listener: Listener,
    clock: Callable[[], float] = time.perf_counter,
) -> Run:
    """Wait for the whole text, have the whole of it spoken, and take the audio when it is done.

    Args:
        address: ``http://`` address of the server.
        tokens: The answer.
        voice: A voice or a blend.
        listener: Told of what happens.
        clock: Seconds.

    Raises:
        SessionError: the server fails.
    """
    run, began = Run(), clock()
    text = ""
    async for token in play(tokens, clock=clock):
        run.first_token_s = run.first_token_s or clock() - began
        listener.on_token(token)
        text += token
    run.text_complete_s = clock() - began
    pcm, real_time_factor = await anyio.to_thread.run_sync(_invoke, address, text, voice, abandon_on_cancel=True)
    _take(run, pcm, clock() - began, SoundDetector(SAMPLE_RATE))
    listener.on_audio(run.audio_s)
    run.total_s = clock() - began
    run.real_time_factor = real_time_factor
    return run


def _take(run: Run, pcm: bytes, at_s: float, detector: SoundDetector) -> None:
    """Note audio that arrived ``at_s`` seconds after the prompt."""
    if run.first_audio_s is None:
        run.first_audio_s = at_s
    heard_s = detector.push(pcm)
    if run.first_sound_s is None and heard_s is not None:
        # Played from its first byte on, and without a gap.
        run.first_sound_s = max(at_s, run.first_audio_s + heard_s)
    run.pcm += pcm
    run.audio_s = len(run.pcm) / 2 / SAMPLE_RATE


def _invoke(address: str, text: str, voice: str) -> tuple[bytes, float]:
    body = msgspec.json.encode({"text": text, "voice": voice, "format": "pcm", "stream": False})
    request = urllib.request.Request(f"{address}/invocations", body, {"Content-Type": "application/json"})  # noqa: S310
    try:
        with urllib.request.urlopen(request, timeout=BATCH_TIMEOUT_S) as answer:  # noqa: S310 - our own server
            return answer.read(), float(answer.headers["X-RTF"])
    except urllib.error.HTTPError as error:
        told = msgspec.json.decode(error.read())
        raise RequestFailed(told["error"], told["message"], retryable=told["retryable"]) from error
    except OSError as error:
        raise SessionBroken(str(error)) from error
