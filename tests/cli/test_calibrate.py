"""``primavoce calibrate`` from end to end, on a model that follows simple laws."""

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from primavoce.cli import calibrate as module
from primavoce.kokoro import prediction
from primavoce.kokoro.prediction import find_predictor
from tests.calibration.law import DIGEST, calibrator


@pytest.fixture(autouse=True)
def nothing_packaged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prediction, "packaged_predictor", lambda: None)


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> typer.Typer:
    monkeypatch.setattr(
        module, "_calibrator", lambda _, names, __: calibrator(tmp_path, *(names or ["af_heart", "bf_emma"]))
    )
    app = typer.Typer()
    app.command()(module.calibrate)
    return app


def test_all_voices_are_learnt_judged_and_kept_where_the_engine_looks(app: typer.Typer, tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["--rounds", "60", "--judged", "3", "--json"])

    told = json.loads(result.stdout)
    assert result.exit_code == 0
    assert told["voices"] == ["af_heart", "bf_emma"]
    assert told["kinds"]["all"]["all"]["segments"] == len(told["judged"]) == 6
    found = find_predictor(DIGEST, tmp_path)
    assert found is not None
    assert found.voices == {"af_heart", "bf_emma"}


def test_a_voice_is_added_to_those_that_are_known(app: typer.Typer, tmp_path: Path) -> None:
    CliRunner().invoke(app, ["--rounds", "30", "--judged", "0"])

    result = CliRunner().invoke(app, ["--voice", "af_sky", "--rounds", "60", "--judged", "0"])

    assert result.exit_code == 0
    assert "learning 104 segments" in result.stdout
    found = find_predictor(DIGEST, tmp_path)
    assert found is not None
    assert found.voices == {"af_heart", "bf_emma", "af_sky"}


def test_a_voice_can_not_be_added_to_nothing(app: typer.Typer) -> None:
    result = CliRunner().invoke(app, ["--voice", "af_sky"])

    assert result.exit_code == 1
    assert "primavoce: " in result.stderr


def test_what_would_sound_wrong_is_not_kept(app: typer.Typer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("primavoce.calibration.comparison.Summary.above_floor", property(lambda _: False))

    result = CliRunner().invoke(app, ["--rounds", "60", "--judged", "2"])

    assert result.exit_code == 1
    assert "not kept" in result.stdout
    assert find_predictor(DIGEST, tmp_path) is None


def test_a_folder_gets_a_file_for_each_machine(app: typer.Typer, tmp_path: Path) -> None:
    out = tmp_path / "artefact"
    out.mkdir()

    CliRunner().invoke(app, ["--rounds", "12", "--judged", "0", "--out", str(out)])

    assert sorted(path.name for path in out.iterdir()) == ["statistics-means.npz", "statistics-variances.npz"]


def test_what_was_spoken_is_kept_in_the_folder_that_is_named(app: typer.Typer, tmp_path: Path) -> None:
    CliRunner().invoke(app, ["--rounds", "3", "--judged", "0", "--rows", str(tmp_path / "rows")])

    assert len(list((tmp_path / "rows").glob("*.npz"))) == 2 * 2 * 3
