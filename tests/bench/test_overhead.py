"""Everything but the model: the real server in a process of its own."""

import os

import msgspec
import numpy as np
import pytest

from primavoce.bench.humming_server import humming_server
from primavoce.bench.instant_model import InstantModel
from primavoce.bench.overhead import WARM_UPS, run_overhead, time_frames, time_tokens, time_utterance
from primavoce.bench.texts import Texts
from primavoce.client import SpeechSession
from primavoce.errors import ServerNotStarted, SynthesisFailed
from primavoce.synthesis.segment import RenderRequest
from primavoce.testing.fake_engine import SECONDS_PER_PHONEME

TEXTS = Texts(("One two three four.", "Five six seven eight nine."), ("No.", "Yes we do and we will"))
STYLE = np.zeros((1, 256), np.float32)


def tone(count: int, *, speed: float = 1.0) -> np.ndarray:
    rendering = InstantModel().render(RenderRequest(range(count), STYLE, "af_heart", speed))
    (part,) = rendering.parts
    assert sum(rendering.durations_s) == pytest.approx(part.size / 24_000, abs=1e-4)
    return part


@pytest.mark.parametrize(("count", "speed"), [(1, 1.0), (60, 1.0), (510, 0.5), (60, 2.0)])
def test_an_instant_segment_is_as_long_as_its_phonemes_are_many(count: int, speed: float) -> None:
    part = tone(count, speed=speed)

    assert part.size == round(count * SECONDS_PER_PHONEME / speed * 24_000)
    assert np.abs(part).max() > 0.2


def test_two_segments_are_the_same_samples_and_not_made_anew() -> None:
    model = InstantModel()

    first, second = (next(model.render(RenderRequest(range(5), STYLE, "af_heart")).parts) for _ in range(2))

    assert np.shares_memory(first, second)


@pytest.mark.anyio
async def test_a_whole_utterance_many_frames_and_many_tokens_are_timed(serving) -> None:
    async with serving() as server, SpeechSession(server.address) as session:
        utterance_s = await time_utterance(session, "One two three four.")
        frame_s = await time_frames(session, "One two three four five six seven. Eight nine ten eleven twelve.")
        token_s = await time_tokens(session, "Yes we do and we will")
        again_s = await time_utterance(session, "One two three four.")

    assert 0 < token_s < utterance_s
    assert 0 < frame_s < utterance_s
    assert again_s > 0


@pytest.mark.anyio
async def test_a_text_of_a_single_frame_tells_nothing_of_frames(serving) -> None:
    async with serving() as server, SpeechSession(server.address) as session:
        with pytest.raises(SynthesisFailed):
            await time_frames(session, "No.")


@pytest.mark.anyio
async def test_of_timed_tokens_none_is_spoken(serving) -> None:
    ticks = iter(range(100))

    async with serving() as server, SpeechSession(server.address) as session:
        each_s = await time_tokens(session, "Yes we do and we will", clock=lambda: float(next(ticks)))

    assert each_s == pytest.approx(1 / 6)


@pytest.mark.anyio
@pytest.mark.timeout(60)
async def test_the_server_in_its_own_process_is_measured_with_its_event_loop() -> None:
    notes: list[str] = []

    report = await run_overhead(os.environ, trials=4, note=notes.append, texts=TEXTS)
    told = msgspec.json.decode(msgspec.json.encode(report))

    for name in ("per_utterance_s", "per_frame_s", "per_token_s"):
        assert set(told[name]) == {"median", "min", "max", "p95", "n"}
        assert told[name]["n"] == 4
        assert 0 < told[name]["min"] <= told[name]["median"] <= told[name]["p95"] <= told[name]["max"]
    assert told["event_loop"]["longest_callback_cpu_s"] > 0
    assert told["event_loop"]["callback"]
    assert told["event_loop"]["callbacks"] > 4 * 3
    assert told["model_digest"] is None
    assert {"machine", "versions"} <= set(told)
    assert len(notes) == 2


@pytest.mark.anyio
@pytest.mark.timeout(60)
async def test_the_event_loop_is_asked_for_what_it_did_since() -> None:
    async with humming_server({**os.environ, "PRIMAVOCE_LOG_LEVEL": "warning"}) as server:
        async with SpeechSession(server.address) as session:
            for _ in range(WARM_UPS):
                await time_utterance(session, "One two three four.")
        busy, idle = await server.longest(), await server.longest()

    assert busy.callbacks > 10 * idle.callbacks
    assert busy.longest_callback_cpu_s > 0


@pytest.mark.anyio
@pytest.mark.timeout(60)
async def test_a_server_that_cannot_start_is_told() -> None:
    with pytest.raises(ServerNotStarted):
        async with humming_server({**os.environ, "PRIMAVOCE_PORT": "many"}):
            pass
