"""Comparing with another project, through real servers with a model that hums."""

import json
import subprocess
import sys
from pathlib import Path

import msgspec
import numpy as np
import pytest

from primavoce.bench.hearing import Heard
from primavoce.bench.peers import compare, write_voice
from primavoce.client import SpeechSession
from primavoce.synthesis.styles import PackStyles
from primavoce.voices.blend import parse_voice
from primavoce.voices.packs import ROWS, STYLE_SIZE

TEXTS = {"isolated": "One two three. Four five.", "first_sentence": "One two three."}
VOICE = parse_voice("af_heart")


class Peer:
    """Takes two seconds for a second of audio, streaming or not."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str, str]] = []

    async def hear(self, text: str, *, way: str, language: str) -> Heard:
        self.asked.append((text, way, language))
        return Heard(1.0, 1.5, total_s=2.0, audio_s=1.0)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.anyio
async def test_ours_and_theirs_speak_every_text_in_every_way(serving) -> None:
    peer = Peer()

    async with serving() as server, SpeechSession(server.address) as one, SpeechSession(server.address) as other:
        sessions = {"streaming": one, "whole": other}
        found = await compare(sessions, peer, TEXTS, voice=VOICE, trials=2, note=lambda _: None)

    asked = {(text, way) for text, way, _ in peer.asked[1:]}
    assert asked == {(text, way) for text in TEXTS.values() for way in ("create", "create_stream")}
    assert {language for _, _, language in peer.asked} == {"en-us"}
    assert set(found.ours) == {"streaming", "whole"}
    assert set(found.kokoro_onnx) == {"create", "create_stream"}
    for ways in (found.ours, found.kokoro_onnx):
        for texts in ways.values():
            assert {name: figures.first_sound_s.n for name, figures in texts.items()} == dict.fromkeys(TEXTS, 2)


@pytest.mark.anyio
async def test_a_ratio_is_ours_by_theirs(serving) -> None:
    async with serving() as server, SpeechSession(server.address) as session:
        sessions = {"streaming": session, "whole": session}
        found = await compare(sessions, Peer(), TEXTS, voice=VOICE, trials=1, note=lambda _: None)

    ratios = msgspec.to_builtins(found.ratios)
    ours = found.ours["streaming"]["isolated"]
    assert ratios["first_sound"] == pytest.approx(ours.first_sound_s.median / 1.5, rel=1e-3)
    assert ratios["real_time_factor"] == pytest.approx(ours.real_time_factor.median / 2.0, rel=1e-3)
    assert ratios["total"] == pytest.approx(ours.total_s.median / 2.0, rel=1e-3)
    whole = found.ours["whole"]["isolated"]
    assert ratios["real_time_factor_whole"] == pytest.approx(whole.real_time_factor.median / 2.0, rel=1e-3)
    assert all(isinstance(ratio, float) for ratio in ratios.values())


def test_the_file_of_voices_has_the_style_vectors_in_the_order_of_their_lengths(tmp_path: Path) -> None:
    pack = np.random.default_rng(0).standard_normal((ROWS, 1, STYLE_SIZE)).astype("<f4")
    (tmp_path / "af_heart.bin").write_bytes(pack.tobytes())

    write_voice(tmp_path / "voices.npz", PackStyles(lambda name: tmp_path / f"{name}.bin"), VOICE)

    with np.load(tmp_path / "voices.npz") as found:
        assert list(found) == ["voice"]
        assert np.array_equal(found["voice"], pack)


@pytest.mark.peers
@pytest.mark.timeout(900)
def test_kokoro_onnx_is_measured_for_real_and_drawn(tmp_path: Path, weights_path: Path) -> None:
    command = [sys.executable, "-m", "primavoce", "bench", "peers", "--trials", "1", "--json", "--plot", str(tmp_path)]

    done = subprocess.run(command, capture_output=True, timeout=850, check=True)

    told = json.loads(done.stdout)
    assert told["versions"]["kokoro-onnx"] == "0.6.1"
    assert told["versions"]["kokoro-onnx's onnxruntime"] == told["versions"]["onnxruntime"]
    assert set(told["ratios"]) >= {"first_sound", "real_time_factor", "real_time_factor_whole"}
    create, streaming = told["kokoro_onnx"]["create"], told["ours"]["streaming"]
    # Both speak the same words in the same voice, so about as long.
    assert create["isolated"]["audio_s"]["median"] == pytest.approx(streaming["isolated"]["audio_s"]["median"], rel=0.2)
    assert told["ratios"]["first_sound"] < 0.8
    assert {file.name for file in tmp_path.iterdir()} == {"peers.png", "peers.svg"}
