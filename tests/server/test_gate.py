"""Who is let in: by real requests to the real server, and byte by byte."""

import http.client
import json
import logging
import ssl
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import anyio
import anyio.to_thread
import pytest
import structlog
import trustme
from hypothesis import given
from hypothesis import strategies as st
from structlog.testing import capture_logs
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from primavoce.access import ApiKey, digest_of
from primavoce.assets.locations import AssetLocations
from primavoce.client import SpeechSession
from primavoce.errors import InvalidSetting
from primavoce.server.exposure import check_exposure, check_tls
from primavoce.server.gate import (
    DENIAL,
    Gate,
    GatePolicy,
    is_loopback,
    may_speak,
    names_this_machine,
    take_key,
)
from primavoce.server.keys import KeyRing, add_key
from primavoce.server.run import configure_logging, is_news, listen, serve
from primavoce.settings import Settings
from primavoce.synthesis.engine import Engine
from primavoce.synthesis.phrases import PhraseCache, RememberingModel
from primavoce.testing.fake_engine import FakeG2P, FakeModel, FakeStyles, fake_engine

pytestmark = pytest.mark.anyio

ADA, GRACE = "pv_of-ada-0123456789", "pv_of-grace-0123456789"
KEYS = (ApiKey("ada", digest_of(ADA.encode())), ApiKey("grace", digest_of(GRACE.encode())))
BODY = {"text": "Good morning."}


def settings(**changes: object) -> Settings:
    return Settings(assets=AssetLocations(cache_dir=Path("/nonexistent")), **changes)  # type: ignore[arg-type]


async def ask(
    address: str,
    *,
    headers: dict[str, str] | None = None,
    path: str = "/invocations",
    method: str = "POST",
    context: ssl.SSLContext | None = None,
) -> tuple[int, dict[str, str], bytes]:
    """Return status, headers and body of the answer."""

    def call() -> tuple[int, dict[str, str], bytes]:
        place = urlsplit(address).netloc
        connection = (
            http.client.HTTPConnection(place, timeout=20)
            if context is None
            else http.client.HTTPSConnection(place, timeout=20, context=context)
        )
        connection.request(method, path, json.dumps(BODY) if method == "POST" else None, headers or {})
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, content

    return await anyio.to_thread.run_sync(call)


async def handshake(url: str, **headers: str) -> tuple[int, dict[str, Any]]:
    """Return the status of a handshake, and the body of a refusal."""
    try:
        async with connect(url, additional_headers=headers):
            return 101, {}
    except InvalidStatus as error:
        return error.response.status_code, json.loads(error.response.body or b"{}")


# --- keys


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer nobody's"}, {"Authorization": f"Basic {ADA}"}])
async def test_without_a_key_that_is_known_the_answer_is_401(serving, headers: dict[str, str]) -> None:
    async with serving(api_keys=KEYS) as server:
        status, told, body = await ask(server.address, headers=headers)

    assert (status, told["www-authenticate"]) == (401, "Bearer")
    assert json.loads(body) == {
        "error": "unauthorized",
        "message": "an API key is needed: Authorization: Bearer KEY",
        "request_id": None,
        "retryable": False,
    }


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "TOKEN", "Token"])
async def test_a_key_lets_in_by_either_scheme(serving, scheme: str) -> None:
    async with serving(api_keys=KEYS) as server:
        status, _, _ = await ask(server.address, headers={"authorization": f"{scheme} {ADA}"})
        opened, _ = await handshake(server.session_url, Authorization=f"{scheme}  {ADA}")

    assert (status, opened) == (200, 101)


@pytest.mark.parametrize("query", [f"token={ADA}", f"x=1&api_key={ADA}", f"%74oken={ADA.replace('-', '%2D')}"])
async def test_a_key_lets_in_by_the_query(serving, query: str) -> None:
    async with serving(api_keys=KEYS) as server:
        status, _, _ = await ask(server.address, path=f"/invocations?{query}")
        opened, _ = await handshake(f"{server.session_url}?{query}")

    assert (status, opened) == (200, 101)


@pytest.mark.parametrize("spelt", ["made+by/a+tool==", "made%2Bby%2Fa%2Btool%3D%3D"])
async def test_a_plus_in_a_key_of_the_query_is_a_plus(serving, spelt: str) -> None:
    async with serving(api_keys=(ApiKey("ada", digest_of(b"made+by/a+tool==")),)) as server:
        status, _, _ = await ask(server.address, path=f"/invocations?token={spelt}")
        opened, _ = await handshake(f"{server.session_url}?token={spelt}")

    assert (status, opened) == (200, 101)


@pytest.mark.parametrize("path", ["", "?token=", "?token=nobodys"])
async def test_a_socket_without_a_key_is_refused_before_it_is_opened(serving, path: str) -> None:
    async with serving(api_keys=KEYS) as server:
        status, body = await handshake(server.session_url + path)

    assert (status, body["error"]) == (401, "unauthorized")


async def test_where_a_server_cannot_answer_a_handshake_the_socket_is_closed_before_it_is_accepted() -> None:
    sent = await knock(GatePolicy(KeyRing(KEYS)), "websocket", extensions={})

    assert sent == [{"type": "websocket.close"}]


@pytest.mark.parametrize(
    ("path", "status"), [("/openapi.json", 401), ("/nowhere", 401), ("/ping/", 401), ("/ping", 200)]
)
async def test_every_route_asks_for_a_key_but_ping_and_the_pages(serving, path: str, status: int) -> None:
    async with serving(api_keys=KEYS) as server:
        found, _, _ = await ask(server.address, path=path, method="GET")

    assert found == status


async def test_without_keys_everybody_is_let_in_whatever_they_show(serving) -> None:
    async with serving() as server:
        status, _, _ = await ask(server.address, path="/invocations?token=x", headers={"Authorization": "Bearer x"})

    assert status == 200


async def test_a_key_that_is_taken_away_lets_nobody_in_any_more(serving, tmp_path: Path) -> None:
    path = tmp_path / "keys"
    key = add_key(path, "ada")
    ring = KeyRing((), path, clock=iter(range(100)).__next__)  # a second passes at each look
    policy = GatePolicy(ring)

    before = await knock(policy, headers=[(b"authorization", b"Bearer " + key.encode())])
    path.write_text("")
    after = await knock(policy, headers=[(b"authorization", b"Bearer " + key.encode())])

    assert (before, after[0]["status"]) == ([LET_IN], 401)


async def test_a_phrase_is_never_repeated_to_another_key(serving) -> None:
    cache = PhraseCache(10_000_000)
    engine = Engine(load_model=lambda: RememberingModel(FakeModel(), cache), load_g2p=FakeG2P, styles=FakeStyles())
    found: list[tuple[int, int]] = []
    async with serving(engine, api_keys=KEYS) as server:
        for key in (ADA, ADA, GRACE, GRACE):
            before = cache.hits, cache.misses
            async with SpeechSession(server.address, api_key=key) as session:
                async with session.utterance("Good morning.") as utterance:
                    assert b"".join([pcm async for pcm in utterance.audio()])
            found.append((cache.hits - before[0], cache.misses - before[1]))
        before = cache.hits, cache.misses
        await ask(server.address, headers={"Authorization": f"Bearer {ADA}"})
        found.append((cache.hits - before[0], cache.misses - before[1]))

    assert found == [(0, 1), (1, 0), (0, 1), (1, 0), (1, 0)]


async def test_a_key_in_the_query_reaches_no_log(serving, caplog: pytest.LogCaptureFixture) -> None:
    # At DEBUG, Uvicorn tells the headers of a handshake as they came; `configure_logging` never lets it.
    caplog.set_level(logging.INFO)
    with capture_logs() as ours:
        async with serving(api_keys=KEYS) as server:
            await handshake(f"{server.session_url}?x=1&token={ADA}")
            await handshake(f"{server.session_url}?token=wrong-{ADA}")
            await ask(server.address, path=f"/invocations?api_key={ADA}")
            await ask(server.address, path=f"/nowhere?api_key=wrong-{ADA}")
    theirs = [record.getMessage() for record in caplog.records if record.name.startswith(("uvicorn", "asyncio"))]

    assert any("x=1" in line for line in theirs)  # uvicorn does tell the query: what is left of it
    assert any(line["event"] == "refused" for line in ours)
    assert ADA not in str(theirs) + str(ours)


async def test_a_path_reaches_no_log_before_its_client_is_let_in() -> None:
    with capture_logs() as lines:
        sent = await knock(GatePolicy(KeyRing(KEYS)), path=f"/invocations&token={ADA}")

    assert sent[0]["status"] == 401
    assert lines == [{"event": "refused", "log_level": "info", "code": "unauthorized", "kind": "http"}]


def test_however_much_is_logged_the_headers_of_handshakes_are_not(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(logging, "basicConfig", lambda **_: None)  # it would take pytest's own place
    monkeypatch.setattr(structlog, "configure", lambda **_: None)
    monkeypatch.setattr(logging.getLogger("uvicorn.error"), "filters", [])
    for name in ("uvicorn", "uvicorn.error", "websockets"):
        caplog.set_level(logging.DEBUG, name)  # and back, when the test is over

    configure_logging("debug")

    assert not logging.getLogger("uvicorn.error").isEnabledFor(logging.INFO)
    assert not logging.getLogger("websockets.server").isEnabledFor(logging.INFO)


async def test_a_socket_that_is_refused_is_no_error_of_ours(
    serving, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(logging.getLogger("uvicorn.error"), "filters", [])
    async with serving(api_keys=KEYS) as server:
        await handshake(server.session_url)

    # Uvicorn believes so; when this fails, it has learnt better, and `is_news` can go.
    errors = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert len(errors) == 1
    assert not is_news(errors[0])


# --- web pages


def own(address: str) -> str:
    return address.replace("ws://", "http://").partition("/invocations")[0]


@pytest.mark.parametrize(
    ("origin", "allowed", "let_in"),
    [
        (None, (), True),
        (own, (), True),
        ("http://evil.example.com", (), False),
        ("http://127.0.0.1:1", (), False),
        ("null", (), False),
        ("http://good.example.com", ("http://good.example.com",), True),
        ("http://good.example.com", ("https://good.example.com",), False),
        ("http://good.example.com", ("http://good.example.com:8080",), False),
        ("http://evil.example.com", ("*",), True),
        ("null", ("*",), True),
    ],
)
async def test_a_web_page_may_speak_to_its_own_server_or_where_it_is_allowed(
    serving, origin: str | Callable[[str], str] | None, allowed: tuple[str, ...], let_in: bool
) -> None:
    async with serving(allowed_origins=allowed) as server:
        shown = origin(server.address) if callable(origin) else origin
        headers = {} if shown is None else {"Origin": shown}
        status, _, body = await ask(server.address, headers=headers)
        opened, refusal = await handshake(server.session_url, **headers)

    assert (status, opened) == ((200, 101) if let_in else (403, 403))
    if not let_in:
        assert json.loads(body)["error"] == refusal["error"] == "origin_refused"


@pytest.mark.parametrize(
    ("origin", "host", "let_in"),
    [
        (b"https://voice.example.com", b"voice.example.com", True),
        (b"https://voice.example.com", b"Voice.Example.com:443", True),
        (b"http://voice.example.com", b"voice.example.com:80", True),
        (b"http://voice.example.com:8080", b"voice.example.com:8080", True),
        (b"https://voice.example.com", b"voice.example.com:80", False),
        (b"https://voice.example.com:8443", b"voice.example.com", False),
        (b"https://voice.example.com", b"", False),
        (b"null", b"null", False),
        (b"", b"", False),
        (b"\xff://\xff", b"\xff", False),
        (b"http://[::1]:8080", b"[::1]:8080", True),
    ],
)
def test_a_page_is_a_servers_own_by_host_and_port(origin: bytes, host: bytes, let_in: bool) -> None:
    assert may_speak(origin, host, (), secure=False) is let_in


@pytest.mark.parametrize(
    ("scheme", "origin", "let_in"),
    [
        ("wss", b"https://voice.example.com", True),
        ("wss", b"http://voice.example.com", False),
        ("https", b"http://voice.example.com", False),
        ("ws", b"http://voice.example.com", True),
        ("ws", b"https://voice.example.com", True),  # TLS has ended before us
        ("wss", b"http://other.example.com", True),
    ],
)
async def test_a_page_that_came_without_tls_is_not_the_own_one_of_a_server_with_it(
    scheme: str, origin: bytes, let_in: bool
) -> None:
    kind = "websocket" if scheme.startswith("ws") else "http"
    policy = GatePolicy(KeyRing(), ("http://other.example.com",))

    sent = await knock(policy, kind, scheme=scheme, headers=[(b"host", b"voice.example.com"), (b"origin", origin)])

    assert (sent == [LET_IN]) is let_in
    assert let_in or sent[0]["status"] == 403


async def test_other_pages_read_no_answer_unless_they_are_allowed(serving) -> None:
    async with serving(allowed_origins=("http://good.example.com",)) as server:
        _, good, _ = await ask(server.address, headers={"Origin": "http://good.example.com"})
        _, evil, _ = await ask(server.address, headers={"Origin": "http://evil.example.com"})
    async with serving() as server:
        _, off, _ = await ask(server.address, headers={"Origin": own(server.address)})

    assert good["access-control-allow-origin"] == "http://good.example.com"
    assert "X-Audio-Duration" in good["access-control-expose-headers"]
    assert "access-control-allow-origin" not in {**evil, **off}


async def test_a_preflight_of_an_allowed_page_is_answered_without_a_key(serving) -> None:
    page = {"Origin": "http://good.example.com", "Access-Control-Request-Method": "POST"}
    wish = {**page, "Access-Control-Request-Headers": "authorization,content-type"}
    async with serving(api_keys=KEYS, allowed_origins=("http://good.example.com",)) as server:
        status, headers, _ = await ask(server.address, method="OPTIONS", headers=wish)
        refused, told, _ = await ask(server.address, headers=page)
        evil, _, _ = await ask(server.address, method="OPTIONS", headers={**wish, "Origin": "http://evil.example.com"})

    assert (status, headers["access-control-allow-origin"]) == (200, "http://good.example.com")
    assert (refused, told["access-control-allow-origin"]) == (401, "http://good.example.com")
    assert evil == 400


SENT_BY_OPENAIS_PACKAGE = (
    "authorization,content-type,x-stainless-arch,x-stainless-lang,x-stainless-os,x-stainless-package-version,"
    "x-stainless-retry-count,x-stainless-runtime,x-stainless-runtime-version"
)
"""What Chromium asks for of version 6.49.0, for ``audio.speech.create``."""
AND_MORE = "openai-organization,openai-project,user-agent,x-stainless-helper-method,x-stainless-timeout"
"""As it is set up, and in browsers whose scripts may say what they are."""


@pytest.mark.parametrize("wanted", [SENT_BY_OPENAIS_PACKAGE, AND_MORE])
async def test_openais_package_for_javascript_may_speak_from_an_allowed_page(serving, wanted: str) -> None:
    page = {"Origin": "http://good.example.com", "Access-Control-Request-Method": "POST"}
    async with serving(allowed_origins=("http://good.example.com",)) as server:
        asked = {"path": "/v1/audio/speech", "method": "OPTIONS"}
        status, headers, _ = await ask(
            server.address, **asked, headers={**page, "Access-Control-Request-Headers": wanted}
        )
        odd, _, _ = await ask(server.address, **asked, headers={**page, "Access-Control-Request-Headers": "x-odd"})

    assert (status, odd) == (200, 400)
    assert set(wanted.split(",")) <= set(headers["access-control-allow-headers"].lower().split(", "))


# --- names


@pytest.mark.parametrize(
    ("host", "allowed", "known"),
    [
        (b"localhost", (), True),
        (b"LOCALHOST:8080", (), True),
        (b"127.0.0.1:8080", (), True),
        (b"127.8.8.8", (), True),
        (b"[::1]", (), True),
        (b"[::1]:8080", (), True),
        (b"evil.example.com", (), False),
        (b"evil.example.com:8080", (), False),
        (b"localhost.evil.example.com", (), False),
        (b"evil@localhost", (), False),
        (b"localhost/evil", (), False),
        (b"10.0.0.1", (), False),
        (b"[::1", (), False),
        (b"", (), False),
        (b"\xff\xfe", (), False),
        (b"voice.example.com:8080", ("https://voice.example.com",), True),
        (b"evil.example.com", ("https://voice.example.com",), False),
    ],
)
def test_a_machines_own_names_are_those_of_loopback_and_of_allowed_pages(
    host: bytes, allowed: tuple[str, ...], known: bool
) -> None:
    assert names_this_machine(host, allowed) is known


@pytest.mark.parametrize(
    ("host", "loopback"),
    [
        ("127.0.0.1", True),
        ("127.0.0.2", True),
        ("::1", True),
        ("::ffff:127.0.0.1", True),
        ("localhost", True),
        ("0.0.0.0", False),
        ("::", False),
        ("10.0.0.1", False),
        ("fe80::1%eth0", False),
        ("voice.example.com", False),
        ("", False),
    ],
)
def test_loopback_is_what_only_this_machine_reaches(host: str, loopback: bool) -> None:
    assert is_loopback(host) is loopback


@pytest.mark.parametrize("origin", [{}, {"Origin": "http://evil.example.com"}])
async def test_a_name_that_was_made_to_mean_this_machine_is_refused_on_loopback(
    serving, origin: dict[str, str]
) -> None:
    headers = {"Host": "evil.example.com", **origin}
    async with serving() as server:
        status, _, body = await ask(server.address, headers=headers)
        socket = await knock(
            GatePolicy(KeyRing(), on_loopback=True), "websocket", headers=[(b"host", b"evil.example.com")]
        )

    assert (status, json.loads(body)["error"]) == (421, "host_refused")
    assert socket[0] == {"type": "websocket.http.response.start", "status": 421, "headers": socket[0]["headers"]}


async def test_with_keys_or_open_to_the_network_any_name_will_do(serving) -> None:
    async with serving(api_keys=KEYS) as server:
        status, _, _ = await ask(
            server.address, headers={"Host": "voice.example.com", "Authorization": f"Bearer {ADA}"}
        )
    network = await knock(GatePolicy(KeyRing()), headers=[(b"host", b"model.example.com")])

    assert (status, network) == (200, [LET_IN])


# --- odd bytes


LET_IN = {"type": "let in"}


async def knock(
    policy: GatePolicy,
    kind: str = "http",
    *,
    headers: Sequence[tuple[bytes, bytes]] = (),
    path: str = "/invocations",
    scheme: str = "http",
    query: bytes = b"",
    extensions: dict[str, object] | None = None,
) -> list[dict[str, Any]]:
    """Return what the gate sends to a request; `LET_IN` when it lets it through."""
    sent: list[dict[str, Any]] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        await anyio.sleep_forever()

    async def behind(scope: Any, receive: Any, send: Callable[[Any], Awaitable[None]]) -> None:
        await send(LET_IN)

    scope = {
        "type": kind,
        "path": path,
        "scheme": scheme,
        "method": "POST",
        "headers": list(headers),
        "query_string": query,
        "extensions": {DENIAL: {}} if extensions is None else extensions,
    }
    await Gate(behind, policy)(scope, receive, send)
    return sent


@given(
    names=st.lists(st.sampled_from([b"host", b"Origin", b"AUTHORIZATION", b"x"]), max_size=5),
    value=st.binary(max_size=60) | st.builds(lambda rest: b"Bearer " + rest, st.binary(max_size=20)),
    query=st.binary(max_size=60),
)
async def test_odd_bytes_are_refused_like_any_others(names: list[bytes], value: bytes, query: bytes) -> None:
    policy = GatePolicy(KeyRing(KEYS), ("https://voice.example.com",))

    sent = await knock(policy, headers=[(name, value) for name in names], query=query)

    assert sent[0]["status"] in (401, 403)


async def test_the_names_of_headers_may_be_written_in_any_case() -> None:
    sent = await knock(GatePolicy(KeyRing(KEYS)), headers=[(b"AUTHORIZATION", f"bEARER {ADA}".encode())])

    assert sent == [LET_IN]


@pytest.mark.parametrize(
    ("query", "key", "rest"),
    [
        (b"", None, b""),
        (b"x=1&y", None, b"x=1&y"),
        (b"token=a", b"a", b""),
        (b"x=1&token=a&y=2", b"a", b"x=1&y=2"),
        (b"token=a&api_key=b&TOKEN=c", b"a", b""),
        (b"token", b"", b""),
        (b"api%5Fkey=%70v", b"pv", b""),
        (b"token=%ff%zz x", b"\xff%zz x", b""),
        (b"token=a+b%2Bc", b"a+b+c", b""),
    ],
)
def test_the_query_gives_up_its_keys(query: bytes, key: bytes | None, rest: bytes) -> None:
    assert take_key(query) == (key, rest)


@given(st.binary(max_size=80))
def test_no_key_is_left_in_a_query(query: bytes) -> None:
    assert take_key(take_key(query)[1])[0] is None


# --- the address and TLS


@pytest.mark.parametrize(
    ("host", "changes", "refused"),
    [
        ("127.0.0.1", {}, False),
        ("::1", {}, False),
        ("0.0.0.0", {}, True),
        ("::", {}, True),
        ("10.0.0.1", {}, True),
        ("0.0.0.0", {"open": True}, False),
        ("0.0.0.0", {"api_keys": KEYS}, False),
        ("0.0.0.0", {"keys_file": Path("keys")}, False),
        ("0.0.0.0", {"allowed_origins": ("*",)}, True),
    ],
)
def test_a_public_address_needs_keys_or_a_word(host: str, changes: dict[str, object], refused: bool) -> None:
    if not refused:
        check_exposure(host, settings(**changes))
        return
    with pytest.raises(InvalidSetting, match="PRIMAVOCE_HOST: others reach .*--open"):
        check_exposure(host, settings(**changes))


async def test_a_server_without_keys_does_not_start_on_a_public_address() -> None:
    with listen("0.0.0.0", 0) as listener, anyio.fail_after(10):
        with pytest.raises(InvalidSetting, match="others reach"):
            await serve(fake_engine(), settings(), listener)


async def test_a_file_of_keys_that_is_broken_keeps_the_server_from_starting(tmp_path: Path) -> None:
    (tmp_path / "keys").write_text("nonsense")

    with listen("127.0.0.1", 0) as listener, anyio.fail_after(10):
        with pytest.raises(InvalidSetting, match="line 1"):
            await serve(fake_engine(), settings(keys_file=tmp_path / "keys"), listener)


@pytest.fixture(scope="module")
def tls(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a certificate for this machine, its key, and that of who has signed it."""
    folder, authority = tmp_path_factory.mktemp("tls"), trustme.CA()
    issued = authority.issue_cert("127.0.0.1", "localhost")
    for number, pem in enumerate(issued.cert_chain_pems):
        pem.write_to_path(folder / "certificate", append=number > 0)
    issued.private_key_pem.write_to_path(folder / "key")
    authority.cert_pem.write_to_path(folder / "authority")
    return folder


async def test_a_server_with_a_certificate_speaks_tls(serving, tls: Path) -> None:
    context = ssl.create_default_context(cafile=tls / "authority")
    async with serving(tls_certificate=tls / "certificate", tls_key=tls / "key", api_keys=KEYS) as server:
        status, _, _ = await ask(server.address, headers={"Authorization": f"Bearer {ADA}"}, context=context)
        async with SpeechSession(server.address, api_key=ADA, ssl_context=context) as session:
            async with session.utterance("Good morning.") as utterance:
                audio = b"".join([pcm async for pcm in utterance.audio()])

    assert server.address.startswith("https://")
    assert status == 200
    assert audio


@pytest.mark.parametrize(
    ("certificate", "key", "reason"),
    [
        ("certificate", None, "PRIMAVOCE_TLS_KEY: TLS needs"),
        (None, "key", "PRIMAVOCE_TLS_CERTIFICATE: TLS needs"),
        ("none", "key", "PRIMAVOCE_TLS_CERTIFICATE: can't read"),
        ("certificate", "none", "PRIMAVOCE_TLS_KEY: can't read"),
        ("certificate", "certificate", "no certificate and its key"),
        ("key", "key", "no certificate and its key"),
    ],
)
def test_a_certificate_that_cannot_be_used_is_refused(
    tls: Path, certificate: str | None, key: str | None, reason: str
) -> None:
    given = {"tls_certificate": certificate, "tls_key": key}

    with pytest.raises(InvalidSetting, match=reason):
        check_tls(settings(**{name: None if file is None else tls / file for name, file in given.items()}))


def test_a_certificate_and_its_key_are_taken(tls: Path) -> None:
    check_tls(settings(tls_certificate=tls / "certificate", tls_key=tls / "key"))
