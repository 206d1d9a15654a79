from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from primavoce.errors import PreparationFailed
from primavoce.kokoro.log_mel import log_mel_distance
from primavoce.kokoro.model import EXPORTS, KokoroModel
from primavoce.kokoro.prepare import PROBE_IDS, prepare
from primavoce.phonemes.alphabet import encode
from primavoce.voices.packs import load_pack, style_for


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

    spoken = model.synthesize([7, 8], np.ones((1, 256), np.float32), speed=1.25)

    assert spoken.samples.tolist() == [0, 7, 8, 0, 256, 1.25]
    assert spoken.durations_s == ()


def test_another_graph_is_refused(tmp_path: Path) -> None:
    path = tiny_export(tmp_path / "tiny.onnx", ("words", "style", "speed", "audio"), shape=[-1])

    with pytest.raises(PreparationFailed, match="no known export"):
        KokoroModel.load(path, threads=1)


def test_a_file_that_is_no_graph_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.onnx").write_bytes(b"no graph")

    with pytest.raises(PreparationFailed):
        KokoroModel.load(tmp_path / "x.onnx", threads=1)
    with pytest.raises(PreparationFailed):
        prepare(tmp_path / "x.onnx", tmp_path, source_sha256="0" * 64, probe_style=lambda _: np.zeros((1, 256)))


def test_an_export_whose_durations_cannot_be_told_is_refused(tmp_path: Path) -> None:
    source = tiny_export(tmp_path / "tiny.onnx", EXPORTS[0], shape=[-1])

    with pytest.raises(PreparationFailed, match="durations"):
        prepare(source, tmp_path, source_sha256="0" * 64, probe_style=lambda _: np.zeros((1, 256)))
    assert [path.name for path in tmp_path.iterdir()] == ["tiny.onnx"]


def test_equal_recordings_are_no_distance_apart_and_noise_is_far_from_a_tone() -> None:
    tone = np.sin(np.arange(24_000) * 0.1).astype(np.float32)
    noise = np.random.default_rng(1).standard_normal(24_000).astype(np.float32)

    assert log_mel_distance(tone, tone) == 0
    assert log_mel_distance(tone, noise) > 10


@pytest.mark.model
@pytest.mark.timeout(300)
def test_the_real_weights_are_prepared_once_and_speak_like_the_published_ones(
    tmp_path: Path, asset_store, weights_path: Path
) -> None:
    pack = load_pack(asset_store.voice("bm_george"))
    told: list[str] = []
    source, sha256 = asset_store.weights_with_digest()
    options = {"source_sha256": sha256, "probe_style": lambda n: style_for(pack, n), "tell": told.append}

    made = prepare(source, tmp_path, **options)
    again = prepare(source, tmp_path, **options)

    assert (made, len(told)) == (again, 3)
    assert 300e6 < made.stat().st_size < 350e6
    assert [path.name for path in tmp_path.iterdir()] == [made.name]
    style = style_for(pack, len(PROBE_IDS))
    spoken = [KokoroModel.load(path, threads=2).synthesize(PROBE_IDS, style, speed=1.0) for path in (source, made)]
    assert log_mel_distance(*(one.samples for one in spoken)) < 3.0
    ours = spoken[1]
    assert len(ours.durations_s) == len(PROBE_IDS) + 2
    assert min(ours.durations_s) >= 600 / 24_000
    assert sum(ours.durations_s) == pytest.approx(ours.samples.size / 24_000)


@pytest.mark.model
@pytest.mark.timeout(300)
def test_every_english_voice_makes_sound_and_no_two_the_same(asset_store, weights_path: Path) -> None:
    from primavoce.synthesis.kokoro_engine import prepared_weights
    from primavoce.synthesis.styles import PackStyles
    from primavoce.voices.catalogue import VOICES

    folder = weights_path.parent
    model = KokoroModel.load(prepared_weights(asset_store, PackStyles(asset_store.voice), folder, None), threads=2)
    ids = encode("ɡˌʊd mˈɔɹnɪŋ.")
    levels = {}
    for name, voice in VOICES.items():
        if voice.language.startswith("en"):
            style = style_for(load_pack(asset_store.voice(name)), len(ids))
            samples = model.synthesize(ids, style, speed=1.0).samples
            levels[name] = float(np.sqrt(np.mean(np.square(samples))))
            assert 0.5 < samples.size / 24_000 < 4.0, name

    assert len(levels) == 28
    assert min(levels.values()) > 0.01
    assert len(set(levels.values())) == 28
