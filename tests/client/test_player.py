"""Loudspeakers, by a stand-in for sounddevice that keeps to its documentation: no machine of the tests has any."""

import sys
from types import ModuleType
from typing import Any

import anyio.to_thread
import pytest
from typer.testing import CliRunner

from primavoce.cli.commands import app
from primavoce.client.player import Player
from primavoce.errors import ExtraMissing, InvalidSetting


class Device:
    """A device that plays, and what it was asked for."""

    def __init__(self) -> None:
        self.asked: list[Any] = []

    def stream(self, **settings: object) -> "Device":
        self.asked.append(settings)
        return self

    def write(self, pcm: bytes) -> None:
        self.asked.append(pcm)

    def __getattr__(self, name: str) -> Any:
        return lambda: self.asked.append(name)


class PortAudioError(Exception):
    """What sounddevice raises."""


@pytest.fixture
def device(monkeypatch: pytest.MonkeyPatch) -> Device:
    found = Device()
    module = ModuleType("sounddevice")
    module.RawOutputStream = found.stream  # type: ignore[attr-defined]
    module.PortAudioError = PortAudioError  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "sounddevice", module)
    return found


@pytest.fixture
def no_device(monkeypatch: pytest.MonkeyPatch, device: Device) -> None:
    def stream(**_: object) -> None:
        raise PortAudioError("Error querying device -1")

    monkeypatch.setattr(sys.modules["sounddevice"], "RawOutputStream", stream)


@pytest.mark.anyio
async def test_what_is_played_is_played_to_its_end(device: Device) -> None:
    async with Player(24_000) as player:
        await player.play(b"one")
        await player.play(b"two")

    assert device.asked == [
        {"samplerate": 24_000, "channels": 1, "dtype": "int16"},
        *["start", b"one", b"two", "stop", "close"],
    ]


@pytest.mark.anyio
async def test_where_the_block_fails_the_rest_is_not_waited_for(device: Device) -> None:
    with pytest.raises(ZeroDivisionError):
        async with Player(24_000) as player:
            await player.play(b"one")
            raise ZeroDivisionError

    assert device.asked[-2:] == ["abort", "close"]


def test_without_the_package_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sounddevice", None)

    with pytest.raises(ExtraMissing, match=r"primavoce\[play\]"):
        Player(24_000)


@pytest.mark.usefixtures("no_device")
def test_a_machine_without_loudspeakers_says_so() -> None:
    with pytest.raises(InvalidSetting, match=r"no loudspeakers that can be used \(Error querying device -1\)"):
        Player(24_000)


@pytest.mark.parametrize("missing", ["package", "device"])
def test_say_looks_for_loudspeakers_before_it_has_anything_to_play(
    monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest, missing: str
) -> None:
    def mouth(*_: object, **__: object) -> None:
        raise AssertionError("a model is loaded")

    if missing == "package":
        monkeypatch.setitem(sys.modules, "sounddevice", None)
    else:
        request.getfixturevalue("no_device")
    monkeypatch.setattr("primavoce.scripting.open_mouth", mouth)

    done = CliRunner().invoke(app, ["say", "Good morning.", "--play"])

    assert done.exit_code == 1
    assert {"package": "primavoce[play]", "device": "no loudspeakers"}[missing] in done.stderr


@pytest.mark.anyio
async def test_say_plays_what_it_says(device: Device, serving) -> None:
    async with serving() as server:
        arguments = ["say", "Good morning.", "--play", "--url", server.address]
        done = await anyio.to_thread.run_sync(CliRunner().invoke, app, arguments)

    assert done.exit_code == 0, done.stderr
    assert sum(len(each) for each in device.asked if isinstance(each, bytes)) > 24_000  # half a second
    assert device.asked[-2:] == ["stop", "close"]
