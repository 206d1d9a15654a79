"""``primavoce verify --quality``, with a model that hums."""

import json
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from typer.testing import CliRunner

from primavoce.bench import quality
from primavoce.bench.quality import ENGLISH, BothWays
from primavoce.calibration.heldout import held_out_texts
from primavoce.cli.commands import app
from primavoce.errors import NotCalibrated
from primavoce.kokoro.prediction import Prediction
from primavoce.kokoro.staged import FRAME_SAMPLES, Prosody, Statistics
from primavoce.voices.blend import Blend, parse_voice

type Verify = Callable[..., tuple[int, str, list[str]]]

NOTHING = np.zeros(1, np.float32)


@dataclass
class HummingModel:
    """Hums, and louder in windows than whole."""

    frames: int = 200
    louder: float = 1.05

    def prosody(self, ids: list[int], style: np.ndarray, *, speed: float) -> Prosody:
        frames = np.zeros((1, 512, self.frames), np.float32)
        return Prosody(frames, NOTHING, NOTHING, NOTHING, NOTHING, (1.0,))

    def whole(self, prosody: Prosody) -> tuple[np.ndarray, Statistics]:
        noise = np.random.default_rng(1).standard_normal(FRAME_SAMPLES * prosody.count)
        return (0.1 * noise).astype(np.float32), Statistics(NOTHING, NOTHING)

    def windows(self, prosody: Prosody, statistics: Statistics, windows: object) -> list[np.ndarray]:
        whole, _ = self.whole(prosody)
        return np.split(whole * np.float32(self.louder), 2)


@dataclass
class Guess:
    """Predicts nothing, and knows a voice of two languages each."""

    distance: float = 0.2
    reach: float = 0.6
    voices: frozenset[str] = frozenset({"af_heart", "if_sara"})

    def predict(self, features: np.ndarray) -> Prediction:
        return Prediction(Statistics(NOTHING, NOTHING), self.distance)


class Spelling:
    """Pronounces every text alike, and keeps what it was asked for."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def phonemize(self, text: str, language: str) -> str:
        self.texts.append(text)
        return "həlˈO"


def both_ways(model: HummingModel | None = None, guess: Guess | None = None) -> tuple[BothWays, Spelling]:
    spelling = Spelling()

    def style(voice: Blend, count: int) -> np.ndarray:
        return np.zeros((1, 256), np.float32)

    return BothWays(model or HummingModel(), guess or Guess(), spelling, style), spelling  # type: ignore[arg-type]


@pytest.fixture
def verify(monkeypatch: pytest.MonkeyPatch) -> Verify:
    """Return what runs the command, and gives its status, its output and what was spoken."""

    def run(
        *arguments: str, model: HummingModel | None = None, guess: Guess | None = None
    ) -> tuple[int, str, list[str]]:
        both, spelling = both_ways(model, guess)
        monkeypatch.setattr(quality.BothWays, "load", lambda *_, **__: both)
        ended = CliRunner().invoke(app, ["verify", "--quality", *arguments])
        return ended.exit_code, ended.output, spelling.texts

    return run


def test_ten_sentences_are_told_line_by_line_and_then_together(verify: Verify) -> None:
    status, told, spoken = verify()

    assert status == 0
    assert spoken == list(ENGLISH)
    assert all(f" 0.42 dB, worst  0.42, level +0.42, peak × 1.05       2.50 s  {text}" in told for text in ENGLISH)
    assert "ok   af_heart: 10 of 10 sentences in windows, 0.42 dB from their whole runs\n" in told


def test_another_language_is_heard_in_texts_that_calibration_does_not_learn_from(verify: Verify) -> None:
    status, told, spoken = verify("--voice", "if_sara")

    assert status == 0
    assert len(spoken) == 10
    assert set(spoken) <= set(held_out_texts("it"))
    assert "if_sara" in told


def test_between_the_goal_and_the_floor_it_passes_and_says_so(verify: Verify) -> None:
    status, told, _ = verify(model=HummingModel(louder=1.11))

    assert status == 0
    assert "from their whole runs; up to 1 dB passes, and goals that aren't reached, as here, fail nothing\n" in told


def test_too_far_from_whole_runs_is_a_failure(verify: Verify) -> None:
    status, told, _ = verify(model=HummingModel(louder=1.2))

    assert status == 1
    assert "FAIL af_heart: 10 of 10 sentences in windows, 1.58 dB from their whole runs; no more than 1 dB" in told


@pytest.mark.parametrize(
    ("model", "guess", "why"),
    [
        (HummingModel(frames=40), Guess(), "whole: too short for windows"),
        (HummingModel(), Guess(distance=0.7), "whole: unlike all that was calibrated"),
    ],
)
def test_nothing_in_windows_is_a_failure_and_each_line_says_why(verify: Verify, model, guess, why: str) -> None:
    status, told, _ = verify(model=model, guess=guess)

    assert status == 1
    assert told.count(why) == 10
    assert "FAIL af_heart: no sentence was spoken in windows" in told


def test_json_is_one_object_with_every_sentence(verify: Verify) -> None:
    status, told, _ = verify("--json", "--voice", "if_sara")

    found = json.loads(told)
    assert status == 0
    assert (found["voice"], found["passed"], found["reaches_goals"]) == ("if_sara", True, True)
    assert found["summary"]["distance_db"]["mean"] == pytest.approx(0.42, abs=0.01)
    assert found["summary"]["segments"] == len(found["sentences"]) == 10
    assert found["sentences"][0]["way"] == "stream"
    assert found["sentences"][0]["guess"] == 0.2
    assert found["sentences"][0]["comparison"]["peak_ratio"] == pytest.approx(1.05, abs=0.001)


def test_json_of_nothing_in_windows_has_no_summary(verify: Verify) -> None:
    status, told, _ = verify("--json", guess=Guess(distance=0.7))

    found = json.loads(told)
    assert status == 1
    assert found["passed"] is False
    assert found["summary"] is None


def test_a_voice_that_is_not_calibrated_is_one_sentence(verify: Verify) -> None:
    status, told, spoken = verify("--voice", "am_adam")

    assert status == 1
    assert "primavoce: am_adam isn't calibrated" in told
    assert "primavoce calibrate --voice am_adam" in told
    assert spoken == []


def test_what_loads_refuses_a_voice_before_anything_is_prepared(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    from primavoce.assets.locations import AssetLocations
    from primavoce.settings import Settings

    monkeypatch.setattr(quality.AssetStore, "weights_with_digest", lambda _: (tmp_path, "0" * 64))
    monkeypatch.setattr(quality, "find_predictor", lambda *_: Guess())

    with pytest.raises(NotCalibrated) as refused:
        BothWays.load(Settings(AssetLocations(cache_dir=tmp_path)), [parse_voice("af_heart:0.7+af_bella:0.3")])
    assert refused.value.voice == "af_heart:0.7+af_bella:0.3"


def test_a_server_has_no_place_in_it(verify: Verify) -> None:
    status, told, spoken = verify("--url", "ws://127.0.0.1:9")

    assert status == 1
    assert "leave --url out" in told
    assert spoken == []
