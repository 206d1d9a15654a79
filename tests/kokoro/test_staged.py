"""The model in two stages: told a segment's own statistics, windows are the whole run.

A tiny export shows that all is wired well; the real weights, that the context is wide enough.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import onnx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from primavoce.errors import PreparationFailed
from primavoce.kokoro.graph.features import LAGS
from primavoce.kokoro.model import KokoroModel
from primavoce.kokoro.prepare import Prepared, prepare
from primavoce.kokoro.staged import FRAME_SAMPLES, Prosody, StagedModel, Statistics
from primavoce.kokoro.windows import CONTEXT_FRAMES, HALFWAY_FRAMES, Window, windows
from primavoce.phonemes.alphabet import encode
from tests.kokoro.tiny import CHANNELS, SITES, USES, tiny_export

STYLE = np.linspace(-0.05, 0.05, 256, dtype=np.float32)[None]
IDS = (70, 31, 16, 105, 83) * 2
NARROW = 1
"""Frames of context that the tiny generator needs: its last convolution looks one of sixty to each side."""


@dataclass(frozen=True)
class Spoken:
    """A segment, spoken in one run."""

    model: StagedModel
    prosody: Prosody
    samples: np.ndarray
    statistics: Statistics

    def windows(
        self,
        planned: Iterator[Window],
        *,
        context: int = CONTEXT_FRAMES,
        halfway: int = HALFWAY_FRAMES,
        statistics: Statistics | None = None,
    ) -> tuple[np.ndarray, list[int]]:
        """Speak it by windows; return the samples and where the seams are."""
        told = statistics or self.statistics
        parts = list(self.model.windows(self.prosody, told, planned, context=context, halfway=halfway))
        return np.concatenate(parts), np.cumsum([part.size for part in parts])[:-1].tolist()


def spoken(model: StagedModel, ids: tuple[int, ...], style: np.ndarray, *, speed: float = 1.0) -> Spoken:
    prosody = model.prosody(ids, style, speed=speed)
    return Spoken(model, prosody, *model.whole(prosody))


def agreement_db(expected: np.ndarray, found: np.ndarray) -> float:
    assert found.shape == expected.shape
    error = np.sum(np.square(found - expected, dtype=np.float64))
    return float(10 * np.log10(np.sum(np.square(expected, dtype=np.float64)) / max(error, 1e-30)))


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_export(tmp_path_factory.mktemp("export") / "export.onnx")


@pytest.fixture(scope="module")
def prepared(source: Path) -> Prepared:
    return prepare(source, source.parent / "cache", source_sha256="7" * 64, probe_style=lambda _: STYLE)


@pytest.fixture(scope="module")
def tiny(prepared: Prepared) -> Spoken:
    return spoken(prepared.load(threads=1), IDS, STYLE)


def test_spoken_whole_it_is_the_published_export(source: Path, tiny: Spoken) -> None:
    published = KokoroModel.load(source, threads=1).synthesize(IDS, STYLE, speed=1.0)

    assert agreement_db(published, tiny.samples) > 60  # but for the activations that are no longer rounded


@given(st.integers(1, 30), st.integers(1, 40), st.integers(NARROW, 12), st.integers(NARROW, 12))
def test_windows_of_any_size_are_the_whole_run(tiny: Spoken, first: int, most: int, context: int, halfway: int) -> None:
    planned = windows(tiny.prosody.count, first=first, most=most, context=context)

    samples, seams = tiny.windows(planned, context=context, halfway=halfway)

    assert seams
    assert agreement_db(tiny.samples, samples) > 100


@given(st.floats(-0.5, 0.5), st.floats(0.5, 2))
def test_windows_of_any_statistics_are_the_run_that_is_told_them(tiny: Spoken, moved: float, spread: float) -> None:
    """Predictions are never true: even so no seam may be heard."""
    told = Statistics(tiny.statistics.means + np.float32(moved), tiny.statistics.variances * np.float32(spread))
    count = tiny.prosody.count

    in_one, no_seams = tiny.windows(iter([Window(0, count, 0, count)]), statistics=told)
    samples, seams = tiny.windows(windows(count, first=7, most=20, context=NARROW), context=NARROW, statistics=told)

    assert (len(no_seams), len(seams) > 2) == (0, True)
    assert agreement_db(in_one, samples) > 100


@given(st.integers(1, 3), st.integers(0, 10))
def test_windows_that_are_held_to_sizes_are_the_whole_run(tiny: Spoken, first: int, lead: int) -> None:
    planned = windows(tiny.prosody.count, first=first, most=12, lead=lead, alone=0, context=2, sizes=(3, 6, 12))

    samples, seams = tiny.windows(planned, context=2, halfway=2)

    assert seams
    assert agreement_db(tiny.samples, samples) > 100


def test_other_statistics_make_another_sound(tiny: Spoken) -> None:
    told = Statistics(tiny.statistics.means, tiny.statistics.variances * 4)

    samples, _ = tiny.windows(windows(tiny.prosody.count), statistics=told)

    assert agreement_db(tiny.samples, samples) < 10


def test_without_context_a_seam_is_heard(tiny: Spoken) -> None:
    samples, _ = tiny.windows(windows(tiny.prosody.count, context=0), context=0)

    assert agreement_db(tiny.samples, samples) < 60


def test_without_context_in_the_second_half_a_seam_is_heard(tiny: Spoken) -> None:
    samples, _ = tiny.windows(windows(tiny.prosody.count), halfway=0)

    assert agreement_db(tiny.samples, samples) < 60


def test_a_segment_can_be_spoken_again_after_windows_that_were_left(tiny: Spoken) -> None:
    abandoned = tiny.model.windows(tiny.prosody, tiny.statistics, windows(tiny.prosody.count))
    next(abandoned)

    samples, statistics = tiny.model.whole(tiny.prosody)

    np.testing.assert_array_equal(samples, tiny.samples)
    np.testing.assert_array_equal(statistics.means, tiny.statistics.means)


def test_a_plan_that_has_failed_is_not_taken_for_one_that_is_done(tiny: Spoken) -> None:
    def planned() -> Iterator[Window]:
        yield Window(0, 5, 0, 6)
        raise RuntimeError("no plan")

    parts = tiny.model.windows(tiny.prosody, tiny.statistics, planned())
    next(parts)

    for _ in range(2):
        with pytest.raises(RuntimeError, match="no plan"):
            next(parts)


@pytest.mark.parametrize("speed", [0.5, 1.0, 2.0])
def test_durations_are_those_of_the_audio(prepared: Prepared, speed: float) -> None:
    found = spoken(prepared.load(threads=1), (7, 26, 80), STYLE, speed=speed)

    steps = [max(1, round(each / 10 / speed)) for each in (0, 7, 26, 80, 0)]
    assert found.prosody.durations_s == pytest.approx([step * 600 / 24_000 for step in steps])
    assert found.samples.size == 600 * sum(steps) == FRAME_SAMPLES * found.prosody.count


def test_the_first_stage_tells_all_that_the_second_needs(tiny: Spoken) -> None:
    told, found = tiny.prosody, tiny.statistics

    assert told.frames.shape == (1, 512, told.count)
    assert told.lead == 2  # of the pad, one step
    assert told.source.shape == (1, 22, 60 * told.count + 1)
    assert told.scales.shape == told.shifts.shape == (1, USES * CHANNELS, 1)
    assert found.means.shape == found.variances.shape == (SITES * CHANNELS,)
    # Three time means of the frames; mean and log variance of three first values; correlations.
    assert told.features.shape == (3 * 512 + (3 * 2 + len(LAGS)) * CHANNELS,)


def test_the_style_decides_what_becomes_of_normalised_values(tiny: Spoken) -> None:
    other = tiny.model.prosody(IDS, -STYLE, speed=1.0)
    restyled = replace(tiny.prosody, scales=other.scales, shifts=other.shifts)

    assert not np.allclose(other.scales, tiny.prosody.scales)
    np.testing.assert_array_equal(tiny.model.whole(restyled)[0], tiny.model.whole(other)[0])


@pytest.mark.parametrize("given", ["as published", "without its transform"])
def test_other_graphs_are_refused(source: Path, prepared: Prepared, tmp_path: Path, given: str) -> None:
    generator = onnx.load(source if given == "as published" else prepared.generator)
    del generator.metadata_props[:]
    onnx.save(generator, tmp_path / "generator.onnx")

    with pytest.raises(PreparationFailed, match="second stage's graph is none of ours"):
        StagedModel.load(prepared.prosody, tmp_path / "generator.onnx", threads=1)


def test_a_first_stage_that_tells_too_little_is_refused(source: Path, prepared: Prepared) -> None:
    with pytest.raises(PreparationFailed, match="first stage's graph is none of ours"):
        StagedModel.load(source, prepared.generator, threads=1)


# ----------------------------------------------------------------------------------------------- on the real weights

SENTENCE = "ðə tɹˈAn lˈivz æt sˈɛvən, ænd plˈiz bɹˈɪŋ jʊɹ tˈɪkɪt."
NEAR = 5
"""Samples each side of a seam in which a click would be."""
REGION = 600
"""Samples each side, 25 ms, that a click would have to be heard beside."""


@pytest.fixture(scope="module")
def real(asset_store, weights_path: Path) -> StagedModel:
    from primavoce.synthesis.kokoro_engine import prepared_weights
    from primavoce.synthesis.styles import PackStyles

    folder = weights_path.parent
    return prepared_weights(asset_store, PackStyles(asset_store.voice), folder, None).load(threads=2)


@pytest.fixture(scope="module")
def sentence(asset_store, real: StagedModel) -> Spoken:
    from primavoce.voices.packs import load_pack, style_for

    ids = tuple(encode(SENTENCE))
    return spoken(real, ids, style_for(load_pack(asset_store.voice("af_heart")), len(ids)))


def steps_at_seams(difference: np.ndarray, whole: np.ndarray, seams: list[int]) -> list[float]:
    """Return, for each seam, the largest step of the difference by it, as a share of the region's largest in the whole.

    A frame of the spectrum makes 20 samples, of which ten lie before the seam that it follows.
    """
    shares = []
    for seam in seams:
        near = np.arange(seam - 10 - NEAR, seam + 10 + NEAR)
        region = np.setdiff1d(np.arange(max(0, seam - REGION), min(whole.size - 1, seam + REGION)), near)
        shares.append(float(np.abs(np.diff(difference))[near].max() / np.abs(np.diff(whole))[region].max()))
    return shares


@pytest.mark.model
@pytest.mark.parametrize(
    ("context", "halfway", "least_db"),
    [(10, 10, 100), (10, HALFWAY_FRAMES, 100), (CONTEXT_FRAMES, HALFWAY_FRAMES, 90), (8, 1, 45), (6, 2, 45)],
)
def test_windows_with_true_statistics_are_the_whole_run(
    sentence: Spoken, context: int, halfway: int, least_db: float
) -> None:
    planned = windows(sentence.prosody.count, context=context)

    samples, seams = sentence.windows(planned, context=context, halfway=halfway)

    assert len(seams) > 2
    assert agreement_db(sentence.samples, samples) > least_db


@pytest.mark.model
@pytest.mark.parametrize(("context", "most"), [(10, 1e-4), (8, 1e-3), (6, 0.2)])
def test_no_seam_clicks(sentence: Spoken, context: int, most: float) -> None:
    planned = windows(sentence.prosody.count, first=16, most=24, context=context)

    samples, seams = sentence.windows(planned, context=context)

    assert len(seams) > 8
    assert max(steps_at_seams(samples - sentence.samples, sentence.samples, seams)) < most


@pytest.mark.model
def test_the_measure_of_clicks_finds_them_without_context(sentence: Spoken) -> None:
    samples, seams = sentence.windows(windows(sentence.prosody.count, context=0), context=0)

    assert max(steps_at_seams(samples - sentence.samples, sentence.samples, seams)) > 0.5


@pytest.mark.model
def test_no_seam_clicks_when_the_statistics_are_far_from_true(sentence: Spoken) -> None:
    chance = np.random.default_rng(6)
    found, count = sentence.statistics, sentence.prosody.count
    deviations = np.sqrt(found.variances)
    told = Statistics(
        found.means + (0.2 * deviations * chance.standard_normal(deviations.size)).astype(np.float32),
        found.variances * np.exp(0.2 * chance.standard_normal(deviations.size)).astype(np.float32),
    )
    in_one, _ = sentence.windows(iter([Window(0, count, 0, count)]), statistics=told)

    samples, seams = sentence.windows(windows(count), statistics=told)

    assert agreement_db(sentence.samples, samples) < 20
    assert agreement_db(in_one, samples) > 80
    assert max(steps_at_seams(samples - in_one, in_one, seams)) < 1e-2


@pytest.mark.model
@pytest.mark.timeout(300)
def test_every_english_voice_makes_sound_and_no_two_the_same(asset_store, real: StagedModel) -> None:
    from primavoce.voices.catalogue import VOICES
    from primavoce.voices.packs import load_pack, style_for

    ids = encode("ɡˌʊd dˈA.")
    levels = {}
    for name, voice in VOICES.items():
        if voice.language.startswith("en"):
            style = style_for(load_pack(asset_store.voice(name)), len(ids))
            samples, _ = real.whole(real.prosody(ids, style, speed=2.0))
            levels[name] = float(np.sqrt(np.mean(np.square(samples))))
            assert 0.3 < samples.size / 24_000 < 3.0, name

    assert len(levels) == 28
    assert min(levels.values()) > 0.01
    assert len(set(levels.values())) == 28
