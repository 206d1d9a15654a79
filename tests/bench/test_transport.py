"""Clips over each way to a listener, from a server in a process of its own."""

import os

import msgspec
import pytest

from primavoce.bench.replay_server import replay_server
from primavoce.bench.transport import TRANSPORTS, measure_transport, run_transport
from primavoce.bench.ways import judge
from primavoce.errors import InvalidSetting, ServerNotStarted
from tests.bench.clips import tone_clip

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(60)]

CLIPS = [tone_clip("One two three.", seconds=1.0), tone_clip("Four.", seconds=0.5, hertz=330)]
QUIET = {**os.environ, "PRIMAVOCE_LOG_LEVEL": "warning"}


async def test_each_way_is_tried_as_often_and_costs_something() -> None:
    notes: list[str] = []

    async with replay_server(QUIET, CLIPS) as server:
        found = await measure_transport(server, CLIPS, trials=2, note=notes.append, formats=["pcm", "flac"])
    ways = judge(CLIPS, found, listen=None, aac=False)

    assert [(way.transport, way.format) for way in ways] == [
        (each, name) for each in TRANSPORTS for name in ("pcm", "flac")
    ]
    assert {len(trials) for trials in found.values()} == {2}
    assert all(way.cpu_s_per_audio_s is not None and way.cpu_s_per_audio_s.min > 0 for way in ways)
    assert [way.payload_bytes for way in ways if way.format == "pcm"] == [72_000, 72_000]
    assert all(
        way.base64_overhead == (0 if way.transport == "websocket" else pytest.approx(1 / 3, abs=0.01)) for way in ways
    )
    assert notes[0] == "2 clips over 4 ways"


async def test_the_processor_time_of_a_server_that_does_nothing_hardly_grows() -> None:
    async with replay_server(QUIET, CLIPS) as server:
        before_s, after_s = await server.cpu_s(), await server.cpu_s()

    assert 0 < before_s <= after_s < before_s + 0.5


async def test_a_server_that_cannot_start_or_has_ended_is_told() -> None:
    with pytest.raises(ServerNotStarted):
        async with replay_server({**QUIET, "PRIMAVOCE_PORT": "many"}, CLIPS):
            pass
    async with replay_server(QUIET, CLIPS) as server:
        server._process.kill()
        await server._process.wait()
        with pytest.raises(InvalidSetting, match="has ended"):
            await server.cpu_s()


@pytest.mark.model
@pytest.mark.timeout(300)
async def test_the_real_voice_is_recorded_and_sent_over_each_way(weights_path) -> None:
    report = await run_transport(
        os.environ, voice=None, trials=1, wer=False, note=lambda _: None, texts=("All done.", "Let me check.")
    )
    told = msgspec.json.decode(msgspec.json.encode(report))

    assert (told["benchmark"], told["clips"], told["trials"]) == ("transport", 2, 1)
    assert 0.5 < told["audio_s"] < 5
    assert [way["format"] for way in told["ways"]][:5] == ["pcm", "wav", "mp3", "opus", "flac"]
    sizes = {way["format"]: way["payload_bytes"] for way in told["ways"] if way["transport"] == "websocket"}
    assert sizes["pcm"] == round(told["audio_s"] * 48_000)
    assert max(sizes["opus"], sizes["mp3"]) < sizes["flac"] < sizes["pcm"] < sizes["wav"]
    assert len(told["model_digest"]) == 64
