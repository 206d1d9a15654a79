import logging
import socket
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from primavoce.assets.hub import TRIES, HubSource
from primavoce.assets.manifest import Manifest
from primavoce.assets.sources import SourceFailed

if TYPE_CHECKING:
    from tests.assets.conftest import Hub

type Deliver = Callable[..., dict[str, bytes]]


@pytest.fixture(autouse=True)
def quick_and_online(monkeypatch: pytest.MonkeyPatch) -> None:
    """The library takes a breath of a second before each retry, and can be told to stay offline."""
    monkeypatch.setattr("huggingface_hub.file_download.time.sleep", lambda seconds: None)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)


@pytest.fixture
def deliver(manifest: Manifest, hub: "Hub", tmp_path: Path) -> Deliver:
    """Return what fetches assets by name and gives what came."""

    def fetch(*names: str, endpoint: str = hub.address) -> dict[str, bytes]:
        assets = [file for file in manifest.files if file.name in names]
        source = HubSource(manifest.hub, endpoint=endpoint)
        (tmp_path / "workspace").mkdir(exist_ok=True)
        return {
            delivery.asset.name: delivery.parts[0].read_bytes()
            for delivery in source.deliver(assets, tmp_path / "workspace")
        }

    return fetch


def test_files_come_from_the_pinned_revision(deliver: Deliver, hub: "Hub", contents: dict[str, bytes]) -> None:
    came = deliver("from-hub.onnx", "ax_one")

    pinned = "/someone/small-model/resolve/0123456789abcdef0123456789abcdef01234567"
    assert came == {name: contents[name] for name in ("from-hub.onnx", "ax_one")}
    assert {request.split()[1] for request in hub.requests} == {
        f"{pinned}/onnx/from-hub.onnx",
        f"{pinned}/voices/ax_one.bin",
    }


def test_the_hub_offers_what_the_manifest_has_paths_of(manifest: Manifest) -> None:
    source = HubSource(manifest.hub)

    assert [file.name for file in manifest.files if source.offers(file)] == [
        "from-hub.onnx",
        "ax_one",
        "ax_two",
        "bx_three",
    ]


def test_one_lost_answer_does_not_undo_a_fetch(deliver: Deliver, hub: "Hub", contents: dict[str, bytes]) -> None:
    hub.failures = 1

    assert deliver("ax_one") == {"ax_one": contents["ax_one"]}


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        (401, "^the hub refused voices/ax_one.bin"),
        (403, "^the hub refused voices/ax_one.bin"),
        (404, "^the hub has no voices/ax_one.bin at the pinned revision"),
        (500, "^the hub answered with status 500; try again later$"),
        (503, "^the hub answered with status 503; try again later$"),
    ],
)
def test_what_the_hub_refuses_is_told_by_its_status(deliver: Deliver, hub: "Hub", status: int, reason: str) -> None:
    hub.status = status

    with pytest.raises(SourceFailed, match=reason):
        deliver("ax_one")


def test_a_hub_that_is_down_is_not_asked_again_and_again(deliver: Deliver, hub: "Hub") -> None:
    hub.status = 503

    with pytest.raises(SourceFailed):
        deliver("ax_one")

    assert len(hub.requests) == TRIES


def test_a_file_that_is_not_there_is_asked_for_once(deliver: Deliver, hub: "Hub") -> None:
    del hub.files["voices/ax_one.bin"]

    with pytest.raises(SourceFailed, match="^the hub has no"):
        deliver("ax_one")

    assert len(hub.requests) == 1


def test_a_hub_that_cannot_be_reached_is_told_without_its_address(deliver: Deliver) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{unused.getsockname()[1]}"

        with pytest.raises(SourceFailed, match="^the hub can't be reached, or broke off; check the network") as caught:
            deliver("ax_one", endpoint=address)

    assert "127.0.0.1" not in caught.value.reason


def test_a_download_that_breaks_off_delivers_nothing(deliver: Deliver, hub: "Hub", tmp_path: Path) -> None:
    hub.breaks_off = True

    with pytest.raises(SourceFailed):
        deliver("ax_one")

    assert not list((tmp_path / "workspace").rglob("*.bin"))


def test_a_server_that_is_no_hub_is_told_as_such(deliver: Deliver, hub: "Hub") -> None:
    hub.is_hub = False

    with pytest.raises(SourceFailed, match="^what answered is no hub; check the mirror's address"):
        deliver("ax_one")


def test_a_library_set_to_work_offline_is_told_as_such(deliver: Deliver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)

    with pytest.raises(SourceFailed, match="unset HF_HUB_OFFLINE"):
        deliver("ax_one")


def test_without_the_library_the_reason_says_what_to_install(deliver: Deliver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "huggingface_hub", None)

    with pytest.raises(SourceFailed, match=r"^huggingface_hub is not installed: pip install 'primavoce\[engine\]'$"):
        deliver("ax_one")


def test_the_library_is_quiet_for_that_time_only(
    deliver: Deliver, hub: "Hub", capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from huggingface_hub.utils.tqdm import are_progress_bars_disabled

    log = logging.getLogger("huggingface_hub")
    before = (are_progress_bars_disabled(), log.level)
    said: list[str] = []
    listener = logging.Handler()
    monkeypatch.setattr(listener, "emit", lambda record: said.append(record.getMessage()))
    monkeypatch.setenv("TQDM_POSITION", "-1")  # the library's way to have bars where there is no terminal
    hub.breaks_off = True

    log.addHandler(listener)
    try:
        with pytest.raises(SourceFailed):
            deliver("ax_one")
    finally:
        log.removeHandler(listener)

    assert (said, capfd.readouterr()) == ([], ("", ""))
    assert (are_progress_bars_disabled(), log.level) == before
