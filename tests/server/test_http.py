"""HTTP over real sockets, with a model that hums."""

import http.client
import json
import struct
from urllib.parse import urlsplit

import anyio
import anyio.to_thread
import pytest

from primavoce.testing.fake_engine import FakeModel, fake_engine

pytestmark = pytest.mark.anyio


async def ask(
    address: str, body: object = None, *, path: str = "/invocations", method: str = "POST"
) -> tuple[int, dict[str, str], bytes]:
    """Return status, headers and body of the answer."""

    def call() -> tuple[int, dict[str, str], bytes]:
        connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=20)
        raw = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        connection.request(method, path, raw)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, content

    return await anyio.to_thread.run_sync(call)


async def test_a_text_is_answered_by_a_streaming_wav(serving) -> None:
    async with serving() as server:
        status, headers, body = await ask(server.address, {"text": "Good morning. And good night."})

    assert (status, headers["content-type"], headers["transfer-encoding"]) == (200, "audio/wav", "chunked")
    assert body[:4] == b"RIFF"
    assert struct.unpack("<I", body[40:44]) == (0xFFFFFFFF,)
    assert len(body) > 44 + 24_000


async def test_pcm_is_the_same_audio_without_a_header(serving) -> None:
    async with serving() as server:
        _, _, wav = await ask(server.address, {"text": "Good morning."})
        _, headers, pcm = await ask(server.address, {"text": "Good morning.", "format": "pcm"})

    assert headers["content-type"] == "audio/pcm"
    assert pcm == wav[44:]


async def test_without_streaming_sizes_are_true_and_headers_tell_the_figures(serving) -> None:
    async with serving() as server:
        status, headers, body = await ask(server.address, {"text": "Good morning.", "stream": False})

    assert status == 200
    assert int(headers["content-length"]) == len(body)
    assert struct.unpack("<I", body[40:44]) == (len(body) - 44,)
    assert float(headers["x-audio-duration"]) == pytest.approx((len(body) - 44) / 48_000, abs=1e-3)
    assert headers["x-characters-processed"] == "13"
    assert float(headers["x-rtf"]) > 0
    assert float(headers["x-inference-time-ms"]) > 0


async def test_a_lexicon_comes_with_its_text(serving) -> None:
    async with serving() as server:
        _, plain, _ = await ask(server.address, {"text": "Okafor Okafor.", "stream": False})
        _, named, _ = await ask(
            server.address, {"text": "Okafor Okafor.", "stream": False, "lexicon": {"Okafor": "/a/"}}
        )
        refused = await ask(server.address, {"text": "Okafor.", "lexicon": {"Okafor": "/§/"}})

    assert float(named["x-audio-duration"]) < float(plain["x-audio-duration"]) - 0.5
    assert (refused[0], json.loads(refused[2])["error"]) == (400, "invalid_lexicon")


async def test_the_first_sentence_arrives_while_the_second_is_made(serving) -> None:
    import threading

    second = threading.Event()
    calls: list[None] = []

    def before() -> None:
        calls.append(None)
        if len(calls) > 1:
            assert second.wait(timeout=10)

    def read(address: str) -> tuple[bytes, bytes]:
        connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=20)
        connection.request("POST", "/invocations", json.dumps({"text": "Good morning. And good night."}))
        answer = connection.getresponse()
        first = answer.read(44 + 2000)
        second.set()
        rest = answer.read()
        connection.close()
        return first, rest

    async with serving(fake_engine(model=FakeModel(before=before))) as server:
        first, rest = await anyio.to_thread.run_sync(read, server.address)

    assert len(first) == 44 + 2000
    assert rest


BAD_BODIES: list[tuple[object, int, str]] = [
    (b"", 400, "empty_frame"),
    (b"\xff", 400, "invalid_utf8"),
    (b"{", 400, "invalid_json"),
    ([1], 400, "invalid_message"),
    ({}, 400, "invalid_field"),
    ({"text": ""}, 400, "text_required"),
    ({"text": " "}, 400, "text_required"),
    ({"text": 1}, 400, "invalid_field"),
    ({"text": "a", "voice": []}, 400, "invalid_field"),
    ({"text": "a", "voice": "nobody"}, 400, "unknown_voice"),
    ({"text": "a", "speed": "fast"}, 400, "invalid_speed"),
    ({"text": "a", "speed": 0}, 400, "invalid_speed"),
    ({"text": "a", "format": "aac"}, 400, "unsupported_format"),
    ({"text": "a", "sample_rate": 1}, 400, "unsupported_sample_rate"),
    ({"text": "a", "transport": "pigeon"}, 400, "invalid_field"),
    ({"text": "a", "transport": "sse", "stream": False}, 400, "invalid_field"),
    ({"text": "a", "type": "end"}, 400, "invalid_field"),
    ({"text": "a", "request_id": ""}, 400, "invalid_field"),
    ({"text": "a", "unknown": 1}, 400, "unknown_field"),
    ({"text": "a", "request_timestamp": 1.0}, 408, "request_stale"),
    ({"text": "a" * 101}, 413, "text_too_long"),
    (b"x" * 2000, 413, "message_too_large"),
]


async def test_a_bad_body_gets_its_code_and_status(serving) -> None:
    answers = []
    async with serving(max_text_characters=100, max_message_bytes=1999) as server:
        for body, _, _ in BAD_BODIES:
            status, _, content = await ask(server.address, body)
            answers.append((body, status, json.loads(content)))

    assert [(body, status, told["error"]) for body, status, told in answers] == BAD_BODIES
    assert all(set(told) == {"error", "message", "request_id", "retryable"} for _, _, told in answers)


async def test_two_hundred_bad_requests_leave_the_next_good_one_served(serving) -> None:
    async with serving(max_sessions=2) as server:
        for number in range(200):
            body = (b"", b"{", b"[]", b'{"text": "a", "voice": {}}')[number % 4]
            assert (await ask(server.address, body))[0] == 400

        status, _, body = await ask(server.address, {"text": "Good morning."})

    assert status == 200
    assert len(body) > 44


async def test_a_body_that_never_ends_holds_nobodys_place_and_is_told_so(serving) -> None:
    async with serving(max_sessions=1, receive_timeout_s=1.0) as server:
        host, port = urlsplit(server.address).netloc.split(":")
        async with await anyio.connect_tcp(host, int(port)) as endless:
            await endless.send(b"POST /invocations HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{")

            status, _, _ = await ask(server.address, {"text": "Good morning."})
            with anyio.fail_after(10):
                told = await endless.receive()

    assert status == 200
    assert b" 408 " in told
    assert b"request_incomplete" in told


async def test_one_request_too_many_is_told_when_to_come_back(serving) -> None:
    import threading

    let_go = threading.Event()
    reached = threading.Event()

    def before() -> None:
        reached.set()
        assert let_go.wait(timeout=10)

    async with serving(fake_engine(model=FakeModel(before=before)), max_sessions=1) as server:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(ask, server.address, {"text": "Slow."})
            await anyio.to_thread.run_sync(reached.wait)

            status, headers, body = await ask(server.address, {"text": "Quick."})
            let_go.set()

    assert (status, headers["retry-after"]) == (503, "1")
    assert json.loads(body)["error"] == "queue_saturated"


async def test_a_model_that_fails_before_any_audio_is_a_500_without_its_reason(serving) -> None:
    def before() -> None:
        raise RuntimeError("the secret reason")

    async with serving(fake_engine(model=FakeModel(before=before))) as server:
        status, _, body = await ask(server.address, {"text": "Hello."})

    assert status == 500
    assert json.loads(body)["error"] == "synthesis_failed"
    assert b"secret" not in body


async def test_ping_answers_by_get_and_post_while_the_model_works(serving) -> None:
    import threading

    let_go = threading.Event()
    reached = threading.Event()

    def before() -> None:
        reached.set()
        assert let_go.wait(timeout=10)

    async with serving(fake_engine(model=FakeModel(before=before))) as server, anyio.create_task_group() as tasks:
        tasks.start_soon(ask, server.address, {"text": "Slow."})
        await anyio.to_thread.run_sync(reached.wait)

        statuses = [(await ask(server.address, path="/ping", method=method))[0] for method in ("GET", "POST")]
        let_go.set()

    assert statuses == [200, 200]


async def test_ping_says_stuck_when_a_job_outlives_its_expectation_by_far(serving, monkeypatch) -> None:
    async with serving() as server:
        monkeypatch.setattr(server.engine, "lateness", lambda: 20.1)

        status, _, body = await ask(server.address, path="/ping", method="GET")

    assert (status, json.loads(body)) == (503, {"status": "stuck"})
