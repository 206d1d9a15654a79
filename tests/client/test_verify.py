"""The whole-cycle check, against a sound server and against broken ones."""

import contextlib
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import anyio.abc
import pytest
import trustme
from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from primavoce.client.verification.conversation import CheckFailed, Conversation, Spoken
from primavoce.client.verification.readiness import SILENT, is_ready, ping_headers, ping_urls
from primavoce.client.verify import Check, Verification
from primavoce.testing.broken_servers import Faults, broken_server

pytestmark = pytest.mark.anyio

NAMES = [
    "connects",
    "is ready",
    "takes a binary frame",
    "sends audio",
    "completes",
    "lasts as long as its text",
    "is not silent",
    "speaks a second sentence",
    "keeps utterances apart",
    "ends an utterance",
    "speaks at a flush",
    "cancels",
    "answers a ping",
    "queues requests",
    "bounds its queue",
    "survives a bad message",
    "knows no strange id",
    "refuses what is too long",
    "closes when asked",
]
DOCS = Path(__file__).parents[2] / "docs"


async def verify(url: str, *, timeout_s: float = 10.0, ssl_context: ssl.SSLContext | None = None) -> list[Check]:
    return [check async for check in Verification(url, timeout_s=timeout_s, ssl_context=ssl_context).run()]


def details(checks: list[Check]) -> dict[str, str]:
    """What each check told; all have passed."""
    assert [check for check in checks if not check.passed] == []
    assert [check.name for check in checks] == NAMES
    return {check.name: check.detail for check in checks}


async def test_our_server_passes_every_check_and_says_what_it_runs_on(serving) -> None:
    async with serving() as server:
        told = details(await verify(server.address))

    assert told["is ready"] == "cpu, by none"
    assert told["bounds its queue"] == "32 requests waited, and one more was refused"
    assert told["refuses what is too long"].startswith("error text_too_long")


async def test_higher_limits_than_are_tried_are_no_failure(serving) -> None:
    async with serving(max_queued_requests=500, max_text_characters=1_000_000) as server:
        told = details(await verify(server.address))

    assert told["bounds its queue"] == "took 200"
    assert told["refuses what is too long"].startswith("took 200,001 characters")


async def test_a_message_that_is_too_large_is_as_good_as_a_text(serving) -> None:
    async with serving(max_message_bytes=150_000) as server:
        told = details(await verify(server.address))

    assert told["refuses what is too long"].startswith("error message_too_large")


async def test_a_bound_that_is_met_early_is_no_failure(serving) -> None:
    async with serving(max_queued_requests=2) as server:
        told = details(await verify(server.address))

    assert told["queues requests"] == "2 requests waited, and were spoken in order; 3 more were refused"
    assert told["bounds its queue"] == "2 requests waited, and one more was refused"


async def test_a_server_of_short_texts_is_cancelled_in_one_whose_text_is_open(serving) -> None:
    async with serving(max_text_characters=250) as server:
        told = details(await verify(server.address))

    assert told["cancels"].endswith("and none came after it")
    assert told["refuses what is too long"].startswith("error text_too_long")


async def test_a_server_with_a_certificate_is_asked_by_it_whether_it_is_ready(serving, tmp_path: Path) -> None:
    authority = trustme.CA()
    issued = authority.issue_cert("127.0.0.1")
    issued.cert_chain_pems[0].write_to_path(tmp_path / "certificate")
    issued.private_key_pem.write_to_path(tmp_path / "key")
    context = ssl.create_default_context()
    authority.configure_trust(context)

    async with serving(tls_certificate=tmp_path / "certificate", tls_key=tmp_path / "key") as server:
        told = details(await verify(server.address, ssl_context=context))

    assert told["connects"].startswith("wss://")
    assert told["is ready"] == "cpu, by none"


async def test_the_stand_in_without_faults_passes_every_check() -> None:
    async with broken_server(Faults()) as url:
        told = details(await verify(url))

    assert told["is ready"] == SILENT
    assert told["bounds its queue"] == "8 requests waited, and one more was refused"


async def test_a_server_without_a_bound_that_is_found_passes() -> None:
    async with broken_server(Faults(unbounded=True)) as url:
        told = details(await verify(url))

    assert told["bounds its queue"] == "took 200"


async def test_every_check_stands_in_the_docs_in_its_order() -> None:
    lines = (DOCS / "verify.md").read_text().splitlines()

    assert [line.split("`")[1] for line in lines if line.startswith("| `")] == NAMES


@pytest.mark.parametrize(
    ("faults", "name", "detail"),
    [
        (Faults(loading=True), "is ready", "/ping answered 503, loading"),
        (Faults(text_frames_only=True), "takes a binary frame", "error invalid_json"),
        (Faults(never_completes=True), "completes", "no synthesis_complete"),
        (Faults(too_short=True), "lasts as long as its text", "s of audio for"),
        (Faults(silent=True), "is not silent", "silence"),
        (Faults(closes_after_utterance=True), "speaks a second sentence", "closed with 1000"),
        (Faults(interleaves=True), "keeps utterances apart", "started inside another"),
        (Faults(drops_the_rest=True), "ends an utterance", "no audio"),
        (Faults(loses_first_delta=True), "ends an utterance", "in one piece took"),
        (Faults(loses_last_delta=True), "ends an utterance", "in one piece took"),
        (Faults(waits_for_a_stop=True), "speaks at a flush", "no audio after a flush"),
        (Faults(loses_flushed=True), "speaks at a flush", "no more audio of what was flushed"),
        (Faults(loses_after_flush=True), "speaks at a flush", "at the pace of the first sentence"),
        (Faults(ignores_cancel=True), "cancels", "no cancelled"),
        (Faults(goes_on_after_cancel=True), "cancels", "audio came outside an utterance"),
        (Faults(miscounts_audio=True), "cancels", "s were told"),
        (Faults(nobody_waits=True), "queues requests", "each of 5 requests was refused"),
        (Faults(last_first=True), "queues requests", "was due"),
        (Faults(ends_at_too_many=True), "bounds its queue", "ended the session"),
        (Faults(closes_at_too_many=True), "bounds its queue", "closed with 1008"),
        (Faults(loses_queued=True), "bounds its queue", "no ending of 8 requests"),
        (Faults(dies_on_bad_message=True), "survives a bad message", "ended the session"),
        (Faults(cancels_anything=True), "knows no strange id", "answered by cancelled of"),
        (Faults(cuts_long_texts=True), "refuses what is too long", "cut off after"),
        (Faults(closes_at_too_long=True), "refuses what is too long", "ended the session with 1009"),
        (Faults(ignores_pings=True), "answers a ping", "no pong"),
        (Faults(ignores_close=True), "closes when asked", "no session_complete"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
async def test_each_broken_server_fails_on_its_own_line(faults: Faults, name: str, detail: str) -> None:
    # A short wait only for what never comes: on a busy machine a sound answer may take its time.
    timeout_s = 1.0 if detail.startswith("no ") else 10.0
    with anyio.fail_after(9):  # and leaves it, though audio is on the way
        async with broken_server(faults) as url:
            checks = await verify(url, timeout_s=timeout_s)

    assert all(check.passed for check in checks[:-1])
    assert (checks[-1].name, checks[-1].passed) == (name, False)
    assert detail in checks[-1].detail


def test_audio_that_is_cut_within_a_sample_is_none() -> None:
    spoken = Spoken()
    spoken.take(b"abcd")

    with pytest.raises(CheckFailed, match="3 bytes of audio came, which is half a sample more"):
        spoken.take(b"abc")


async def test_nobody_there_fails_on_the_first_line() -> None:
    (check,) = await verify("ws://127.0.0.1:9")

    assert (check.name, check.passed) == ("connects", False)


async def test_a_server_that_is_stuck_fails_before_it_is_asked_to_speak(serving, monkeypatch) -> None:
    async with serving() as server:
        monkeypatch.setattr(server.engine, "lateness", lambda: 20.1)
        checks = await verify(server.address)

    assert (checks[-1].name, checks[-1].detail) == ("is ready", "/ping answered 503, stuck")


# --- what /ping may answer


@asynccontextmanager
async def answering(answer: Callable[[ServerConnection, Request], Response | None]) -> AsyncIterator[str]:
    async def session(socket: ServerConnection) -> None:
        await socket.wait_closed()

    async with serve(session, "127.0.0.1", 0, process_request=answer) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        yield f"ws://127.0.0.1:{port}"


async def ready(url: str, *, timeout_s: float = 10.0) -> str:
    return await is_ready(Conversation(url, voice=None, timeout_s=timeout_s, api_key="key", ssl_context=None))


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (b"", SILENT),
        (b"pong", SILENT),
        (b"\xff", SILENT),
        (b'["ready"]', SILENT),
        (b'{"status": "Healthy"}', SILENT),
        (b'{"device": 7, "provider": "x"}', SILENT),
        (b'{"device": "cuda"}', "cuda"),
        (
            b'{"status": "ready", "device": "cuda", "provider": "CUDAExecutionProvider"}',
            "cuda, by CUDAExecutionProvider",
        ),
    ],
)
async def test_a_server_is_ready_whatever_it_says_besides(body: bytes, told: str) -> None:
    async with answering(lambda *_: Response(200, "OK", Headers({"Content-Length": str(len(body))}), body)) as url:
        assert await ready(url) == told


@pytest.mark.parametrize(
    ("status", "headers", "told"),
    [
        (404, {}, "answered 404"),
        (503, {}, "answered 503"),
        (302, {"Location": "http://other.example.com/"}, "answered 302"),
    ],
)
async def test_a_server_that_answers_otherwise_is_not_ready(status: int, headers: dict[str, str], told: str) -> None:
    async with answering(lambda *_: Response(status, "", Headers({"Content-Length": "0", **headers}), b"")) as url:
        with pytest.raises(CheckFailed, match=f"{told}$"):
            await ready(url)


async def test_the_key_is_shown_to_ping_and_the_address_without_its_query() -> None:
    asked: list[Request] = []

    def answer(socket: ServerConnection, request: Request) -> Response:
        asked.append(request)
        return socket.respond(200, "")

    async with answering(answer) as url:
        await ready(f"{url}/session?token=secret")

    assert (asked[0].path, asked[0].headers["Authorization"]) == ("/ping", "Bearer key")


@pytest.mark.parametrize(
    ("answers", "asked", "told"),
    [
        ({"/voice/ping": 200}, ["/voice/ping"], None),
        ({"/ping": 200}, ["/voice/ping", "/ping"], None),
        ({"/voice/ping": 503, "/ping": 200}, ["/voice/ping"], "/voice/ping answered 503"),
        ({}, ["/voice/ping", "/ping"], "/ping answered 404"),
    ],
    ids=["beside", "at the root", "beside, not ready", "nowhere"],
)
async def test_a_server_behind_a_path_is_asked_there_first(
    answers: dict[str, int], asked: list[str], told: str | None
) -> None:
    paths: list[str] = []

    def answer(socket: ServerConnection, request: Request) -> Response:
        paths.append(request.path)
        return socket.respond(answers.get(request.path, 404), "")

    async with answering(answer) as url:
        with contextlib.nullcontext() if told is None else pytest.raises(CheckFailed, match=f"^{told}$"):
            await ready(f"{url}/voice/session")

    assert paths == asked


async def nothing(stream: anyio.abc.SocketStream) -> None:
    await anyio.sleep_forever()


async def no_http(stream: anyio.abc.SocketStream) -> None:
    await stream.receive()
    await stream.send(b"220 mail.example.com ESMTP\r\n")


async def no_word(stream: anyio.abc.SocketStream) -> None:
    await stream.receive()


@pytest.mark.parametrize(
    ("answer", "timeout_s", "told"),
    [(nothing, 0.1, "no answer of /ping within 0.1 s"), (no_http, 10, "no HTTP"), (no_word, 10, "/ping: |no HTTP")],
    ids=["nothing", "no_http", "no_word"],
)
async def test_what_is_no_answer_is_told(
    answer: Callable[[anyio.abc.SocketStream], Awaitable[None]], timeout_s: float, told: str
) -> None:
    async def one(stream: anyio.abc.SocketStream) -> None:
        async with stream:
            await answer(stream)

    async with await anyio.create_tcp_listener(local_host="127.0.0.1") as listener, anyio.create_task_group() as tasks:
        tasks.start_soon(listener.serve, one)
        port = listener.extra(anyio.abc.SocketAttribute.local_port)
        with pytest.raises(CheckFailed, match=told):
            await ready(f"ws://127.0.0.1:{port}", timeout_s=timeout_s)
        tasks.cancel_scope.cancel()


@pytest.mark.parametrize(
    ("session", "ping"),
    [
        ("ws://h:1/invocations-bidirectional-stream?token=k", ["http://h:1/ping"]),
        ("wss://ada:secret@h/p#f", ["https://h/ping"]),
        ("ws://[::1]:8080/", ["http://[::1]:8080/ping"]),
        ("wss://ada:secret@h/a/b/session?k", ["https://h/a/b/ping", "https://h/ping"]),
    ],
)
def test_ping_is_asked_of_the_same_host(session: str, ping: list[str]) -> None:
    assert list(ping_urls(session)) == ping


def test_a_name_and_a_password_go_into_the_header_unless_there_is_a_key() -> None:
    assert ping_headers("ws://h/p", {"X": "1"}) == {"X": "1"}
    assert ping_headers("ws://ada:a%40b@h/p", {}) == {"Authorization": "Basic YWRhOmFAYg=="}
    assert ping_headers("ws://ada:b@h/p", {"Authorization": "Bearer k"}) == {"Authorization": "Bearer k"}
