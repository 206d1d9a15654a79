"""An utterance's parts as they are sent."""

import io

import numpy as np
import pytest
import soundfile

from primavoce.audio.formats import FORMATS
from primavoce.audio.framing import FRAME_BYTES
from primavoce.audio.wav import HEADER_BYTES
from primavoce.protocol.client import Audio
from primavoce.protocol.messages import Cancelled, SynthesisComplete, SynthesisStart
from primavoce.server.encoding import EncodedParts
from primavoce.synthesis.segment import SpeechPart
from primavoce.testing.fake_engine import FakeModel, fake_engine
from tests.server.test_session import Gate, calling

pytestmark = pytest.mark.anyio


def part(seconds: float, rate: int = 24_000) -> SpeechPart:
    time_s = np.arange(round(seconds * rate)) / rate
    pcm = (8000 * np.sin(2 * np.pi * 330 * time_s)).astype("<i2").tobytes()
    return SpeechPart(pcm, seconds, 0.0, 0.1, None)


@pytest.mark.parametrize("name", FORMATS)
async def test_frames_carry_all_of_the_time_and_none_is_too_long(name: str) -> None:
    rate = FORMATS[name].rates[-1]
    encoder = EncodedParts(name, rate)
    parts = [part(seconds, rate) for seconds in (0.02, 3.0, 0.4)]

    frames = [frame for each in parts for frame in await encoder.push(each)]
    gone_before = encoder.gone_out()
    frames += await encoder.flush()
    gone = gone_before + encoder.gone_out()

    assert sum(frame.duration_s for frame in frames) == pytest.approx(3.42)
    assert max(len(frame.data) for frame in frames) <= FRAME_BYTES
    assert gone == parts


async def test_what_an_encoder_holds_has_not_gone_out() -> None:
    encoder = EncodedParts("mp3", 24_000)

    first = await encoder.push(part(0.02))
    held = encoder.gone_out()
    await encoder.push(part(2.0))

    assert first == []
    assert held == []
    assert len(encoder.gone_out()) == 2


@pytest.mark.parametrize("name", FORMATS)
async def test_no_audio_is_no_frame_but_a_header_of_a_wav(name: str) -> None:
    frames = await EncodedParts(name, FORMATS[name].rates[-1]).flush()

    assert [len(frame.data) for frame in frames] == ([HEADER_BYTES] if name == "wav" else [])


@pytest.mark.parametrize(("name", "rate"), [("mp3", 24_000), ("opus", 48_000), ("wav", 16_000), ("mulaw", 8_000)])
async def test_a_session_speaks_every_format(serving, name: str, rate: int) -> None:
    async with serving() as server, calling(server.session_url) as caller:
        await caller.send(text="Good morning. And good night.", format=name, sample_rate=rate)
        events = await caller.until(SynthesisComplete)

    start, complete = events[0], events[-1]
    data = b"".join(event.pcm for event in events if isinstance(event, Audio))
    raw = {"format": "RAW", "subtype": "ULAW", "samplerate": 8_000, "channels": 1} if name == "mulaw" else {}
    if name == "wav":
        samples, found_rate = np.frombuffer(data[HEADER_BYTES:], "<i2"), 16_000
    else:
        samples, found_rate = soundfile.read(io.BytesIO(data), **raw)
    assert isinstance(start, SynthesisStart)
    assert (start.format, start.sample_rate, start.sample_width) == (name, rate, 1 if name == "mulaw" else 2)
    assert found_rate == rate
    assert samples.size / rate == pytest.approx(complete.total_duration_s, abs=0.15 if name == "mp3" else 0.001)


@pytest.mark.parametrize(
    ("name", "rate", "code"),
    [
        ("opus", 22_050, "unsupported_sample_rate"),
        ("mulaw", 16_000, "unsupported_sample_rate"),
        ("aac", 24_000, "unsupported_format"),
    ],
)
async def test_what_a_format_can_not_have_is_refused(serving, name: str, rate: int, code: str) -> None:
    async with serving() as server, calling(server.session_url) as caller:
        await caller.send(text="Hello.", format=name, sample_rate=rate)
        error = await caller.next()

    assert error.code == code


@pytest.mark.parametrize(("name", "rate"), [("mulaw", 8_000), ("alaw", 8_000), ("opus", 24_000), ("mp3", 24_000)])
async def test_a_format_has_a_sample_rate_of_its_own(serving, name: str, rate: int) -> None:
    async with serving() as server, calling(server.session_url) as caller:
        await caller.send(text="Hello.", format=name)
        start = await caller.next()

    assert start.sample_rate == rate


async def test_a_cancel_tells_how_much_went_out_encoded(serving) -> None:
    gate = Gate()
    async with (
        serving(fake_engine(model=FakeModel(before=gate, parts_per_segment=2))) as server,
        calling(server.session_url) as caller,
    ):
        await caller.send(text="Good morning to all of you out there. " * 3, format="opus", sample_rate=48_000)
        gate.open(1)
        await caller.until(Audio)
        await caller.send(type="cancel")
        gate.open()
        *_, cancelled = await caller.until(Cancelled)

    assert 0 < cancelled.audio_sent_s < 4
