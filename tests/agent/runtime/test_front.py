"""The page's server in front of a deployed runtime, over real sockets and the SDKs of AWS, but nothing of AWS."""

import json
import logging
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import anyio
import httpx2
import pytest
from websockets.asyncio.client import connect

from primavoce.access import parse_keys
from primavoce.agent.conversation import Piece
from primavoce.agent.identity import SESSION_HEADER
from primavoce.assets.locations import AssetLocations
from primavoce.client.events import EventReader
from primavoce.errors import ExtraMissing, InvalidSetting, RuntimeRefused
from primavoce.server.run import listen
from primavoce.settings import Settings
from tests.agent.runtime.conftest import RunningFront, calls_under_way
from tests.agent.runtime.data_plane import ACCOUNT, ARN, HOST, KEY_ID, LISTENER, SECRET_KEY
from tests.agent.test_app import endless, until

pytestmark = [pytest.mark.anyio, pytest.mark.agent]


async def events_until(running: RunningFront, body: dict, wanted: str) -> None:
    """Post ``body``, read until an event called ``wanted`` has come, and leave."""
    reader = EventReader()
    async with httpx2.AsyncClient() as client:
        async with client.stream(
            "POST", f"{running.address}/invocations", json=body, headers={SESSION_HEADER: LISTENER}, timeout=10
        ) as answer:
            async for block in answer.aiter_bytes():
                if any(json.loads(event.data)["type"] == wanted for event in reader.push(block)):
                    return


# --- prompts


async def test_a_prompt_is_answered_as_the_runtime_answers_it(front) -> None:
    body = b'{"prompt":  "Well?", "request_id": "one"}'

    async with front() as running:
        answer, events = await running.ask(body)

    assert answer.headers["content-type"] == "text/event-stream"
    assert answer.headers[SESSION_HEADER] == LISTENER
    assert events[0] == {"type": "agent_start", "request_id": "one", "mode": "stream"}
    assert events[-1]["type"] == "agent_end"
    assert any(event["type"] == "audio_chunk" for event in events)
    seen = running.plane.seen
    assert [(each.arn, each.session, each.accept, each.body) for each in seen] == [
        (ARN, LISTENER, "text/event-stream", body)
    ]


async def test_an_endpoint_of_the_runtime_may_be_meant(front) -> None:
    async with front(arn=f"{ARN}/runtime-endpoint/live") as running:
        await running.ask({"prompt": "Well?"})
        url = (await running.get("/presigned")).json()["url"]

    assert [(seen.arn, seen.qualifier) for seen in running.plane.seen] == [(ARN, "live")]
    assert parse_qs(urlsplit(url).query)["qualifier"] == ["live"]


async def test_a_prompt_without_an_id_gets_one(front) -> None:
    async with front() as running:
        _, events = await running.ask({"prompt": "Well?", "mode": "batch"})

    message = running.plane.seen[0].message
    assert message == {"prompt": "Well?", "mode": "batch", "request_id": events[0]["request_id"]}


async def test_a_session_id_is_made_where_there_is_none(front) -> None:
    async with front() as running:
        first, _ = await running.ask({"prompt": "Well?"}, session=None)
        second, _ = await running.ask({"prompt": "Well?"}, session=None)

    ids = [answer.headers[SESSION_HEADER] for answer in (first, second)]
    assert ids == [seen.session for seen in running.plane.seen]
    assert len(set(ids)) == 2


async def test_events_come_as_the_runtime_sends_them(front) -> None:
    heard = anyio.Event()

    async def waiting(_: str) -> AsyncIterator[Piece]:
        yield "The first one is done. "
        await heard.wait()
        yield "Now."

    async with front(waiting) as running:
        async with httpx2.AsyncClient() as client:
            async with client.stream(
                "POST", f"{running.address}/invocations", json={"prompt": "Well?"}, timeout=10
            ) as answer:
                content = b""
                async for block in answer.aiter_bytes():
                    content += block
                    if b"audio_chunk" in content:
                        heard.set()

    assert b'"agent_end"' in content


async def test_a_heartbeat_is_passed_on(front, monkeypatch) -> None:
    monkeypatch.setattr("primavoce.agent.stream.AnswerStream.heartbeat_s", 0.01)
    beaten = anyio.Event()

    async def thinking(_: str) -> AsyncIterator[Piece]:
        await beaten.wait()
        yield "Now."

    async with front(thinking) as running:
        async with httpx2.AsyncClient() as client:
            async with client.stream(
                "POST", f"{running.address}/invocations", json={"prompt": "Well?"}, timeout=10
            ) as answer:
                content = b""
                async for block in answer.aiter_bytes():
                    content += block
                    if b"\n:\n\n" in content:
                        beaten.set()

    assert b'"agent_end"' in content


# --- interruptions


async def test_a_cancel_is_answered_by_one_object_and_ends_the_stream(front) -> None:
    async with front(endless) as running:
        events: list[dict] = []

        async def listen_to_it() -> None:
            events.extend((await running.ask({"prompt": "Well?", "request_id": "one"}))[1])

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(listen_to_it)
            await until(lambda: running.plane.service.sessions.busy)
            await anyio.wait_all_tasks_blocked()
            answer, _ = await running.ask({"type": "cancel", "request_id": "one", "played_s": 0.0})

    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/json")
    assert answer.json()["type"] == "cancelled"
    assert events[-1] == answer.json()
    assert [seen.accept for seen in running.cancels()] == ["application/json"]
    assert running.conversations[0].heard == 0


async def test_a_reader_who_leaves_has_the_runtime_cancel_that_answer(front) -> None:
    async with front(endless) as running:
        await events_until(running, {"prompt": "Well?", "request_id": "one"}, "audio_chunk")
        await until(lambda: not running.plane.service.sessions.busy)
        await until(lambda: not calls_under_way())

    assert [(seen.session, seen.message) for seen in running.cancels()] == [
        (LISTENER, {"type": "cancel", "request_id": "one"})
    ]
    assert running.conversations[0].heard is not None


async def test_a_reader_who_leaves_before_the_answer_begins_has_it_cancelled_too(front) -> None:
    async with front(endless) as running:
        answering, going_on = anyio.Event(), anyio.Event()
        agent = running.plane.agent

        async def slow(scope, receive, send) -> None:
            answering.set()
            await going_on.wait()
            await agent(scope, receive, send)

        running.plane.agent = slow
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(running.ask, {"prompt": "Well?", "request_id": "one"})
            await answering.wait()
            tasks.cancel_scope.cancel()
        await until(lambda: not len(running.lobby))  # the reader's place is free
        assert calls_under_way()
        going_on.set()
        await until(lambda: not calls_under_way())

        assert [seen.message["request_id"] for seen in running.cancels()] == ["one"]
        await until(lambda: not running.plane.service.sessions.busy)


async def test_an_answer_that_has_ended_isnt_cancelled(front) -> None:
    async with front() as running:
        await running.ask({"prompt": "Well?"})
        await until(lambda: not calls_under_way())

    assert running.cancels() == []


async def test_a_reader_who_takes_nothing_is_dropped_and_the_answer_cancelled(front) -> None:
    async with front(endless, send_timeout_s=0.2, send_buffer_bytes=4096) as running:
        stream = await anyio.connect_tcp("127.0.0.1", int(running.address.rpartition(":")[2]))
        body = b'{"prompt": "Well?"}'
        await stream.send(
            b"POST /invocations HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
        )
        await until(running.cancels)
        await until(lambda: not running.plane.service.sessions.busy)
        await stream.aclose()


async def test_what_a_leaving_process_cuts_is_told_and_cancelled(front) -> None:
    async with front(endless) as running:
        events: list[dict] = []

        async def ask() -> None:
            events.extend((await running.ask({"prompt": "Well?"}))[1])

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(ask)
            await until(lambda: running.plane.service.sessions.busy)
            await running.lobby.drain(within_s=0.3)
        refused, _ = await running.ask({"prompt": "Well?"})
        await until(lambda: not calls_under_way())

    assert (events[-1]["type"], events[-1]["code"]) == ("error", "draining")
    assert len(running.cancels()) == 1
    assert (refused.status_code, refused.json()["error"]) == (503, "draining")


# --- what is refused here


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"", 400, "empty_frame"),
        (b"{", 400, "invalid_json"),
        (b"\xff", 400, "invalid_utf8"),
        (b"[]", 400, "invalid_message"),
        ({}, 400, "invalid_field"),
        ({"prompt": " "}, 400, "invalid_field"),
        ({"prompt": "a", "endpoint": "other"}, 400, "unknown_field"),
        ({"type": "played", "played_s": 1}, 400, "unknown_type"),
        ({"type": "dance"}, 400, "unknown_type"),
        ({"prompt": "a" * 5000}, 413, "message_too_large"),
    ],
)
async def test_what_makes_no_sense_never_reaches_the_runtime(front, body, status, code) -> None:
    async with front(max_message_bytes=4096) as running:
        answer, _ = await running.ask(body)

    assert (answer.status_code, answer.json()["error"]) == (status, code)
    assert running.plane.seen == []


async def test_a_session_id_must_be_one(front) -> None:
    async with front() as running:
        asked, _ = await running.ask({"prompt": "a"}, session="short")
        presigned = await running.get("/presigned", **{SESSION_HEADER: "short"})

    for answer in (asked, presigned):
        assert (answer.status_code, answer.json()["error"]) == (400, "invalid_field")


async def test_a_cancel_without_a_session_is_of_no_answer(front) -> None:
    async with front() as running:
        answer, _ = await running.ask({"type": "cancel", "request_id": "one"}, session=None)

    assert answer.json()["error"] == "unknown_request"
    assert answer.json()["request_id"] == "one"
    assert running.plane.seen == []


async def test_one_more_than_may_be_answered_is_refused(front) -> None:
    async with front(endless, max_sessions=1) as running:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(running.ask, {"prompt": "Well?"})
            await until(lambda: running.plane.service.sessions.busy)
            refused, _ = await running.ask({"prompt": "Well?"})
            tasks.cancel_scope.cancel()
        await until(lambda: not calls_under_way())

    assert (refused.status_code, refused.json()["error"]) == (503, "queue_saturated")


# --- what fails there


@pytest.mark.parametrize(
    ("status", "kind", "told_status", "code", "retryable"),
    [
        (400, "ValidationException", 502, "runtime_failed", False),
        (402, "ServiceQuotaExceededException", 429, "runtime_throttled", True),
        (403, "AccessDeniedException", 502, "runtime_refused", False),
        (403, "ExpiredTokenException", 502, "runtime_refused", False),
        (403, "UnrecognizedClientException", 502, "runtime_refused", False),
        (404, "ResourceNotFoundException", 502, "runtime_refused", False),
        (424, "RuntimeClientError", 502, "runtime_failed", False),
        (429, "ThrottlingException", 429, "runtime_throttled", True),
        (500, "InternalServerException", 503, "runtime_unavailable", True),
        (503, "SomethingNew", 503, "runtime_unavailable", True),
    ],
)
@pytest.mark.parametrize("message", [{"prompt": "Well?"}, {"type": "cancel"}])
async def test_what_the_service_refuses_is_told_with_a_code(
    front, message, status, kind, told_status, code, retryable
) -> None:
    async with front() as running:
        running.plane.refusals = [(status, kind)]
        answer, _ = await running.ask({**message, "request_id": "one"})
        await until(lambda: not calls_under_way())

    told = answer.json()
    assert (answer.status_code, told["error"], told["retryable"]) == (told_status, code, retryable)
    assert told["request_id"] == "one"
    assert ("retry-after" in answer.headers) == retryable
    assert ACCOUNT not in answer.text
    assert len(running.plane.seen) == 1  # and it isn't asked again, nor told to cancel


async def test_a_container_that_answers_with_an_error_is_told_as_such(front) -> None:
    async with front() as running:
        answer, _ = await running.ask({"type": "cancel", "request_id": "unheard-of"})

    assert (answer.status_code, answer.json()["error"]) == (502, "runtime_failed")


async def test_one_connection_serves_message_after_message(front) -> None:
    async with front() as running:
        running.plane.refusals = [(403, "AccessDeniedException")] * 2
        for _ in range(4):
            await running.ask({"prompt": "Well?"})
            await until(lambda: not calls_under_way())

        assert len(running.connections) == 1


async def test_a_session_that_is_only_just_starting_is_asked_again(front, monkeypatch) -> None:
    monkeypatch.setattr("primavoce.agent.runtime.calls.CONFLICT_PAUSES_S", (0.0, 0.0))

    async with front() as running:
        running.plane.refusals = [(409, "RetryableConflictException")] * 2
        _, events = await running.ask({"prompt": "Well?", "request_id": "one"})

    assert events[-1]["type"] == "agent_end"
    assert [seen.message["request_id"] for seen in running.plane.seen] == ["one"] * 3


async def test_a_session_that_goes_on_starting_is_told(front, monkeypatch) -> None:
    monkeypatch.setattr("primavoce.agent.runtime.calls.CONFLICT_PAUSES_S", (0.0, 0.0))

    async with front() as running:
        running.plane.refusals = [(409, "RetryableConflictException")] * 3
        answer, _ = await running.ask({"prompt": "Well?"})

    assert (answer.status_code, answer.json()["error"]) == (503, "runtime_busy")
    assert len(running.plane.seen) == 3


async def test_an_answer_that_breaks_off_in_an_event_ends_by_an_error(front) -> None:
    async with front() as running:
        running.plane.breaks_off_after = 4
        answer, events = await running.ask({"prompt": "Well?", "request_id": "one"})
        await until(lambda: not calls_under_way())

    assert answer.content.endswith(b"\n\n")
    assert len(events) == 5
    assert (events[-1]["type"], events[-1]["code"], events[-1]["request_id"]) == ("error", "runtime_unavailable", "one")
    assert [seen.message["request_id"] for seen in running.cancels()] == ["one"]


async def test_an_answer_that_ends_without_an_ending_ends_by_an_error(front) -> None:
    async with front() as running:
        running.plane.words = 'data: {"type":"agent_start","request_id":"one","mode":"stream"}\n\n'
        _, events = await running.ask({"prompt": "Well?", "request_id": "one"})

    assert [event["type"] for event in events] == ["agent_start", "error"]
    assert events[-1]["code"] == "runtime_unavailable"


async def test_a_runtime_that_falls_silent_is_given_up_and_told_to_cancel(front, monkeypatch) -> None:
    monkeypatch.setattr("primavoce.agent.runtime.deployed.SILENCE_S", 0.3)

    async with front() as running:
        running.plane.stalls_after = 3
        _, events = await running.ask({"prompt": "Well?", "request_id": "one"})
        running.plane.stalls_after = None
        await until(lambda: not calls_under_way())

    assert events[-1]["code"] == "runtime_unavailable"
    assert "silent" in events[-1]["message"]
    assert len(running.cancels()) == 1


async def test_a_reader_who_leaves_a_silent_runtime_frees_its_thread_at_once(front) -> None:
    async with front() as running:
        running.plane.stalls_after = 3
        began = time.monotonic()
        await events_until(running, {"prompt": "Well?"}, "text_delta")
        await until(lambda: not calls_under_way())

    assert time.monotonic() - began < 5  # and not after the minute in which the runtime may be silent
    assert len(running.cancels()) == 1


@pytest.mark.parametrize(
    ("words", "media_type"),
    [
        ("<script>", "text/html"),
        ('{"answer": 42}', "application/json"),
    ],
)
async def test_another_kind_of_answer_isnt_passed_on(front, words, media_type) -> None:
    async with front() as running:
        running.plane.words, running.plane.media_type = words, media_type
        answer, _ = await running.ask({"prompt": "Well?"})
        await until(lambda: not calls_under_way())

    assert (answer.status_code, answer.json()["error"]) == (502, "runtime_failed")


async def test_events_of_another_kind_of_agent_end_by_an_error(front) -> None:
    async with front() as running:
        running.plane.words = 'data: "Hello"\n\n'
        _, events = await running.ask({"prompt": "Well?"})
        await until(lambda: not calls_under_way())

    assert [event["code"] for event in events] == ["runtime_failed"]


async def test_a_service_that_cant_be_reached_is_told(front, monkeypatch) -> None:
    nobody = listen("127.0.0.1", 0)
    port = nobody.getsockname()[1]
    nobody.close()
    async with front() as running:
        running.plane.refusals = []
        from primavoce.agent.runtime.arn import RuntimeArn
        from primavoce.agent.runtime.calls import OBJECT, RuntimeCall
        from primavoce.agent.runtime.deployed import DeployedRuntime
        from primavoce.errors import RuntimeUnavailable

        monkeypatch.setenv("AWS_ENDPOINT_URL_BEDROCK_AGENTCORE", f"https://127.0.0.1:{port}")
        runtime = DeployedRuntime.of(RuntimeArn.parse(ARN), connections=1)
        call = RuntimeCall(runtime, b"{}", LISTENER, accept=OBJECT)
        with pytest.raises(RuntimeUnavailable, match="can't be reached"):
            await anyio.to_thread.run_sync(call.open)

    assert not call.goes_on


# --- credentials


async def test_without_credentials_it_doesnt_start(front, monkeypatch) -> None:
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")

    with pytest.raises(RuntimeRefused, match="no valid credentials for it: `aws configure`"):
        async with front():
            pass


async def test_without_its_profile_it_doesnt_start(front, monkeypatch) -> None:
    monkeypatch.setenv("AWS_PROFILE", "nobodys")

    with pytest.raises(RuntimeRefused, match="no valid credentials for it: `aws configure`"):
        async with front():
            pass


async def test_credentials_that_cant_be_renewed_are_told(front, monkeypatch, tmp_path) -> None:
    valid = tmp_path / "valid"
    valid.touch()
    command = tmp_path / "credentials.py"
    command.write_text(
        "import datetime, json, os, sys\n"
        f"if not os.path.exists({str(valid)!r}): sys.exit('expired')\n"
        "soon = datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=60)\n"
        f"print(json.dumps({{'Version': 1, 'AccessKeyId': {KEY_ID!r}, 'SecretAccessKey': {SECRET_KEY!r},"
        " 'SessionToken': 'token', 'Expiration': soon.isoformat()}))\n"
    )
    (tmp_path / "config").write_text(f"[default]\ncredential_process = {sys.executable} {command}\n")
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")

    async with front() as running:
        taken, _ = await running.ask({"prompt": "Well?"})
        valid.unlink()
        refused, _ = await running.ask({"prompt": "Well?"})
        presigned = await running.get("/presigned")

    assert b"agent_end" in taken.content
    for answer in (refused, presigned):
        assert (answer.status_code, answer.json()["error"]) == (502, "runtime_refused")


@pytest.mark.parametrize(
    "arn", ["voice", ARN.replace("eu-west-1", "cn-north-1"), ARN.replace("arn:aws:", "arn:aws-nowhere:")]
)
async def test_a_runtime_must_be_named_by_its_arn(credentials, arn) -> None:
    from primavoce.agent.runtime.serving import serve_runtime

    settings = Settings(assets=AssetLocations(cache_dir=Path("/nonexistent")))
    with listen("127.0.0.1", 0) as listener:
        with pytest.raises(InvalidSetting, match="--runtime"):
            await serve_runtime(arn, settings, listener)


async def test_without_the_extra_it_says_so(credentials, monkeypatch) -> None:
    from primavoce.agent.runtime.serving import serve_runtime

    for name in ("app", "relay", "calls", "deployed"):
        monkeypatch.delitem(sys.modules, f"primavoce.agent.runtime.{name}", raising=False)
    monkeypatch.setitem(sys.modules, "boto3", None)
    settings = Settings(assets=AssetLocations(cache_dir=Path("/nonexistent")))
    with listen("127.0.0.1", 0) as listener:
        with pytest.raises(ExtraMissing, match="agent"):
            await serve_runtime(ARN, settings, listener)


# --- sockets


async def test_the_page_speaks_with_the_runtime_over_a_presigned_socket(front) -> None:
    async with front() as running:
        told = await running.get("/presigned", **{SESSION_HEADER: LISTENER})
        url = told.json()["url"]
        async with connect(url, host="127.0.0.1", port=running.port, ssl=running.trust, proxy=None) as socket:
            await socket.send(json.dumps({"prompt": "Well?", "request_id": "one"}))
            events = [json.loads(await socket.recv())]
            while events[-1]["type"] != "agent_end":
                events.append(json.loads(await socket.recv()))
        await running.ask({"prompt": "And?"})

    assert told.headers["cache-control"] == "no-store"
    assert {event["request_id"] for event in events} == {"one"}
    assert any(event["type"] == "audio_chunk" for event in events)
    assert len(running.conversations) == 1  # the other transport's is the same


@pytest.mark.parametrize("how", ["header", "query", "neither"])
async def test_a_presigned_address_is_one_sessions_for_a_little_while(front, how) -> None:
    async with front() as running:
        headers = {SESSION_HEADER: LISTENER} if how == "header" else {}
        query = f"?{SESSION_HEADER}={LISTENER}" if how == "query" else ""
        url = (await running.get(f"/presigned{query}", **headers)).json()["url"]

    parts = urlsplit(url)
    fields = {name: value for name, (value,) in parse_qs(parts.query).items()}
    assert (parts.scheme, parts.netloc) == ("wss", HOST)
    assert parts.path == f"/runtimes/{ARN.replace(':', '%3A').replace('/', '%2F')}/ws"
    assert 0 < int(fields["X-Amz-Expires"]) <= 300
    assert len(fields["X-Amz-Signature"]) == 64
    assert SECRET_KEY not in url
    if how == "neither":
        assert 33 <= len(fields[SESSION_HEADER]) <= 256
    else:
        assert fields[SESSION_HEADER] == LISTENER


async def test_a_presigned_address_is_never_logged(front, caplog) -> None:
    caplog.set_level(logging.DEBUG)

    async with front() as running:
        url = (await running.get("/presigned")).json()["url"]
        await running.ask({"prompt": "Well?"})

    signature = parse_qs(urlsplit(url).query)["X-Amz-Signature"][0]
    written = "\n".join(f"{record.getMessage()} {record.exc_text}" for record in caplog.records)
    assert written
    assert signature not in written
    assert "AWS4-HMAC-SHA256" not in written


# --- who is let in, and the page


async def test_keys_are_asked_for_and_keep_conversations_apart(front) -> None:
    keys = parse_keys("KEYS", f"{'a' * 20},{'b' * 20}")

    async with front(api_keys=keys) as running:
        refused, _ = await running.ask({"prompt": "Well?"})
        hidden = await running.get("/presigned")
        urls = []
        for key in ("a" * 20, "b" * 20):
            shown = {"Authorization": f"Bearer {key}"}
            answer, _ = await running.ask({"prompt": "Well?"}, headers=shown)
            urls.append((await running.get("/presigned", **shown, **{SESSION_HEADER: LISTENER})).json()["url"])
            assert answer.headers[SESSION_HEADER] == LISTENER

    assert [refused.status_code, hidden.status_code] == [401, 401]
    sessions = [seen.session for seen in running.plane.seen]
    assert sessions == [parse_qs(urlsplit(url).query)[SESSION_HEADER][0] for url in urls]
    assert len({LISTENER, *sessions}) == 3


async def test_a_page_of_another_origin_may_not_speak(front) -> None:
    async with front() as running:
        answer, _ = await running.ask({"prompt": "Well?"}, headers={"Origin": "https://example.com"})
        rebound = await running.get("/presigned", Host="example.com")

    assert (answer.status_code, rebound.status_code) == (403, 421)
    assert running.plane.seen == []


async def test_the_page_is_told_where_addresses_of_sockets_are(front) -> None:
    async with front() as running:
        page = await running.get("/")
        info = (await running.get("/page.json")).json()
        health = (await running.get("/ping")).json()

    assert "wss:;" in page.headers["content-security-policy"]
    assert (info["kind"], info["presigned"]) == ("agent", "/presigned")
    assert info["model"] == "AgentCore runtime voice-AbCdEf1234"
    assert health["status"] == "Healthy"
    assert isinstance(health["time_of_last_update"], int)
    assert running.plane.seen == []


async def test_there_is_no_socket_here(front) -> None:
    async with front() as running:
        answer = await running.get("/ws")

    assert (answer.status_code, answer.json()["error"]) == (404, "unknown_route")
