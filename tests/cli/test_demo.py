"""``primavoce demo``, as a process, with the real voice."""

import json
import subprocess
import sys
import wave
from pathlib import Path

import pytest

pytestmark = [pytest.mark.model, pytest.mark.timeout(300)]


def test_streaming_is_heard_several_times_sooner_than_batch(tmp_path: Path, weights_path: Path) -> None:
    out = tmp_path / "demo.wav"
    command = [sys.executable, "-m", "primavoce", "demo", "--json", "--out", str(out)]

    done = subprocess.run(command, capture_output=True, timeout=280, check=True)

    figures = json.loads(done.stdout)
    streaming, batch = figures["streaming"], figures["batch"]
    assert streaming["first_token_s"] < streaming["first_sound_s"] < batch["first_sound_s"]
    assert streaming["first_audio_s"] < streaming["text_complete_s"] < batch["first_audio_s"]
    assert figures["ratios"]["batch_to_streaming_first_sound"] > 3
    with wave.open(str(out)) as file:
        assert file.getnframes() / file.getframerate() == pytest.approx(figures["audio_s"], abs=0.01)


def test_an_italian_voice_gets_the_italian_answer(tmp_path: Path, weights_path: Path) -> None:
    command = [sys.executable, "-m", "primavoce", "demo", "--voice", "if_sara", "--out", str(tmp_path / "demo.wav")]

    done = subprocess.run(command, capture_output=True, timeout=280, check=True)

    said = done.stdout.decode()
    assert "Ho trovato il suo pacco" in said
    assert "time to first sound" in said
    assert "times sooner" in said.replace("\n", " ")
