"""The engine with the real weights."""

from pathlib import Path

import pytest

from primavoce.errors import PreparationFailed
from primavoce.kokoro.model import KokoroModel
from primavoce.synthesis.kokoro_engine import load_prepared
from primavoce.synthesis.styles import PackStyles


@pytest.mark.model
@pytest.mark.timeout(300)
def test_a_prepared_file_that_is_cut_off_is_made_anew(tmp_path: Path, asset_store, weights_path: Path) -> None:
    styles = PackStyles(asset_store.voice)
    load_prepared(asset_store, styles, tmp_path, None, 2)
    (made,) = tmp_path.glob("*.onnx")
    whole = made.stat().st_size
    with made.open("rb+") as file:
        file.truncate(whole // 2)
    with pytest.raises(PreparationFailed):
        KokoroModel.load(made, threads=2)

    load_prepared(asset_store, styles, tmp_path, None, 2)

    assert made.stat().st_size == whole
