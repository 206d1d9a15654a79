from pathlib import Path

import numpy as np
import pytest

from primavoce.errors import AssetMissing, PreparationFailed
from primavoce.voices.packs import PACK_BYTES, VoicePack, blend_packs, load_pack, style_for


def pack_of(first: float) -> VoicePack:
    """Return a pack in which row n holds n + ``first`` everywhere."""
    rows = np.arange(510, dtype=np.float32) + np.float32(first)
    return VoicePack(np.repeat(rows, 256).reshape(510, 1, 256))


def write_pack(path: Path, pack: VoicePack) -> Path:
    path.write_bytes(pack.rows.astype("<f4").tobytes())
    return path


def test_a_pack_is_read_as_it_was_written(tmp_path: Path) -> None:
    written = pack_of(0.5)

    read = load_pack(write_pack(tmp_path / "af_test.bin", written))

    assert read.rows.shape == (510, 1, 256)
    assert read.rows.dtype == np.float32
    assert np.array_equal(read.rows, written.rows)


def test_a_pack_can_not_be_written_to(tmp_path: Path) -> None:
    pack = load_pack(write_pack(tmp_path / "af_test.bin", pack_of(0)))

    with pytest.raises(ValueError, match="read-only"):
        pack.rows[0] = 1


@pytest.mark.parametrize("size", [0, 4, PACK_BYTES - 1, PACK_BYTES + 4])
def test_a_file_of_another_size_is_refused(tmp_path: Path, size: int) -> None:
    path = tmp_path / "af_test.bin"
    path.write_bytes(bytes(size))

    with pytest.raises(PreparationFailed, match=rf"af_test\.bin has {size} bytes"):
        load_pack(path)


def test_a_file_of_no_numbers_is_refused(tmp_path: Path) -> None:
    pack = pack_of(0)
    pack.rows[100, 0, 7] = np.nan

    with pytest.raises(PreparationFailed, match="no numbers"):
        load_pack(write_pack(tmp_path / "af_test.bin", pack))


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(AssetMissing, match=r"af_test\.bin is not in"):
        load_pack(tmp_path / "af_test.bin")


@pytest.mark.parametrize("n_phonemes", [1, 2, 60, 509, 510])
def test_the_style_for_n_phonemes_is_row_n_minus_1(n_phonemes: int) -> None:
    style = style_for(pack_of(0), n_phonemes)

    assert style.shape == (1, 256)
    assert (style == n_phonemes - 1).all()


@pytest.mark.parametrize("n_phonemes", [-1, 0, 511])
def test_there_is_no_style_outside_1_to_510(n_phonemes: int) -> None:
    with pytest.raises(ValueError, match="1 to 510"):
        style_for(pack_of(0), n_phonemes)


def test_a_blend_is_the_weighted_sum() -> None:
    blend = blend_packs([pack_of(0), pack_of(10)], [0.75, 0.25])

    assert blend.rows.dtype == np.float32
    assert blend.rows.shape == (510, 1, 256)
    assert np.allclose(blend.rows, pack_of(2.5).rows)
    assert not blend.rows.flags.writeable


def test_a_blend_of_one_is_that_one() -> None:
    pack = pack_of(0)

    assert blend_packs([pack], [1.0]) is pack


def test_blending_leaves_the_packs_alone() -> None:
    first, second = pack_of(0), pack_of(10)

    blend_packs([first, second], [0.5, 0.5])

    assert np.array_equal(first.rows, pack_of(0).rows)
    assert np.array_equal(second.rows, pack_of(10).rows)


@pytest.mark.parametrize(("count", "weights"), [(0, []), (1, []), (2, [1.0]), (1, [0.5, 0.5])])
def test_each_pack_needs_its_weight(count: int, weights: list[float]) -> None:
    with pytest.raises(ValueError, match="can't be blended"):
        blend_packs([pack_of(0)] * count, weights)
