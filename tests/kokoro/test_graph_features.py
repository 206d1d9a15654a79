import numpy as np
import onnxruntime
from onnx import TensorProto, helper

from primavoce.kokoro.graph.features import FIRST_MADE, LAGS, LEAST_VARIANCE, expose_features
from primavoce.kokoro.graph.names import FEATURES, FRAMES

CHANCE = np.random.default_rng(8)
VALUES = {
    name: CHANCE.standard_normal((2, channels, length)).astype(np.float32) * 2 + 0.5
    for name, channels, length in zip([FRAMES, *FIRST_MADE], (512, 6, 5, 4), (12, 120, 120, 721), strict=True)
}


def features(values: dict[str, np.ndarray]) -> np.ndarray:
    graph = helper.make_graph(
        [],
        "given",
        [
            helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch", value.shape[1], None])
            for name, value in values.items()
        ],
        [helper.make_tensor_value_info(FEATURES, TensorProto.FLOAT, None)],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
    expose_features(model)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    return session.run([FEATURES], values)[0]


def test_they_are_means_of_the_frames_and_what_is_known_of_what_is_made_first() -> None:
    frames, *first = VALUES.values()
    expected = [each.mean(axis=2) for each in (frames, np.maximum(frames, 0), np.square(frames))]
    for value in first:
        expected += [value.mean(axis=2), np.log(value.var(axis=2) + LEAST_VARIANCE)]

    upsampled = first[0] - first[0].mean(axis=2, keepdims=True)
    for lag in LAGS:
        covariance = (upsampled[:, :, lag:] * upsampled[:, :, :-lag]).mean(axis=2)
        expected.append(covariance / (upsampled.var(axis=2) + LEAST_VARIANCE))

    found = features(VALUES)

    assert found.shape == (2, 3 * 512 + 2 * (6 + 5 + 4) + 3 * 6, 1)
    np.testing.assert_allclose(found[..., 0], np.concatenate(expected, axis=1), rtol=1e-4, atol=1e-5)


def test_a_value_that_never_changes_has_a_variance_that_can_be_told() -> None:
    found = features({name: np.ones_like(value) for name, value in VALUES.items()})

    assert np.isfinite(found).all()
    assert found.min() >= np.log(LEAST_VARIANCE) - 1e-3


def test_they_do_not_depend_on_when_something_is_said() -> None:
    turned = {name: value[:, :, ::-1].copy() for name, value in VALUES.items()}

    np.testing.assert_allclose(features(turned), features(VALUES), rtol=1e-4, atol=1e-5)
