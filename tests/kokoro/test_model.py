from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from primavoce.errors import PreparationFailed
from primavoce.kokoro.log_mel import log_mel_distance
from primavoce.kokoro.model import EXPORTS, KokoroModel


def tiny_export(path: Path, names: tuple[str, ...], *, shape: list[int]) -> Path:
    """A graph with an export's inputs and output, which answers with the ids, the style's sum and the speed."""
    tokens, style, speed, audio = names
    nodes = [
        helper.make_node("Cast", [tokens], ["ids"], to=TensorProto.FLOAT),
        helper.make_node("ReduceSum", [style], ["sum"], keepdims=0),
        helper.make_node("Unsqueeze", ["sum", "axis"], ["sums"]),
        helper.make_node("Reshape", ["ids", "flat"], ["row"]),
        helper.make_node("Concat", ["row", "sums", speed], ["joined"], axis=0),
        helper.make_node("Reshape", ["joined", "shape"], [audio]),
    ]
    constants = {"axis": np.array([0]), "flat": np.array([-1]), "shape": np.array(shape)}
    made = helper.make_graph(
        nodes,
        "tiny",
        [
            helper.make_tensor_value_info(tokens, TensorProto.INT64, [1, "n"]),
            helper.make_tensor_value_info(style, TensorProto.FLOAT, [1, 256]),
            helper.make_tensor_value_info(speed, TensorProto.FLOAT, [1]),
        ],
        [helper.make_tensor_value_info(audio, TensorProto.FLOAT, None)],
        [numpy_helper.from_array(value.astype(np.int64), name) for name, value in constants.items()],
    )
    onnx.save(helper.make_model(made, opset_imports=[helper.make_opsetid("", 20)], ir_version=9), path)
    return path


@pytest.mark.parametrize(("names", "shape"), [(EXPORTS[0], [-1]), (EXPORTS[1], [1, -1])])
def test_both_published_exports_are_spoken(tmp_path: Path, names: tuple[str, ...], shape: list[int]) -> None:
    model = KokoroModel.load(tiny_export(tmp_path / "tiny.onnx", names, shape=shape), threads=1)

    samples = model.synthesize([7, 8], np.ones((1, 256), np.float32), speed=1.25)

    assert samples.tolist() == [0, 7, 8, 0, 256, 1.25]


def test_another_graph_is_refused(tmp_path: Path) -> None:
    path = tiny_export(tmp_path / "tiny.onnx", ("words", "style", "speed", "audio"), shape=[-1])

    with pytest.raises(PreparationFailed, match="no known export"):
        KokoroModel.load(path, threads=1)


def test_a_file_that_is_no_graph_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.onnx").write_bytes(b"no graph")

    with pytest.raises(PreparationFailed, match=r"refuses x\.onnx"):
        KokoroModel.load(tmp_path / "x.onnx", threads=1)


def test_equal_recordings_are_no_distance_apart_and_noise_is_far_from_a_tone() -> None:
    tone = np.sin(np.arange(24_000) * 0.1).astype(np.float32)
    noise = np.random.default_rng(1).standard_normal(24_000).astype(np.float32)

    assert log_mel_distance(tone, tone) == 0
    assert log_mel_distance(tone, noise) > 10
