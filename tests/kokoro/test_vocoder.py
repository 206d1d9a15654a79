"""The generator by windows, on the real weights: with the segment's own statistics it is the whole run."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper

from primavoce.errors import PreparationFailed
from primavoce.kokoro.graph import DURATIONS, stages, statistics
from primavoce.kokoro.graph.editor import GraphEditor
from primavoce.kokoro.vocoder import WindowedGenerator, normalisation
from primavoce.voices.packs import load_pack, style_for

IDS = (
    50,
    83,
    54,
    156,
    31,
    3,
    16,
    65,
    156,
    87,
    123,
    54,
    46,
    4,
    16,
    81,
    102,
    61,
    16,
    102,
    68,
    16,
    70,
    16,
    62,
    156,
    86,
    61,
    62,
    4,
)
TINY_CHANNELS = 3


def run(model: onnx.ModelProto, outputs: list[str], feed: dict[str, np.ndarray]) -> list[np.ndarray]:
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return session.run(outputs, feed)


def tiny_generator() -> onnx.ModelProto:
    """One normalisation, of which two blocks make use, each with its own scale and shift out of the style."""
    nodes = [
        helper.make_node("ReduceMean", ["x", "time"], ["mean"]),
        helper.make_node("Sub", ["x", "mean"], ["centred"]),
        helper.make_node("Mul", ["centred", "centred"], ["square"]),
        helper.make_node("ReduceMean", ["square", "time"], ["variance"]),
        helper.make_node("Add", ["variance", "epsilon"], ["above_zero"]),
        helper.make_node("Sqrt", ["above_zero"], ["deviation"]),
        helper.make_node("Div", ["centred", "deviation"], ["normalised"]),
    ]
    for block in ("one", "other"):
        nodes += [
            helper.make_node("Mul", ["style", f"{block}_weights"], [f"{block}_scale"]),
            helper.make_node("Add", ["style", f"{block}_weights"], [f"{block}_shift"]),
            helper.make_node("Mul", ["normalised", f"{block}_scale"], [f"{block}_scaled"]),
            helper.make_node("Add", [f"{block}_scaled", f"{block}_shift"], [f"{block}_result"]),
        ]
    nodes.append(helper.make_node("Sub", ["one_result", "other_result"], ["y"]))
    constants = {
        "time": np.array([2], np.int64),
        "epsilon": np.array(1e-5, np.float32),
        "one_weights": np.array([[[1.0], [2.0], [3.0]]], np.float32),
        "other_weights": np.array([[[0.5], [-1.0], [0.1]]], np.float32),
    }
    graph = helper.make_graph(
        nodes,
        "tiny",
        [
            helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, TINY_CHANNELS, "t"]),
            helper.make_tensor_value_info("style", TensorProto.FLOAT, [1, TINY_CHANNELS, 1]),
        ],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)


def test_given_its_own_statistics_a_generator_makes_what_it_made() -> None:
    generator = tiny_generator()
    x = np.random.default_rng(1).standard_normal((1, TINY_CHANNELS, 50)).astype(np.float32)
    style = np.array([[[1.0], [0.2], [-0.4]]], np.float32)

    y, means, variances = run(
        statistics.collecting(generator), ["y", statistics.MEANS, statistics.VARIANCES], {"x": x, "style": style}
    )
    scales, shifts = run(statistics.styling(generator), [statistics.SCALES, statistics.SHIFTS], {"style": style})
    twice = (np.concatenate([each, each], axis=1) for each in (means, variances))
    told = normalisation(*twice, scales, shifts, epsilon=1e-5)
    feed = {"x": x, statistics.GAINS: told.gains, statistics.BIASES: told.biases}
    (again,) = run(statistics.given(generator, [TINY_CHANNELS] * 2), ["y"], feed)

    np.testing.assert_allclose(again, y, rtol=1e-5, atol=1e-6)


def test_a_site_is_found_with_all_its_uses() -> None:
    (site,) = statistics.sites(GraphEditor(tiny_generator()))

    assert (site.x, site.mean, site.variance) == ("x", "mean", "variance")
    assert site.epsilon == pytest.approx(1e-5)
    assert [(use.scale, use.shift) for use in site.uses] == [("one_scale", "one_shift"), ("other_scale", "other_shift")]


def test_a_graph_without_a_place_to_cut_is_refused() -> None:
    with pytest.raises(PreparationFailed, match="no place to cut"):
        stages.cut(tiny_generator())


@dataclass(frozen=True)
class Whole:
    """A segment, spoken in one run, and all that windows need of it."""

    samples: np.ndarray
    frames: np.ndarray
    source: np.ndarray
    told: object
    generator: WindowedGenerator


@pytest.fixture(scope="module")
def whole(asset_store, weights_path: Path) -> Whole:
    from primavoce.synthesis.kokoro_engine import prepared_weights
    from primavoce.synthesis.styles import PackStyles

    path = prepared_weights(asset_store, PackStyles(asset_store.voice), weights_path.parent, None)
    style = style_for(load_pack(asset_store.voice("af_heart")), len(IDS))
    feed = {"tokens": np.array([[0, *IDS, 0]], np.int64), "style": style, "speed": np.array([1.0], np.float32)}
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    samples = session.run(["audio"], feed)[0].reshape(-1)
    model = onnx.load(path)
    constants = {tensor.name: tensor for tensor in model.graph.initializer}
    basis, window_sum = (numpy_helper.to_array(constants[name]) for name in (stages.INVERSE_BASIS, stages.WINDOW_SUM))
    cut = stages.cut(model)
    frames, style_half, source, durations = run(
        cut.prosody, [stages.FRAMES, stages.STYLE, stages.SOURCE, DURATIONS], feed
    )
    assert durations.sum() * 600 == samples.size
    found = statistics.sites(GraphEditor(cut.generator))
    sites = onnx.ModelProto()
    sites.CopyFrom(cut.generator)
    for site in found:
        sites.graph.output.extend(
            helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in (site.mean, site.variance)
        )
    wanted = {stages.FRAMES: frames, stages.STYLE: style_half, stages.SOURCE: source}
    each = run(sites, [name for site in found for name in (site.mean, site.variance)], wanted)
    by_use = [(each[2 * number], each[2 * number + 1]) for number, site in enumerate(found) for _ in site.uses]
    means, variances = (np.concatenate(part, axis=1) for part in zip(*by_use, strict=True))
    scales, shifts = run(
        statistics.styling(cut.generator), [statistics.SCALES, statistics.SHIFTS], {stages.STYLE: style_half}
    )
    given = statistics.given(cut.generator, [mean.shape[1] for mean, _ in by_use])
    session = onnxruntime.InferenceSession(given.SerializeToString(), providers=["CPUExecutionProvider"])
    told = normalisation(means, variances, scales, shifts, epsilon=found[0].epsilon)
    return Whole(samples, frames, source, told, WindowedGenerator(session, basis, window_sum))


@pytest.mark.model
@pytest.mark.timeout(300)
@pytest.mark.parametrize(("context", "least_db"), [(10, 100), (8, 90), (6, 45)])
def test_windows_with_true_statistics_are_the_whole_run(whole: Whole, context: int, least_db: float) -> None:
    parts = list(whole.generator.parts(whole.frames, whole.source, whole.told, context=context))  # type: ignore[arg-type]

    samples = np.concatenate(parts)
    assert len(parts) > 2
    assert samples.size == whole.samples.size
    error = np.sum(np.square(samples - whole.samples, dtype=np.float64))
    assert 10 * np.log10(np.sum(np.square(whole.samples, dtype=np.float64)) / error) > least_db
