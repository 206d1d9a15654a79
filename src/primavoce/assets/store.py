"""The store: a verified file for a name, from the nearest place that has it."""

import difflib
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Literal, NoReturn

from primavoce.assets.cache import Cache
from primavoce.assets.hub import HubSource
from primavoce.assets.locations import AssetLocations
from primavoce.assets.manifest import AssetFile, Manifest, read_manifest
from primavoce.assets.packages import PackageSource
from primavoce.assets.progress import Progress, Report
from primavoce.assets.sources import DISK_FULL, ClientDiskFull, Source, SourceFailed
from primavoce.assets.verification import Digest, hash_file
from primavoce.errors import AssetMissing, DigestMismatch, FetchFailed, NoSpace, UnknownVoice

__all__ = ["AssetStatus", "AssetStore", "Progress", "State"]

State = Literal["verified", "wrong digest", "missing"]


@dataclass(frozen=True, slots=True)
class AssetStatus:
    """Where an asset is and whether it is what it should be."""

    name: str
    place: Path | None
    """The file; `None` when it is missing."""
    size_bytes: int
    """The file's, or the manifest's when it is missing."""
    sha256: str
    """Of what the file holds, hashed just now; the manifest's when it is missing."""
    state: State
    source: str
    """Where it is: ``local`` or ``cache``; when it is missing, the sources that have it."""


@dataclass(frozen=True, slots=True)
class Wish:
    """Files that are fetched in one go."""

    label: str
    """What messages call them."""
    files: tuple[AssetFile, ...]
    any_of: bool = False
    """True if one of the files is enough."""

    @property
    def size_bytes(self) -> int:
        """Bytes that will be in the cache in the end, about."""
        return _total(self.files[:1] if self.any_of else self.files)


class AssetStore:
    """Verified paths of weights, voices and a language model.

    Blocking; threads and processes may use stores on one cache at the same time.

    Args:
        locations: Where to look, and from where to fetch.
        progress: Takes what a fetch has to say, in the thread that fetches.
        manifest: What there is; primavoce's own, unless given.
        sources: Where to fetch from, in order; what ``locations`` names, unless given.
        free_bytes: Says how much room there is where a folder is.
    """

    def __init__(
        self,
        locations: AssetLocations,
        *,
        progress: Report | None = None,
        manifest: Manifest | None = None,
        sources: Sequence[Source] | None = None,
        free_bytes: Callable[[Path], int] | None = None,
    ) -> None:
        self._locations = locations
        self._report: Report = progress or (lambda _: None)
        self._manifest = manifest or read_manifest()
        self._cache = Cache(locations.cache_dir)
        self._sources = tuple(_sources(locations, self._manifest) if sources is None else sources)
        self._free_bytes = free_bytes or (lambda folder: shutil.disk_usage(folder).free)

    def weights(self) -> Path:
        """Return the path of a weights file, fetched if it is nowhere.

        Raises:
            AssetMissing: it is nowhere, and nothing may be fetched.
            DigestMismatch: a file in the local folder is not what it should be.
            FetchFailed: no source could deliver.
            NoSpace: the disk is full.
        """
        return self._have(Wish("the weights", self._manifest.weights, any_of=True), self._manifest.weights)

    def weights_with_digest(self) -> tuple[Path, str]:
        """Return the path of a weights file as `weights` does, and its SHA-256.

        Raises:
            AssetError: as `weights`.
        """
        place = self.weights()
        # It was verified just now, and no two exports are equally long: its size tells which one it is.
        size = place.stat().st_size
        return place, next(asset.sha256 for asset in self._manifest.weights if asset.size_bytes == size)

    def voice(self, name: str) -> Path:
        """Return the path of the voice pack ``name``; if it is nowhere, every missing voice is fetched.

        Raises:
            UnknownVoice: there is no such voice.
            AssetMissing: it is nowhere, and nothing may be fetched.
            DigestMismatch: a file in the local folder is not what it should be.
            FetchFailed: no source could deliver.
            NoSpace: the disk is full.
        """
        voice = self._manifest.find(name, "voice")
        if voice is None:
            known = [each.name for each in self._manifest.voices]
            raise UnknownVoice(name[:80], difflib.get_close_matches(name[:80], known))
        return self._have(self._voices_wish(), (voice,))

    def language_model(self) -> Path:
        """Return the path of the small language model that an agent may write with, fetched if it is nowhere.

        Raises:
            AssetMissing: it is nowhere, and nothing may be fetched.
            DigestMismatch: a file in the local folder is not what it should be.
            FetchFailed: no source could deliver.
            NoSpace: the disk is full.
        """
        models = self._manifest.language_models
        return self._have(Wish("the language model", models, any_of=True), models)

    def fetch(self, names: Sequence[str] | None = None) -> None:
        """Fetch what is missing: one weights file and every voice, or the assets called ``names``.

        Raises:
            AssetMissing: something is missing, and nothing may be fetched.
            DigestMismatch: a file in the local folder, or the only source's, is not what it should be.
            FetchFailed: no source could deliver, or a name is unknown.
            NoSpace: the disk is full.
        """
        if names is None:
            wishes = [Wish("the weights", self._manifest.weights, any_of=True), self._voices_wish()]
        else:
            wishes = [Wish(asset.name, (asset,)) for asset in map(self._named, dict.fromkeys(names))]
        for wish in wishes:
            with self._disk_trouble(wish.label, wish.size_bytes):
                if missing := self._missing(wish):
                    self._fetch(wish, missing)

    def status(self) -> list[AssetStatus]:
        """Return the state of every asset, hashing each file anew.

        Of the weights, files that aren't here are left out where another one is verified.

        Raises:
            FetchFailed: a file is here but can't be read.
        """
        with self._disk_trouble("an asset", 0):
            weights = [self._status(asset) for asset in self._manifest.weights]
            present = [each for each in weights if each.state != "missing"]
            if not any(each.state == "verified" for each in present):
                obtainable = (each for each in weights if each.state == "missing" and each.source)
                present += [next(obtainable, weights[0])] if weights else []
            others = (*self._manifest.voices, *self._manifest.language_models)
            return present + [self._status(asset) for asset in others]

    def _named(self, name: str) -> AssetFile:
        asset = self._manifest.find(name)
        if asset is None:
            near = difflib.get_close_matches(name, [file.name for file in self._manifest.files])
            hint = f"did you mean {' or '.join(near)}?" if near else "`primavoce assets` lists them"
            raise FetchFailed(name[:80], (("manifest", f"there is no asset of this name; {hint}"),))
        return asset

    def _voices_wish(self) -> Wish:
        return Wish(f"{len(self._manifest.voices)} voices", self._manifest.voices)

    def _have(self, wish: Wish, wanted: Sequence[AssetFile]) -> Path:
        """Return the first of ``wanted`` that is here, once ``wish`` is fetched if none is."""
        with self._disk_trouble(wish.label, wish.size_bytes):
            if (place := self._first(wanted)) is None:
                self._fetch(wish, wanted)
                place = self._first(wanted)
        if place is None:
            raise self._absent(wanted[0])  # removed by someone in this very moment
        return place

    def _first(self, assets: Sequence[AssetFile]) -> Path | None:
        return next((place for asset in assets if (place := self._verified(asset)) is not None), None)

    def _verified(self, asset: AssetFile) -> Path | None:
        """Return where ``asset`` is and verified; `None` if it is nowhere, or only wrong in the cache.

        Raises:
            DigestMismatch: the local folder's is wrong; or the cache's is, and can't be fetched again.
        """
        for place in self._local_places(asset):
            found = self._cache.verifier.digest(asset, place)
            if found is not None:
                self._check(asset, found, f"the local folder {self._locations.local_dir}")
                return place
        place = self._cache.path_of(asset)
        found = self._cache.verifier.digest(asset, place)
        if found is not None and not found.matches(asset) and self._locations.offline:
            self._check(asset, found, f"the cache {self._cache.folder}")
        return place if found is not None and found.matches(asset) else None

    def _local_places(self, asset: AssetFile) -> list[Path]:
        local = self._locations.local_dir
        if local is None:
            return []
        inner = [asset.path, asset.hub_file, PurePosixPath(asset.path).name]
        return [local / path for path in dict.fromkeys(inner) if path is not None]

    def _check(self, asset: AssetFile, found: Digest, source: str) -> None:
        if not found.matches(asset):
            raise DigestMismatch(asset.name, expected=asset.sha256, found=found.sha256, source=source)

    def _missing(self, wish: Wish) -> list[AssetFile]:
        missing = [asset for asset in wish.files if self._verified(asset) is None]
        return [] if wish.any_of and len(missing) < len(wish.files) else missing

    def _fetch(self, wish: Wish, missing: Sequence[AssetFile]) -> None:
        """Fetch what ``wish`` lacks, alone among all fetches into this cache."""
        if self._locations.offline or not self._sources:
            raise self._absent(missing[0])
        waiting = Progress(wish.label, 0, wish.size_bytes, "another fetch is going on; waiting for it")
        with self._cache.exclusive(lambda: self._report(waiting)):
            missing = self._missing(wish)  # what was waited for may have brought it
            for asset in missing:
                self._discard_wrong(asset)
            attempts: list[tuple[str, str]] = []
            wrong: list[DigestMismatch] = []
            for source in self._sources:
                if not missing:
                    return
                try:
                    self._fetch_from(source, wish, missing)
                except (SourceFailed, DigestMismatch) as error:
                    attempts.append((source.name, error.reason if isinstance(error, SourceFailed) else str(error)))
                    wrong += [error] if isinstance(error, DigestMismatch) else []
                    self._report(Progress(wish.label, 0, wish.size_bytes, f"{source.name}: {attempts[-1][1]}"))
                missing = self._missing(wish)
            if missing:
                _give_up(wish, attempts, wrong)

    def _absent(self, asset: AssetFile) -> AssetMissing:
        command = "primavoce assets fetch"
        if asset.kind == "language model":  # which is fetched by name alone
            command += f" {asset.name}"
        return AssetMissing(asset.name, str(self._cache.folder), command)

    def _discard_wrong(self, asset: AssetFile) -> None:
        """Remove a cached file that is not what it should be."""
        place = self._cache.path_of(asset)
        if place.exists():
            self._report(
                Progress(asset.name, 0, asset.size_bytes, "the cached file has a wrong digest; it is replaced")
            )
            place.unlink()

    def _fetch_from(self, source: Source, wish: Wish, missing: Sequence[AssetFile]) -> None:
        offered = [asset for asset in missing if source.offers(asset)]
        wanted = offered[:1] if wish.any_of else offered
        if not wanted:
            raise SourceFailed("has no such file; use another source")
        total, done = _total(wanted), 0
        self._need_room(total * source.copies)
        self._report(Progress(wish.label, done, total, f"fetching from {source.name}"))
        with self._cache.workspace() as workspace, self._disk_trouble(wish.label, total * source.copies):
            for delivery in source.deliver(wanted, workspace):
                self._cache.install(delivery.asset, delivery.parts, source=source.name)
                done += delivery.asset.size_bytes
                self._report(Progress(wish.label, done, total, f"{delivery.asset.name} verified"))

    def _need_room(self, needed_bytes: int) -> None:
        if self._free_bytes(self._cache.folder) < needed_bytes:
            raise NoSpace(str(self._cache.folder), needed_bytes)

    @contextmanager
    def _disk_trouble(self, label: str, needed_bytes: int) -> Iterator[None]:
        """Make asset errors of the system's own."""
        try:
            yield
        except OSError as error:
            folder = str(self._cache.folder)
            if error.errno in DISK_FULL:
                elsewhere = (
                    f", or where {error.client} keeps its own files" if isinstance(error, ClientDiskFull) else ""
                )
                raise NoSpace(f"{folder}{elsewhere}", needed_bytes) from error
            what = error.filename or folder
            advice = f"{what} can't be used ({error.strerror}); correct that, or set PRIMAVOCE_CACHE to another folder"
            raise FetchFailed(label, (("cache", advice),)) from error

    def _status(self, asset: AssetFile) -> AssetStatus:
        for source, place in [
            *(("local", place) for place in self._local_places(asset)),
            ("cache", self._cache.path_of(asset)),
        ]:
            if place.is_file():
                with place.open("rb") as file:
                    found = hash_file(file)
                state: State = "verified" if found.matches(asset) else "wrong digest"
                return AssetStatus(asset.name, place, found.size_bytes, found.sha256, state, source)
        have = ", ".join(source.name for source in self._sources if source.offers(asset))
        return AssetStatus(asset.name, None, asset.size_bytes, asset.sha256, "missing", have)


def _sources(locations: AssetLocations, manifest: Manifest) -> Iterator[Source]:
    for name in locations.sources:
        if name == "packages":
            yield PackageSource(manifest)
        else:
            yield HubSource(manifest.hub, endpoint=locations.hub_endpoint)


def _total(assets: Sequence[AssetFile]) -> int:
    return sum(asset.size_bytes for asset in assets)


def _give_up(wish: Wish, attempts: Sequence[tuple[str, str]], wrong: Sequence[DigestMismatch]) -> NoReturn:
    """Raise what says most: a wrong file if that is all there was, else every attempt."""
    if wrong and len(wrong) == len(attempts):
        raise wrong[-1]
    raise FetchFailed(wish.label, attempts)
