"""Clients that show a key, and what they are told when they are refused."""

import anyio.to_thread
import msgspec
import pytest
from typer.testing import CliRunner
from websockets.datastructures import Headers
from websockets.exceptions import InvalidStatus
from websockets.http11 import Response

from primavoce.access import ApiKey, digest_of
from primavoce.cli.commands import app
from primavoce.client import SpeechSession
from primavoce.client.handshake import connect_error, credentials, shown_url
from primavoce.client.verify import Check, Verification
from primavoce.errors import ConnectFailed, InvalidSetting, KeyRefused, RequestFailed, SessionError

pytestmark = pytest.mark.anyio

KEY = "pv_of-ada-0123456789"
KEYS = (ApiKey("ada", digest_of(KEY.encode())),)


def rejection(status: int, body: bytes = b"") -> InvalidStatus:
    return InvalidStatus(Response(status, "", Headers(), body))


async def verify(url: str, api_key: str | None) -> list[Check]:
    return [check async for check in Verification(url, timeout_s=10, api_key=api_key).run()]


async def test_a_session_with_a_key_speaks(serving) -> None:
    async with serving(api_keys=KEYS) as server, SpeechSession(server.address, api_key=KEY) as session:
        async with session.utterance("Good morning.") as utterance:
            assert b"".join([pcm async for pcm in utterance.audio()])


@pytest.mark.parametrize(("key", "told"), [(None, "asks for an API key"), ("pv_nobodys", "doesn't know this API key")])
async def test_a_session_without_the_right_key_is_told_so(serving, key: str | None, told: str) -> None:
    async with serving(api_keys=KEYS) as server:
        with pytest.raises(KeyRefused, match=told) as refused:
            async with SpeechSession(f"{server.session_url}?x=secret", api_key=key):
                pass

    assert isinstance(refused.value, SessionError)
    assert not refused.value.retryable
    assert "secret" not in str(refused.value)
    assert "pv_nobodys" not in str(refused.value)


async def test_a_page_that_is_refused_is_told_by_the_servers_own_code(serving) -> None:
    async with serving() as server:
        with pytest.raises(RequestFailed, match="origin_refused"):
            async with SpeechSession(server.address, headers={"Origin": "http://evil.example.com"}):
                pass


async def test_the_whole_cycle_check_shows_its_key(serving) -> None:
    async with serving(api_keys=KEYS) as server:
        checks = await verify(server.address, KEY)
        refused = await verify(server.address, None)

    assert all(check.passed for check in checks)
    assert [(check.name, check.passed) for check in refused] == [("connects", False)]
    assert "asks for an API key" in refused[0].detail


@pytest.mark.parametrize("how", ["option", "variable"])
async def test_the_command_verify_takes_a_key(serving, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    monkeypatch.delenv("PRIMAVOCE_API_KEY", raising=False)
    asked = ["--api-key", KEY] if how == "option" else []
    async with serving(api_keys=KEYS) as server:
        command = ["verify", "--url", f"{server.address}?x=secret", "--json"]
        refused = await anyio.to_thread.run_sync(lambda: CliRunner().invoke(app, command))
        if how == "variable":
            monkeypatch.setenv("PRIMAVOCE_API_KEY", KEY)
        done = await anyio.to_thread.run_sync(lambda: CliRunner().invoke(app, [*command, *asked]))

    assert (refused.exit_code, done.exit_code) == (1, 0)
    told = next(line for line in done.stdout.splitlines() if line.startswith("{"))  # the server's log is there, too
    assert msgspec.json.decode(told)["passed"]
    assert "secret" not in done.stdout + refused.stdout


@pytest.mark.parametrize("how", ["option", "variable"])
async def test_the_command_say_takes_a_key(serving, monkeypatch: pytest.MonkeyPatch, tmp_path, how: str) -> None:
    monkeypatch.delenv("PRIMAVOCE_API_KEY", raising=False)
    asked = ["--api-key", KEY] if how == "option" else []
    out = tmp_path / "said.wav"
    async with serving(api_keys=KEYS) as server:
        command = ["say", "Good morning.", "--url", server.address, "--out", str(out)]
        refused = await anyio.to_thread.run_sync(lambda: CliRunner().invoke(app, command))
        if how == "variable":
            monkeypatch.setenv("PRIMAVOCE_API_KEY", KEY)
        done = await anyio.to_thread.run_sync(lambda: CliRunner().invoke(app, [*command, *asked]))

    assert refused.exit_code == 1
    assert "asks for an API key" in refused.stderr
    assert done.exit_code == 0
    assert out.stat().st_size > 24_000


def test_a_key_goes_into_the_header_beside_others() -> None:
    assert credentials("k", {"X": "1"}) == {"X": "1", "Authorization": "Bearer k"}
    assert credentials(None) == {}


@pytest.mark.parametrize("key", ["", "two words", "line\r\nX: 1", "ключ"])
def test_a_key_that_no_header_can_hold_is_refused_without_being_told(key: str) -> None:
    with pytest.raises(InvalidSetting, match="api_key: a key is") as refused:
        credentials(key)

    assert not key or key not in str(refused.value)


@pytest.mark.parametrize(
    ("error", "kind", "told"),
    [
        (rejection(401), KeyRefused, "asks for an API key"),
        (rejection(421, b'{"error": "host_refused", "message": "no"}'), RequestFailed, r"no \(host_refused\)"),
        (rejection(403), ConnectFailed, "HTTP 403"),
        (rejection(403, b"<html>"), ConnectFailed, "HTTP 403"),
        (rejection(403, b'"refused"'), ConnectFailed, "HTTP 403"),
        (rejection(502, b"\xff"), ConnectFailed, "HTTP 502"),
        (TimeoutError(), ConnectFailed, "TimeoutError"),
    ],
)
def test_each_refusal_has_an_error_of_its_own(error: Exception, kind: type[SessionError], told: str) -> None:
    found = connect_error("ws://h/?token=k", error, api_key=None)

    assert type(found) is kind
    with pytest.raises(kind, match=told):
        raise found


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("ws://h:1/p?token=k#f", "ws://h:1/p"),
        ("wss://ada:secret@h/p", "wss://h/p"),
        ("ws://[::bad?token=k", "ws://[::bad"),
    ],
)
def test_an_address_is_shown_without_what_may_be_secret(url: str, shown: str) -> None:
    assert shown_url(url) == shown
