"""Runs of the generator: several of a kind in one are what each is by itself.

What a GPU does is done on the processor here: batches, shapes that come again, and memory that stays bound.
"""

from pathlib import Path

import numpy as np
import pytest

from primavoce.kokoro.device import CPU, CPU_PROVIDER, CUDA_SIZES, Device
from primavoce.kokoro.generator import is_held
from primavoce.kokoro.prepare import Prepared, prepare
from primavoce.kokoro.runs import Run, padded_to
from primavoce.kokoro.staged import StagedModel
from primavoce.kokoro.windows import windows
from primavoce.phonemes.alphabet import encode
from primavoce.synthesis.kokoro_engine import prepared_weights
from primavoce.synthesis.styles import PackStyles
from primavoce.voices.blend import parse_voice
from tests.kokoro.tiny import tiny_export

SIZES = (3, 6, 12)
BATCHING = Device("cpu", CPU_PROVIDER, together=4, sizes=SIZES)
"""Does all that a GPU does, slowly."""
EDGES = (0.05, 0.02, -0.01, 0.08, 0.03, 0.04, -0.02, 0.06)
STYLES = [np.linspace(-0.05, edge, 256, dtype=np.float32)[None] for edge in EDGES]
"""Twice as many as are made together, so that a batch follows another of its kind."""
IDS = (70, 31, 16, 105, 83) * 2


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    folder = tmp_path_factory.mktemp("runs")
    return prepare(tiny_export(folder / "export.onnx"), folder, source_sha256="8" * 64, probe_style=lambda _: STYLES[0])


class Speaking:
    """A segment that a model speaks in windows, and the whole run."""

    def __init__(self, model: StagedModel, style: np.ndarray) -> None:
        prosody = model.prosody(IDS, style, speed=1.0)
        self.whole, statistics = model.whole(prosody)
        planned = windows(prosody.count, first=3, most=12, alone=0, sizes=model.device.sizes)
        self.spoken = model.windows(prosody, statistics, planned)
        self.parts: list[np.ndarray] = []

    def ahead(self) -> list[Run]:
        return list(self.spoken.ahead())

    def matches(self) -> bool:
        samples = np.concatenate([*self.parts, *self.spoken])
        return bool(np.allclose(samples, self.whole, atol=1e-5))


@pytest.mark.parametrize("device", [BATCHING, CPU], ids=["batching", "as it is"])
@pytest.mark.parametrize("count", [1, 2, 3, 5, 8])
def test_windows_that_are_made_together_are_the_whole_runs(prepared: Prepared, device: Device, count: int) -> None:
    model = prepared.load(threads=2, device=device)
    segments = [Speaking(model, style) for style in STYLES[:count]]

    while any(runs := [each.ahead() for each in segments]):
        model.make([run for some in runs for run in some])
        for each, some in zip(segments, runs, strict=True):
            if some:
                each.parts.append(next(each.spoken))

    assert all(len(each.parts) > 3 for each in segments)
    assert all(each.matches() for each in segments)


def test_runs_of_one_kind_are_one(prepared: Prepared, monkeypatch: pytest.MonkeyPatch) -> None:
    model = prepared.load(threads=1, device=BATCHING)
    segments = [Speaking(model, style) for style in STYLES[:5]]
    batches: list[int] = []
    spectra = model._generator._spectra
    monkeypatch.setattr(
        model._generator, "_spectra", lambda feed, kind: batches.append(len(feed["frames"])) or spectra(feed, kind)
    )  # type: ignore[func-returns-value]

    model.make([run for each in segments for run in each.ahead()])

    assert batches == [4, 1]


def test_what_was_made_ahead_is_not_made_again(prepared: Prepared, monkeypatch: pytest.MonkeyPatch) -> None:
    model = prepared.load(threads=1, device=BATCHING)
    segment = Speaking(model, STYLES[0])
    runs = segment.ahead()
    assert segment.ahead() == runs

    model.make(runs)
    monkeypatch.setattr(model, "make", lambda _: pytest.fail("it was made again"))

    assert next(segment.spoken).size > 0


def test_shapes_that_come_again_keep_their_memory_and_others_do_not(prepared: Prepared) -> None:
    model = prepared.load(threads=1, device=BATCHING)
    segment = Speaking(model, STYLES[0])
    [run] = segment.ahead()
    list(segment.spoken)
    again = dict(model._generator._bound)

    list(Speaking(model, STYLES[1]).spoken)
    model._generator._spectra(run.feed, (1000, 0, 0))

    assert again
    assert model._generator._bound == again


@pytest.mark.parametrize(
    ("kind", "held"),
    [
        ((11, 0, 6), True),
        ((19, 6, 6), True),
        ((11, 6, 0), True),
        ((3, 0, 0), True),
        ((12, 0, 6), False),
        ((19, 0, 6), False),
    ],
)
def test_a_shape_comes_again_if_it_is_a_windows_of_a_held_size_with_its_context(
    kind: tuple[int, int, int], held: bool
) -> None:
    assert is_held(kind, SIZES) == held


def test_a_batch_is_filled_up_with_its_last(prepared: Prepared) -> None:
    model = prepared.load(threads=1, device=BATCHING)
    [run] = Speaking(model, STYLES[0]).ahead()

    padded = padded_to(4, run.feed)

    assert len(padded["frames"]) == 4
    np.testing.assert_array_equal(padded["frames"][3], run.feed["frames"][0])
    assert padded["dropped"].shape == (2,)


def test_the_processor_makes_what_is_asked_of_it_and_binds_nothing(prepared: Prepared, tmp_path: Path) -> None:
    model = prepared.load(threads=2)

    assert Speaking(model, STYLES[0]).matches()
    assert not model._generator._bound


# ----------------------------------------------------------------------------------------------- on the real weights


@pytest.mark.model
def test_voices_that_speak_together_sound_as_each_does_alone(asset_store, weights_path: Path) -> None:
    styles = PackStyles(asset_store.voice)
    prepared = prepared_weights(asset_store, styles, weights_path.parent, None)
    model = prepared.load(threads=1, device=Device("cpu", CPU_PROVIDER, together=4, sizes=CUDA_SIZES))
    ids = encode("ðə tɹˈAn lˈivz æt sˈɛvən, ænd plˈiz bɹˈɪŋ jʊɹ tˈɪkɪt.")
    heard, whole = [], []
    for voice in ("af_heart", "bm_george", "if_sara"):
        prosody = model.prosody(ids, styles.style(parse_voice(voice), len(ids)), speed=1.0)
        samples, statistics = model.whole(prosody)
        planned = windows(prosody.count, lead=prosody.lead, sizes=model.device.sizes)
        heard.append((model.windows(prosody, statistics, planned), []))
        whole.append(samples)

    while runs := [run for spoken, _ in heard for run in spoken.ahead()]:
        model.make(runs)
        for spoken, parts in heard:
            if spoken.ahead():
                parts.append(next(spoken))

    for samples, (_, parts) in zip(whole, heard, strict=True):
        together = np.concatenate(parts)
        error = np.sum(np.square(together - samples, dtype=np.float64))
        assert 10 * np.log10(np.sum(np.square(samples, dtype=np.float64)) / error) > 60
