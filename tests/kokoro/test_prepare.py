"""The preparation as a whole, on a tiny export."""

import errno
import os
import re
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper

from primavoce.errors import NoSpace, PreparationFailed
from primavoce.kokoro.graph.dequantize import QUANTIZED, dequantize
from primavoce.kokoro.graph.editor import GraphEditor
from primavoce.kokoro.log_mel import log_mel_distance
from primavoce.kokoro.model import EXPORTS, KokoroModel
from primavoce.kokoro.prepare import PREPARER, PROBE_IDS, Prepared, modern, prepare
from tests.kokoro.tiny import CHANNELS, EXPANDED, SITES, SPECTRUM, USES, tiny_export

SHA256 = "5" * 64
STYLE = np.full((1, 256), 0.01, np.float32)


def prepared(source: Path, cache: Path, *, style: np.ndarray = STYLE, told: list[str] | None = None) -> Prepared:
    tell = (lambda _: None) if told is None else told.append
    return prepare(source, cache, source_sha256=SHA256, probe_style=lambda _: style, tell=tell)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return tiny_export(tmp_path / "export.onnx")


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "new"


def test_weights_are_expanded_to_the_last_bit_and_shared_as_they_were(source: Path) -> None:
    model = onnx.load(source)

    editor = GraphEditor(model)
    dequantize(editor)
    editor.finish()

    weights = {node.input[1] for node in model.graph.node if node.op_type == "MatMul"}
    (large,) = [tensor for tensor in model.graph.initializer if tensor.name in weights]
    assert len([node for node in model.graph.node if node.op_type == "MatMul"]) == USES
    assert numpy_helper.to_array(large).tobytes() == EXPANDED.tobytes()


@pytest.mark.parametrize("quantised", [True, False])
def test_an_export_is_prepared_as_two_graphs_that_speak_alike(tmp_path: Path, cache: Path, quantised: bool) -> None:
    source = tiny_export(tmp_path / "export.onnx", quantised=quantised)

    made = prepared(source, cache)

    theirs = KokoroModel.load(source, threads=1).synthesize(PROBE_IDS, STYLE, speed=1.0)
    model = made.load(threads=1)
    ours, _ = model.whole(model.prosody(PROBE_IDS, STYLE, speed=1.0))
    np.testing.assert_allclose(ours, theirs, atol=1e-3)
    assert sorted(contents(made.folder)) == ["generator.onnx", "prosody.onnx"]
    for path in (made.prosody, made.generator):
        assert not {node.op_type for node in onnx.load(path).graph.node} & {*QUANTIZED, "DynamicQuantizeLinear"}


@pytest.mark.parametrize("called", EXPORTS, ids=lambda names: names[0])
def test_an_export_with_either_set_of_names_is_prepared_and_speaks_alike(
    tmp_path: Path, cache: Path, called: tuple[str, str, str, str]
) -> None:
    source = tiny_export(tmp_path / "export.onnx", called=called)

    model = prepared(source, cache).load(threads=1)

    theirs = KokoroModel.load(source, threads=1).synthesize(PROBE_IDS, STYLE, speed=1.0)
    ours, _ = model.whole(model.prosody(PROBE_IDS, STYLE, speed=1.0))
    np.testing.assert_allclose(ours, theirs, atol=1e-3)


def with_one_node_norms(model: onnx.ModelProto) -> None:
    """Write each normalisation of the tiny export as one node, as most exporters do."""
    kept = [node for node in model.graph.node if not re.fullmatch(r"norm\.\d:\w+", node.output[0])]
    for index, node in enumerate(kept):
        if re.fullmatch(r"norm\.\d", node.output[0]):
            x = node.output[0].replace("norm.", "x:")
            kept[index] = helper.make_node("InstanceNormalization", [x, "ones again", "zeros"], list(node.output))
    kept.insert(0, helper.make_node("Identity", ["ones"], ["ones again"]))
    model.graph.initializer.extend(
        numpy_helper.from_array(np.full(CHANNELS, value, np.float32), name)
        for name, value in (("ones", 1), ("zeros", 0))
    )
    replace_nodes(model, kept)


def in_older_operators(model: onnx.ModelProto) -> None:
    """Write the tiny export in operators of version 17: means have attributes for axes, and splits are even."""
    for node in model.graph.node:
        if node.op_type == "ReduceMean":
            axes = next(tensor for tensor in model.graph.initializer if tensor.name == node.input[1])
            del node.input[1]
            node.attribute.append(helper.make_attribute("axes", numpy_helper.to_array(axes).tolist()))
        elif node.op_type == "Split":
            node.attribute.remove(next(each for each in node.attribute if each.name == "num_outputs"))
    model.opset_import[0].version = 17
    onnx.checker.check_model(model)


def replace_nodes(model: onnx.ModelProto, by: list[onnx.NodeProto]) -> None:
    fresh = onnx.GraphProto()
    fresh.node.extend(by)
    del model.graph.node[:]
    model.graph.node.extend(fresh.node)


@pytest.mark.parametrize("written", [with_one_node_norms, in_older_operators])
def test_an_export_of_another_exporter_is_prepared_and_speaks_alike(
    tmp_path: Path, cache: Path, written: Callable[[onnx.ModelProto], None]
) -> None:
    source = tiny_export(tmp_path / "export.onnx", quantised=False)
    model = onnx.load(source)
    written(model)
    onnx.save(model, source)

    ours = prepared(source, cache).load(threads=1)

    theirs = KokoroModel.load(source, threads=1).synthesize(PROBE_IDS, STYLE, speed=1.0)
    samples, statistics = ours.whole(ours.prosody(PROBE_IDS, STYLE, speed=1.0))
    np.testing.assert_allclose(samples, theirs, atol=1e-4)
    assert statistics.means.shape == (SITES * CHANNELS,)


def test_operators_that_cannot_be_converted_are_said() -> None:
    model = helper.make_model(
        helper.make_graph([helper.make_node("Unheard", ["x"], ["y"])], "unknown", [], []),
        opset_imports=[helper.make_opsetid("", 17)],
    )

    with pytest.raises(PreparationFailed, match="version 17"):
        modern(model)


def test_an_export_that_is_not_quantised_gets_the_same_rewrites(tmp_path: Path, cache: Path) -> None:
    """A convolution of seven taps is two-dimensional afterwards."""
    source = tiny_export(tmp_path / "export.onnx", quantised=False)
    model = onnx.load(source)
    node = next(node for node in model.graph.node if node.output[0] == SPECTRUM)
    weights = next(tensor for tensor in model.graph.initializer if tensor.name == "post")
    longer = np.pad(numpy_helper.to_array(weights), ((0, 0), (0, 0), (2, 2)))
    weights.CopyFrom(numpy_helper.from_array(longer, "post"))
    del node.attribute[:]
    node.attribute.extend([helper.make_attribute("kernel_shape", [7]), helper.make_attribute("pads", [3, 3])])
    onnx.save(model, source)

    made = prepared(source, cache)

    (wide,) = [
        each
        for each in onnx.load(made.generator).graph.node
        if each.op_type == "Conv" and len(each.attribute[0].ints) == 2
    ]
    assert wide.input[1] == "post:wide"


def test_no_weight_is_in_both_graphs(source: Path, cache: Path) -> None:
    made = prepared(source, cache)

    stages = [onnx.load(path).graph.initializer for path in (made.prosody, made.generator)]
    prosody, generator = ({tensor.name for tensor in stage if len(tensor.raw_data) > 1000} for stage in stages)
    # But those of what the generator makes first, of which the features are made.
    assert prosody & generator <= {"ups.0", "noise.0", "noise.1"}
    assert generator


def test_it_is_prepared_once(source: Path, cache: Path) -> None:
    told: list[str] = []
    made = prepared(source, cache, told=told)
    written = contents(made.folder), made.generator.stat().st_mtime_ns

    again = prepared(source, cache, told=told)

    assert (again, (contents(again.folder), again.generator.stat().st_mtime_ns)) == (made, written)
    assert len(told) == 3
    assert list(cache.iterdir()) == [made.folder]


def test_the_same_export_is_always_prepared_to_the_same_bytes(source: Path, tmp_path: Path) -> None:
    one, other = (prepared(source, tmp_path / name) for name in ("one", "other"))

    assert contents(one.folder) == contents(other.folder)


def test_two_at_once_both_get_the_whole_folder(source: Path, cache: Path) -> None:
    start = threading.Barrier(2)
    made: list[Prepared] = []

    def work() -> None:
        start.wait()
        made.append(prepared(source, cache))

    workers = [threading.Thread(target=work) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()

    assert made == [made[0]] * 2
    assert list(cache.iterdir()) == [made[0].folder]
    made[0].load(threads=1)


def test_a_folder_that_another_process_has_put_there_meanwhile_is_taken(source: Path, cache: Path) -> None:
    """Both find nothing, both prepare; the second to finish finds the first one's in its place."""
    first: list[Prepared] = []

    def other_process(note: str) -> None:
        if note.startswith("checking") and not first:
            first.append(Prepared(Path()))  # not again for its own checking
            first[0] = prepared(source, cache)

    made = prepare(source, cache, source_sha256=SHA256, probe_style=lambda _: STYLE, tell=other_process)

    assert [made] == first
    assert list(cache.iterdir()) == [made.folder]
    made.load(threads=1)


def test_a_full_disk_is_said_and_nothing_half_written_is_left(
    source: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fill(model: onnx.ModelProto, path: Path) -> None:
        path.write_bytes(b"half")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(onnx, "save", fill)

    with pytest.raises(NoSpace, match="new"):
        prepared(source, cache)

    assert list(cache.iterdir()) == []


def test_a_folder_that_cannot_be_made_is_said(source: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")

    with pytest.raises(PreparationFailed, match="can't be written"):
        prepared(source, tmp_path / "file" / "below")


@pytest.mark.parametrize("name", ["prosody.onnx", "generator.onnx"])
def test_a_graph_that_is_cut_off_is_refused_and_prepared_anew_once_discarded(
    source: Path, cache: Path, name: str
) -> None:
    made = prepared(source, cache)
    whole = contents(made.folder)
    (made.folder / name).write_bytes(whole[name][: len(whole[name]) // 2])
    with pytest.raises(PreparationFailed, match=name):
        made.load(threads=1)

    made.discard()

    assert contents(prepared(source, cache).folder) == whole


def test_a_graph_in_the_others_place_is_refused(source: Path, cache: Path) -> None:
    made = prepared(source, cache)
    made.prosody.write_bytes(made.generator.read_bytes())

    with pytest.raises(PreparationFailed, match="first stage"):
        made.load(threads=1)


def test_what_earlier_versions_prepared_of_the_same_export_is_removed(source: Path, cache: Path) -> None:
    of_another, newer = f"kokoro-{'6' * 16}-fp32-2.onnx", f"kokoro-{SHA256[:16]}-{PREPARER + 1}"
    cache.mkdir(parents=True)
    for name in (f"kokoro-{SHA256[:16]}-fp32-1.onnx", f"kokoro-{SHA256[:16]}-fp32-2.onnx", of_another):
        (cache / name).write_bytes(b"x")
    for name in (f"kokoro-{SHA256[:16]}-{PREPARER - 1}", newer):
        (cache / name).mkdir()
        (cache / name / "generator.onnx").write_bytes(b"x")

    made = prepared(source, cache)

    assert {path.name for path in cache.iterdir()} == {made.folder.name, of_another, newer}


def test_what_a_killed_preparation_left_an_hour_ago_is_removed(source: Path, cache: Path) -> None:
    cache.mkdir(parents=True)
    for name, age_s in ((".prepare-old", 3700), (".prepare-new", 3500), ("other", 9000)):
        (cache / name / "prepared").mkdir(parents=True)
        (cache / name / "prepared" / "prosody.onnx").write_bytes(b"half")
        made = time.time() - age_s
        os.utime(cache / name, (made, made))

    target = prepared(source, cache).folder

    assert {path.name for path in cache.iterdir()} == {target.name, ".prepare-new", "other"}


def test_a_result_that_speaks_otherwise_is_not_kept(source: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("primavoce.kokoro.graph.dequantize._spread", lambda value, **_: np.float32(0.01))

    with pytest.raises(PreparationFailed, match="dB away"):
        prepared(source, cache, style=STYLE * 3)

    assert list(cache.iterdir()) == []


def test_a_result_that_speaks_for_another_time_is_not_kept(
    source: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    published = KokoroModel.synthesize
    monkeypatch.setattr(KokoroModel, "synthesize", lambda *asked, **how: published(*asked, **how)[:-2401])

    with pytest.raises(PreparationFailed, match=r"speaks for \d+ samples"):
        prepared(source, cache)


def test_a_quantised_node_wired_in_an_unknown_way_is_refused(source: Path, cache: Path) -> None:
    model = onnx.load(source)
    cast = next(node for node in model.graph.node if node.output[0] == "first:styles_cast")
    cast.op_type = "Identity"
    del cast.attribute[:]
    onnx.save(model, source)

    with pytest.raises(PreparationFailed, match="unexpected Identity"):
        prepared(source, cache)


def test_an_export_without_a_place_to_cut_at_is_refused(source: Path, cache: Path) -> None:
    model = onnx.load(source)
    next(node for node in model.graph.node if node.output[0] == "active").op_type = "Elu"
    onnx.save(model, source)

    with pytest.raises(PreparationFailed, match="no place to cut it: the leaky ReLU after the frames is missing"):
        prepared(source, cache)

    assert list(cache.iterdir()) == []


@pytest.mark.parametrize(("rounds", "found"), [(0, 0), (2, 2)])
def test_an_export_whose_durations_cannot_be_told_is_refused(
    source: Path, cache: Path, rounds: int, found: int
) -> None:
    model = onnx.load(source)
    rounding = next(node for node in model.graph.node if node.op_type == "Round")
    if rounds:
        model.graph.node.extend(
            [
                helper.make_node("Round", ["lasting"], ["rounded again"]),
                helper.make_node("Clip", ["rounded again", "one"], ["steps again"]),
            ]
        )
    else:
        rounding.op_type = "Identity"
    onnx.save(model, source)

    with pytest.raises(PreparationFailed, match=f"durations can't be told: {found} places"):
        prepared(source, cache)


def test_a_file_that_is_no_graph_is_refused(tmp_path: Path, cache: Path) -> None:
    (tmp_path / "x.onnx").write_bytes(b"no graph")

    with pytest.raises(PreparationFailed, match=r"x\.onnx is no ONNX file"):
        prepared(tmp_path / "x.onnx", cache)

    assert list(cache.iterdir()) == []


@pytest.mark.model
@pytest.mark.timeout(300)
def test_the_real_weights_are_prepared_once_and_speak_like_the_published_ones(
    tmp_path: Path, asset_store, weights_path: Path
) -> None:
    from primavoce.voices.packs import load_pack, style_for

    pack = load_pack(asset_store.voice("bm_george"))
    told: list[str] = []
    source, sha256 = asset_store.weights_with_digest()
    options = {"source_sha256": sha256, "probe_style": lambda n: style_for(pack, n), "tell": told.append}

    made = prepare(source, tmp_path, **options)
    again = prepare(source, tmp_path, **options)

    assert (made, len(told)) == (again, 3)
    assert 450e6 < sum(path.stat().st_size for path in made.folder.iterdir()) < 550e6
    assert list(tmp_path.iterdir()) == [made.folder]
    style = style_for(pack, len(PROBE_IDS))
    theirs = KokoroModel.load(source, threads=2).synthesize(PROBE_IDS, style, speed=1.0)
    model = made.load(threads=2)
    prosody = model.prosody(PROBE_IDS, style, speed=1.0)
    ours, _ = model.whole(prosody)
    assert log_mel_distance(theirs, ours) < 3.0
    assert len(prosody.durations_s) == len(PROBE_IDS) + 2
    assert min(prosody.durations_s) >= 600 / 24_000
    assert sum(prosody.durations_s) == pytest.approx(ours.size / 24_000)
