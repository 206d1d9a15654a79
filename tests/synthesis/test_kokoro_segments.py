"""Which way a segment's audio is made, with a model that only tells which way it was asked."""

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from primavoce.kokoro.device import CPU, Device
from primavoce.kokoro.prediction import Prediction
from primavoce.kokoro.staged import Prosody, Statistics
from primavoce.kokoro.windows import (
    CONTEXT_FRAMES,
    FIRST_FRAMES,
    HEARD_FRAMES,
    MOST_LEAD_FRAMES,
    Window,
    first_window_covers,
)
from primavoce.synthesis import kokoro_segments
from primavoce.synthesis.kokoro_segments import KokoroSegments, sound_is_over_by
from primavoce.synthesis.segment import Rendering, RenderRequest
from primavoce.voices.vocoder import VocoderChoice

IDS = (50, 83, 54)
STYLE = np.full((1, 256), 0.5, np.float32)
LONG = 400
"""Frames of a segment that is worth windows."""
SHORT = max(frames for frames in range(1, LONG) if first_window_covers(frames, lead=8))
"""Frames of the longest segment that the first window covers, when a tenth of a second goes before it."""
PREDICTED = Statistics(np.full(4, 1, np.float32), np.full(4, 2, np.float32))
SPOKEN_WHOLE, IN_WINDOWS = 0.25, 0.5
REACH = 0.6


@dataclass
class FakeStagedModel:
    """Speaks a level that tells how it was asked."""

    frames: int = LONG
    lead_s: float = 0.1
    level_in_windows: float = IN_WINDOWS
    silent_from: int | None = None
    """Frame from which there is silence."""
    asked: list[tuple[int, ...]] = field(default_factory=list)
    told: list[Statistics] = field(default_factory=list)
    wholes: int = 0
    device: Device = CPU

    def prosody(self, ids: Sequence[int], style: np.ndarray, *, speed: float) -> Prosody:
        del style, speed
        self.asked.append(tuple(ids))
        nothing = np.zeros((1, 1, 1), np.float32)
        features = np.arange(7, dtype=np.float32)
        durations_s = (self.lead_s, 0.1, 0.1, 0.1, 0.1)
        return Prosody(np.zeros((1, 512, self.frames), np.float32), nothing, features, nothing, nothing, durations_s)

    def whole(self, prosody: Prosody) -> tuple[np.ndarray, Statistics]:
        self.wholes += 1
        return self._speak(SPOKEN_WHOLE, prosody.count), PREDICTED

    def windows(self, prosody: Prosody, statistics: Statistics, windows: Iterator[Window]) -> Iterator[np.ndarray]:
        self.told.append(statistics)
        for window in windows:
            yield self._speak(self.level_in_windows, prosody.count)[300 * window.start : 300 * window.end]

    def _speak(self, level: float, frames: int) -> np.ndarray:
        samples = level * np.sin(0.1 * np.arange(300 * frames)).astype(np.float32)
        if self.silent_from is not None:
            samples[300 * self.silent_from :] = 0
        return samples


@dataclass
class FakePredictor:
    """Knows one voice, and says how far away every segment is."""

    distance: float = 0.3
    voices: frozenset[str] = frozenset({"af_heart"})
    reach: float = REACH
    asked: list[np.ndarray] = field(default_factory=list)

    def predict(self, features: np.ndarray) -> Prediction:
        self.asked.append(features)
        return Prediction(PREDICTED, self.distance)


def segments(
    model: FakeStagedModel, predictor: FakePredictor | None, choice: VocoderChoice | None = None
) -> KokoroSegments:
    return KokoroSegments(model, predictor, choice)  # type: ignore[arg-type]


def render(
    made: KokoroSegments, *, voice: str = "af_heart", speed: float = 1.25, checked: bool = False
) -> tuple[Rendering, np.ndarray, int]:
    rendering = made.render(RenderRequest(IDS, STYLE, voice, speed, checked=checked))
    parts = list(rendering.parts)
    return rendering, np.concatenate(parts), len(parts)


NEAR, FAR = FakePredictor(), FakePredictor(distance=REACH + 0.01)
AT_THE_EDGE = FakePredictor(distance=REACH)
WHOLE, STREAM = VocoderChoice("whole"), VocoderChoice("stream")


@pytest.mark.parametrize(
    ("predictor", "choice", "voice", "frames", "way"),
    [
        (NEAR, None, "af_heart", LONG, "stream"),
        (NEAR, None, "af_heart", SHORT + 1, "stream"),
        (NEAR, None, "af_heart", SHORT, "short"),
        (NEAR, None, "af_sky", LONG, "voice"),
        (NEAR, None, "af_heart:0.7+af_sky:0.3", LONG, "voice"),
        (None, None, "af_heart", LONG, "voice"),
        (AT_THE_EDGE, None, "af_heart", LONG, "stream"),
        (FAR, None, "af_heart", LONG, "far"),
        (FAR, STREAM, "af_heart", LONG, "stream"),
        (NEAR, STREAM, "af_heart", SHORT, "short"),
        (NEAR, STREAM, "af_sky", LONG, "voice"),
        (None, STREAM, "af_heart", LONG, "voice"),
        (NEAR, WHOLE, "af_heart", LONG, "asked"),
        (None, WHOLE, "af_heart", LONG, "asked"),
        (NEAR, VocoderChoice("auto", {"af_heart": "whole"}), "af_heart", LONG, "asked"),
        (NEAR, VocoderChoice("whole", {"af_heart": "auto"}), "af_heart", LONG, "stream"),
        (FAR, VocoderChoice("auto", {"af_heart": "stream"}), "af_heart", LONG, "stream"),
    ],
)
def test_a_segment_takes_the_way_that_its_voice_and_its_text_allow(
    predictor: FakePredictor | None, choice: VocoderChoice | None, voice: str, frames: int, way: str
) -> None:
    model = FakeStagedModel(frames)
    made = segments(model, predictor, choice)

    rendering, samples, parts = render(made, voice=voice)

    assert dict(made.tally.segments) == {way: 1}
    assert samples.size == 300 * frames
    assert np.abs(samples).max() == pytest.approx(IN_WINDOWS if way == "stream" else SPOKEN_WHOLE, rel=0.01)
    assert (parts > 1) == (way == "stream")
    assert model.wholes == (way != "stream")
    assert rendering.durations_s == (0.1,) * 5
    assert rendering.check is None


@pytest.mark.parametrize(("more", "way"), [(0, "short"), (1, "stream")])
def test_a_pad_before_the_first_phoneme_makes_the_first_window_longer(more: int, way: str) -> None:
    lead = MOST_LEAD_FRAMES
    model = FakeStagedModel(lead + HEARD_FRAMES + CONTEXT_FRAMES + more, lead_s=lead * 300 / 24_000)
    made = segments(model, FakePredictor())

    render(made)

    assert dict(made.tally.segments) == {way: 1}


def test_windows_are_told_what_was_predicted_of_the_segment() -> None:
    model, predictor = FakeStagedModel(), FakePredictor()

    render(segments(model, predictor))

    assert model.asked == [IDS]
    assert model.told == [PREDICTED]
    (features,) = predictor.asked
    np.testing.assert_array_equal(features[:7], np.arange(7))
    np.testing.assert_array_equal(features[7:263], STYLE[0])
    np.testing.assert_allclose(features[263:], [np.log(LONG), np.log(1.25), len(IDS) / LONG], rtol=1e-6)


OVER_BY = 48
"""Frame by which the fake's sound is likely over: 0.3 s before its last phoneme, 0.3 s from there."""


@pytest.mark.parametrize(
    ("silent_from", "made"),
    [
        (OVER_BY - 8, OVER_BY),
        (OVER_BY, OVER_BY + FIRST_FRAMES),
        (OVER_BY + FIRST_FRAMES + 1, OVER_BY + 2 * FIRST_FRAMES),
        (LONG, LONG),
    ],
)
def test_silence_behind_the_last_sound_is_not_made(silent_from: int, made: int) -> None:
    model = FakeStagedModel(silent_from=silent_from)

    _, samples, _ = render(segments(model, FakePredictor()), speed=1.0)

    assert samples.size == 300 * made


def test_silence_before_the_sound_is_likely_over_is_made() -> None:
    _, samples, _ = render(segments(FakeStagedModel(silent_from=10), FakePredictor()), speed=1.0)

    assert samples.size == 300 * OVER_BY


@pytest.mark.parametrize(
    ("ids", "durations_s", "speed", "frame"),
    [
        ((50, 83), (0.1, 0.2, 0.2, 0.5), 1.0, 48),
        ((50, 83, 4), (0.1, 0.2, 0.2, 0.5, 0.1), 1.0, 48),
        ((50, 83, 4, 15, 16), (0.1, 0.2, 0.2, 0.5, 0.1, 0.1, 0.1), 2.0, 48),
        ((50, 83, 4), (0.1, 0.2, 0.2, 0.5, 0.1), 0.5, 72),
        ((4, 10), (0.1, 0.2, 0.2, 0.5), 1.0, 48),
    ],
    ids=["bare", "a mark", "marks and quick", "slow", "only marks"],
)
def test_the_sound_is_likely_over_a_while_after_the_last_phoneme_begins(
    ids: tuple[int, ...], durations_s: tuple[float, ...], speed: float, frame: int
) -> None:
    assert sound_is_over_by(ids, durations_s, speed=speed) == frame


def test_each_window_is_as_long_as_is_affordable_when_it_is_made() -> None:
    made = segments(FakeStagedModel(), FakePredictor())
    affordable_s = iter([0.0, 0.5, 0.6])

    rendering = made.render(RenderRequest(IDS, STYLE, "af_heart", 0.2, part_s=lambda: next(affordable_s)))

    sizes = [next(rendering.parts).size // 300 for _ in range(3)]
    assert sizes == [FIRST_FRAMES, 40, 48]


def test_nothing_is_spoken_before_a_part_is_asked_for() -> None:
    model = FakeStagedModel()

    made = segments(model, None)
    rendering = made.render(RenderRequest(IDS, STYLE, "af_heart"))
    before = model.wholes
    next(rendering.parts)

    assert (before, model.wholes) == (0, 1)


def test_every_segment_is_counted_by_its_way() -> None:
    model = FakeStagedModel()
    made = segments(model, FakePredictor())

    for voice, frames in (("af_heart", LONG), ("af_heart", LONG), ("af_heart", 10), ("af_sky", LONG)):
        model.frames = frames
        render(made, voice=voice)

    assert made.tally.segments == {"stream": 2, "short": 1, "voice": 1}


def check_of(made: KokoroSegments) -> Callable[[], None]:
    rendering, _, _ = render(made, checked=True)
    assert rendering.check is not None
    return rendering.check


def test_a_check_speaks_the_segment_whole_and_says_how_far_apart_they_are(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    model = FakeStagedModel(level_in_windows=SPOKEN_WHOLE)
    made = segments(model, FakePredictor())
    check = check_of(made)
    before = model.wholes

    check()

    assert (before, model.wholes) == (0, 1)
    assert (made.tally.checks, made.tally.worst_check_db) == (1, 0.0)
    (record,) = [each for each in caplog.records if "from the whole run" in each.message]
    assert (record.levelno, "0.00 dB" in record.message) == (logging.INFO, True)
    assert dict(made.tally.segments) == {"stream": 1}


def test_a_check_that_finds_a_segment_far_from_its_whole_run_warns_and_the_worst_is_kept(
    caplog: pytest.LogCaptureFixture,
) -> None:
    model = FakeStagedModel()
    made = segments(model, FakePredictor())

    worst = []
    for level in (2 * SPOKEN_WHOLE, 4 * SPOKEN_WHOLE, SPOKEN_WHOLE):
        model.level_in_windows = level
        check_of(made)()
        worst.append(made.tally.worst_check_db)

    assert made.tally.checks == 3
    assert kokoro_segments.MOST_CHECKED_DB < worst[0] < worst[1] == worst[2]
    warned = [each for each in caplog.records if each.levelno == logging.WARNING]
    assert len(warned) == 2
    assert all("af_heart, 400 frames" in each.message for each in warned)


@pytest.mark.parametrize(
    ("predictor", "frames"),
    [(None, LONG), (FakePredictor(), SHORT), (FAR, LONG)],
    ids=["voice", "short", "far"],
)
def test_what_is_spoken_whole_has_nothing_to_check(predictor: FakePredictor | None, frames: int) -> None:
    rendering, _, _ = render(segments(FakeStagedModel(frames), predictor), checked=True)

    assert rendering.check is None


def test_which_way_a_voice_takes_is_told_once(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    made = segments(FakeStagedModel(), FakePredictor(), VocoderChoice("auto", {"am_adam": "whole"}))

    for voice in ("af_heart", "af_sky", "am_adam") * 2:
        render(made, voice=voice)

    assert [(each.levelname, each.message) for each in caplog.records] == [
        ("INFO", "af_heart is spoken in windows"),
        ("WARNING", "af_sky is spoken whole: it isn't calibrated (primavoce calibrate --voice af_sky)"),
        ("INFO", "am_adam is spoken whole, as asked"),
    ]


def test_a_segment_that_goes_another_way_than_its_voice_tells_nothing(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)

    render(segments(FakeStagedModel(SHORT), FakePredictor()))
    render(segments(FakeStagedModel(), replace(FAR)))

    assert caplog.records == []


def test_blends_without_end_are_told_of_up_to_a_bound(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kokoro_segments, "MOST_TOLD", 3)
    made = segments(FakeStagedModel(), None)

    for number in range(1, 9):
        render(made, voice=f"af_heart:0.{number}+af_sky:0.{10 - number}")

    assert len(caplog.records) == 3
    assert made.tally.segments == {"voice": 8}
