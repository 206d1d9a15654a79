import hashlib
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from primavoce.assets import verification
from primavoce.assets.manifest import AssetFile
from primavoce.assets.verification import Digest, Verifier, join

CONTENT = b"what a voice holds"


@pytest.fixture
def asset() -> AssetFile:
    return AssetFile("ax_one", "voice", "ax_one.bin", len(CONTENT), hashlib.sha256(CONTENT).hexdigest())


@pytest.fixture
def place(tmp_path: Path) -> Path:
    place = tmp_path / "ax_one.bin"
    place.write_bytes(CONTENT)
    return place


@pytest.fixture
def hashed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that were hashed."""
    names: list[str] = []
    hash_file = verification.hash_file

    def counting(file: verification.BufferedIOBase) -> Digest:
        names.append(Path(file.name).name)  # type: ignore[attr-defined]
        return hash_file(file)

    monkeypatch.setattr(verification, "hash_file", counting)
    return names


def test_a_verified_file_is_not_hashed_again(asset: AssetFile, place: Path, tmp_path: Path, hashed: list[str]) -> None:
    first = Verifier(tmp_path / "stamps").digest(asset, place)

    second = Verifier(tmp_path / "stamps").digest(asset, place)

    assert first == second == Digest(len(CONTENT), asset.sha256)
    assert hashed == ["ax_one.bin"]


def test_a_file_of_another_size_is_hashed_again(asset: AssetFile, place: Path, tmp_path: Path) -> None:
    verifier = Verifier(tmp_path / "stamps")
    verifier.digest(asset, place)
    changed_at = place.stat().st_mtime_ns

    place.write_bytes(CONTENT + b"!")
    os.utime(place, ns=(changed_at, changed_at))

    assert verifier.digest(asset, place) == Digest(len(CONTENT) + 1, hashlib.sha256(CONTENT + b"!").hexdigest())


def test_a_file_changed_since_is_hashed_again(asset: AssetFile, place: Path, tmp_path: Path) -> None:
    verifier = Verifier(tmp_path / "stamps")
    verifier.digest(asset, place)
    changed_at = place.stat().st_mtime_ns + 1

    place.write_bytes(CONTENT[::-1])
    os.utime(place, ns=(changed_at, changed_at))

    found = verifier.digest(asset, place)
    assert found is not None
    assert not found.matches(asset)


def test_a_new_digest_in_the_manifest_makes_the_stamp_void(asset: AssetFile, place: Path, tmp_path: Path) -> None:
    verifier = Verifier(tmp_path / "stamps")
    verifier.digest(asset, place)
    newer = AssetFile(asset.name, "voice", asset.path, asset.size_bytes, hashlib.sha256(b"newer").hexdigest())

    found = verifier.digest(newer, place)

    assert found == Digest(len(CONTENT), asset.sha256)


def test_a_wrong_file_leaves_no_stamp(asset: AssetFile, place: Path, tmp_path: Path) -> None:
    place.write_bytes(CONTENT[::-1])

    Verifier(tmp_path / "stamps").digest(asset, place)

    assert not (tmp_path / "stamps").exists()


def test_a_stamp_cut_short_or_garbled_counts_for_nothing(
    asset: AssetFile, place: Path, tmp_path: Path, hashed: list[str]
) -> None:
    verifier = Verifier(tmp_path / "stamps")
    verifier.digest(asset, place)
    (stamp,) = (tmp_path / "stamps").iterdir()

    for garbled in (stamp.read_bytes()[:-2], b"\xff\xfe", b""):
        stamp.write_bytes(garbled)
        assert verifier.digest(asset, place) == Digest(len(CONTENT), asset.sha256)

    assert len(hashed) == 4


def test_a_stamp_folder_that_cannot_be_made_costs_a_hash_and_no_more(
    asset: AssetFile, place: Path, tmp_path: Path, hashed: list[str]
) -> None:
    (tmp_path / "a file").touch()
    verifier = Verifier(tmp_path / "a file" / "stamps")

    assert verifier.digest(asset, place) == verifier.digest(asset, place) == Digest(len(CONTENT), asset.sha256)
    assert len(hashed) == 2


def test_a_missing_file_or_a_folder_has_no_digest(asset: AssetFile, tmp_path: Path) -> None:
    verifier = Verifier(tmp_path / "stamps")

    assert verifier.digest(asset, tmp_path / "nowhere") is None
    assert verifier.digest(asset, tmp_path) is None


@settings(max_examples=30)
@given(st.lists(st.binary(max_size=40), min_size=1, max_size=4), st.integers(min_value=1, max_value=7))
def test_joining_gives_the_parts_in_order_with_their_digest(
    tmp_path_factory: pytest.TempPathFactory, contents: list[bytes], block_bytes: int
) -> None:
    folder = tmp_path_factory.mktemp("parts")
    parts = [folder / str(number) for number in range(len(contents))]
    for part, content in zip(parts, contents, strict=True):
        part.write_bytes(content)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(verification, "BLOCK_BYTES", block_bytes)
        found = join(parts, folder / "whole")

    whole = b"".join(contents)
    assert (folder / "whole").read_bytes() == whole
    assert found == Digest(len(whole), hashlib.sha256(whole).hexdigest())
    assert not any(part.exists() for part in parts)
