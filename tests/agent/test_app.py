"""The agent's application: with Starlette alone, and on AgentCore's SDK, over real sockets."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass

import anyio
import httpx2
import pytest
import structlog
from websockets.asyncio.client import connect

from primavoce.agent.app import AgentService
from primavoce.agent.conversation import Piece, PlainConversation
from primavoce.agent.identity import SESSION_HEADER
from primavoce.client.events import EventReader
from tests.conftest import RunningAgent, run_agent

pytestmark = pytest.mark.anyio
LISTENER = "listener-" + "0" * 30


@dataclass(frozen=True)
class Asked:
    """An agent that runs, and what it says to those who ask."""

    running: RunningAgent
    conversations: list[PlainConversation]

    @property
    def address(self) -> str:
        return self.running.address

    @property
    def socket_url(self) -> str:
        return self.running.socket_url

    @property
    def service(self) -> AgentService:
        return self.running.service

    async def ask(self, body: object, *, session: str | None = LISTENER) -> tuple[httpx2.Response, list[dict]]:
        """Post ``body``, and return the answer with its events."""
        headers = {} if session is None else {SESSION_HEADER: session}
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        async with httpx2.AsyncClient() as client:
            answer = await client.post(f"{self.address}/invocations", content=content, headers=headers, timeout=20)
        return answer, [json.loads(event.data) for event in EventReader().push(answer.content)]


async def two_sentences(_: str) -> AsyncIterator[Piece]:
    for piece in ["The first one", " is done. ", "Then comes", " the second."]:
        yield piece


async def endless(_: str) -> AsyncIterator[Piece]:
    yield "One two three four. "
    while True:
        yield "Five six seven eight. "
        await anyio.sleep(0.001)


@pytest.fixture(params=["starlette", pytest.param("agentcore", marks=pytest.mark.agent)])
def agent(request, serving) -> Callable[..., AbstractAsyncContextManager[Asked]]:
    """Return what runs an agent that answers as it is told."""

    @asynccontextmanager
    async def run(answer: Callable[[str], AsyncIterator[Piece]] = two_sentences, **changes: object):
        create = None
        if request.param == "agentcore":
            from primavoce.agent.agentcore import create_agentcore_app as create
        conversations: list[PlainConversation] = []

        def converse() -> PlainConversation:
            conversations.append(PlainConversation(answer))
            return conversations[-1]

        async with serving() as speech, run_agent(converse, speech.address, create=create, **changes) as running:
            yield Asked(running, conversations)

    return run


async def until(true: Callable[[], bool]) -> None:
    with anyio.fail_after(5):
        while not true():  # noqa: ASYNC110 - what becomes true is the application's, which tells nobody
            await anyio.sleep(0.001)


# --- over HTTP


async def test_a_prompt_is_answered_by_events(agent) -> None:
    async with agent() as running:
        answer, events = await running.ask({"prompt": "Well?", "request_id": "one"})

    assert answer.headers["content-type"] == "text/event-stream"
    assert answer.headers[SESSION_HEADER] == LISTENER
    assert events[0] == {"type": "agent_start", "request_id": "one", "mode": "stream"}
    assert events[-1]["type"] == "agent_end"
    assert "".join(e["text"] for e in events if e["type"] == "text_delta") == (
        "The first one is done. Then comes the second."
    )
    assert {event["request_id"] for event in events} == {"one"}


async def test_bidi_is_another_name_for_stream(agent) -> None:
    async with agent() as running:
        _, events = await running.ask({"prompt": "Well?", "mode": "bidi"})

    assert events[0]["mode"] == "stream"


async def test_a_session_id_is_made_where_there_is_none(agent) -> None:
    async with agent() as running:
        first, _ = await running.ask({"prompt": "Well?"}, session=None)
        second, _ = await running.ask({"prompt": "Well?"}, session=None)

        assert 33 <= len(first.headers[SESSION_HEADER]) <= 256
        assert first.headers[SESSION_HEADER] != second.headers[SESSION_HEADER]
        assert len(running.service.sessions) == 0  # nobody can come back to them


async def test_one_session_id_is_one_conversation(agent) -> None:
    async with agent() as running:
        for session in (LISTENER, LISTENER, LISTENER + "1"):
            await running.ask({"prompt": "Well?"}, session=session)

        assert len(running.conversations) == 2


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"", 400, "empty_frame"),
        (b"{", 400, "invalid_json"),
        (b"\xff", 400, "invalid_utf8"),
        (b"[]", 400, "invalid_message"),
        ({}, 400, "invalid_field"),
        ({"prompt": " "}, 400, "invalid_field"),
        ({"prompt": 1}, 400, "invalid_field"),
        ({"prompt": "a", "mode": "fast"}, 400, "invalid_field"),
        ({"prompt": "a", "endpoint": "other"}, 400, "unknown_field"),
        ({"prompt": "a", "sample_rate": 24000.5}, 400, "invalid_field"),
        ({"type": "played", "played_s": 1}, 400, "unknown_type"),
        ({"type": "dance"}, 400, "unknown_type"),
        ({"type": "cancel"}, 400, "unknown_request"),
    ],
)
async def test_what_makes_no_sense_is_told_with_a_code(agent, body, status, code) -> None:
    async with agent() as running:
        answer, _ = await running.ask(body)
        _again, events = await running.ask({"prompt": "Well?"})

    assert (answer.status_code, answer.json()["error"]) == (status, code)
    assert events[-1]["type"] == "agent_end"


@pytest.mark.parametrize("session", ["short", "x" * 257, "x" * 40 + "é"])
async def test_a_session_id_must_be_one(agent, session) -> None:
    async with agent() as running:
        answer = httpx2.Response(0)
        async with httpx2.AsyncClient() as client:
            answer = await client.post(
                f"{running.address}/invocations",
                json={"prompt": "a"},
                headers={SESSION_HEADER: session.encode()},
            )

    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_field")


async def test_a_body_that_is_too_large_is_refused(agent) -> None:
    async with agent(max_message_bytes=4096) as running:
        answer, _ = await running.ask({"prompt": "a" * 5000})

    assert (answer.status_code, answer.json()["error"]) == (413, "message_too_large")


async def test_what_the_voice_server_refuses_is_told_in_the_stream(agent) -> None:
    async with agent() as running:
        _, events = await running.ask({"prompt": "Well?", "voice": "af_nobody"})

    assert events[-1]["code"] == "unknown_voice"


async def test_a_reader_who_leaves_interrupts_the_answer(agent) -> None:
    async with agent(endless) as running:
        async with httpx2.AsyncClient() as client:
            async with client.stream(
                "POST", f"{running.address}/invocations", json={"prompt": "Well?"}, headers={SESSION_HEADER: LISTENER}
            ) as answer:
                async for _ in answer.aiter_bytes():
                    break
            await until(lambda: not running.service.sessions.busy)

        assert running.conversations[0].heard is not None


async def test_an_answer_that_nobody_heard_out_is_in_the_log(agent) -> None:
    with structlog.testing.capture_logs() as log:
        async with agent(endless) as running:
            async with connect(running.socket_url) as socket:
                await socket.send(json.dumps({"prompt": "Well?", "request_id": "one"}))
                await socket.recv()
            await until(lambda: not running.service.sessions.busy)

    told = [line for line in log if line["event"] == "answer"]
    assert [(line["request_id"], line["outcome"]) for line in told] == [("one", "left")]


async def test_a_reader_who_takes_nothing_is_dropped(agent) -> None:
    async with agent(endless, send_timeout_s=0.2, send_buffer_bytes=4096) as running:
        stream = await anyio.connect_tcp("127.0.0.1", int(running.address.rpartition(":")[2]))
        body = b'{"prompt": "Well?"}'
        await stream.send(
            b"POST /invocations HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
        )
        await until(lambda: running.service.sessions.busy)
        await until(lambda: not running.service.sessions.busy)
        await stream.aclose()


async def test_another_request_cancels_the_answer_and_learns_what_was_heard(agent) -> None:
    async with agent(endless) as running:
        events: list[dict] = []
        async with anyio.create_task_group() as tasks:

            async def listen_to_it() -> None:
                reader = EventReader()
                async with httpx2.AsyncClient() as client:
                    async with client.stream(
                        "POST",
                        f"{running.address}/invocations",
                        json={"prompt": "Well?", "request_id": "one"},
                        headers={SESSION_HEADER: LISTENER},
                    ) as answer:
                        async for block in answer.aiter_bytes():
                            events.extend(json.loads(event.data) for event in reader.push(block))

            tasks.start_soon(listen_to_it)
            await until(lambda: any(event["type"] == "audio_chunk" for event in events))
            answer, _ = await running.ask({"type": "cancel", "request_id": "one", "played_s": 0.6})

    assert answer.json()["type"] == "cancelled"
    assert answer.json()["spoken_text"] == "One two"
    assert events[-1] == answer.json()
    assert running.conversations[0].heard == len("One two")


async def test_an_answer_in_the_listeners_ear_can_be_cancelled_once(agent) -> None:
    async with agent() as running:
        await running.ask({"prompt": "Well?"})
        first, _ = await running.ask({"type": "cancel", "played_s": 0.7})
        second, _ = await running.ask({"type": "cancel", "played_s": 0.7})

    assert first.json()["spoken_text"] == "The first"
    assert running.conversations[0].heard == len("The first")
    assert second.json()["error"] == "unknown_request"


async def test_silence_has_a_heartbeat(agent, monkeypatch) -> None:
    monkeypatch.setattr("primavoce.agent.stream.AnswerStream.heartbeat_s", 0.01)
    beaten = anyio.Event()

    async def thinking(_: str) -> AsyncIterator[Piece]:
        await beaten.wait()
        yield "Now."

    async with agent(thinking) as running:
        content = b""
        async with httpx2.AsyncClient() as client:
            async with client.stream("POST", f"{running.address}/invocations", json={"prompt": "Well?"}) as answer:
                async for block in answer.aiter_bytes():
                    content += block
                    if b"\n:\n\n" in content:
                        beaten.set()

    assert b'"agent_end"' in content


async def test_ping_tells_whether_somebody_is_being_answered(agent) -> None:
    going_on = anyio.Event()

    async def waiting(_: str) -> AsyncIterator[Piece]:
        await going_on.wait()
        yield "Now."

    async with agent(waiting) as running, httpx2.AsyncClient() as client:
        before = (await client.get(f"{running.address}/ping")).json()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(running.ask, {"prompt": "Well?"})
            await until(lambda: running.service.sessions.busy)
            during = (await client.get(f"{running.address}/ping")).json()
            going_on.set()
        await until(lambda: not running.service.sessions.busy)
        after = (await client.get(f"{running.address}/ping")).json()

    assert [each["status"] for each in (before, during, after)] == ["Healthy", "HealthyBusy", "Healthy"]
    assert isinstance(after["time_of_last_update"], int)


async def test_an_agent_with_keys_asks_for_them(agent) -> None:
    from primavoce.access import parse_keys

    async with agent(api_keys=parse_keys("KEYS", "k" * 20)) as running:
        refused, _ = await running.ask({"prompt": "Well?"})
        async with httpx2.AsyncClient() as client:
            taken = await client.post(
                f"{running.address}/invocations",
                json={"prompt": "Well?"},
                headers={"Authorization": "Bearer " + "k" * 20},
            )

    assert refused.status_code == 401
    assert b"agent_end" in taken.content


async def test_a_leaving_process_finishes_the_answer_and_takes_no_other(agent) -> None:
    going_on = anyio.Event()

    async def waiting(_: str) -> AsyncIterator[Piece]:
        yield "The first one is done. "
        await going_on.wait()
        yield "Now."

    async with agent(waiting) as running:
        answered: list[dict] = []

        async def ask() -> None:
            answered.extend((await running.ask({"prompt": "Well?"}))[1])

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(ask)
            await until(lambda: running.service.sessions.busy)
            tasks.start_soon(lambda: running.service.sessions.lobby.drain(within_s=10))
            await until(lambda: running.service.sessions.lobby.draining)
            refused, _ = await running.ask({"prompt": "Well?"}, session=None)
            going_on.set()

    assert (refused.status_code, refused.json()["error"]) == (503, "draining")
    assert answered[-1]["type"] == "agent_end"


async def test_a_cancel_of_nothing_begins_no_conversation(agent) -> None:
    async with agent() as running:
        answer, _ = await running.ask({"type": "cancel", "request_id": "one"})

        assert answer.json()["request_id"] == "one"
        assert len(running.service.sessions) == 0


async def test_a_full_agent_refuses_and_says_when_to_come_back(agent) -> None:
    async with agent(endless, max_sessions=1) as running:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(running.ask, {"prompt": "Well?"})
            await until(lambda: running.service.sessions.busy)
            refused, _ = await running.ask({"prompt": "Well?"}, session=None)
            tasks.cancel_scope.cancel()

    assert (refused.status_code, refused.json()["error"]) == (503, "queue_saturated")
    assert refused.headers["retry-after"]


async def test_what_a_leaving_process_cuts_is_told(agent) -> None:
    async with agent(endless) as running:
        events: list[dict] = []

        async def ask() -> None:
            events.extend((await running.ask({"prompt": "Well?"}))[1])

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(ask)
            await until(lambda: len(running.service.sessions.lobby) > 0)
            await running.service.sessions.lobby.drain(within_s=0.01)

    assert (events[-1]["type"], events[-1]["code"]) == ("error", "draining")


# --- over a socket


async def test_a_socket_carries_prompts_and_answers(agent) -> None:
    async with agent() as running, connect(running.socket_url) as socket:
        for name in ("one", "two"):
            await socket.send(json.dumps({"prompt": "Well?", "request_id": name}))
            events = [json.loads(await socket.recv())]
            while events[-1]["type"] != "agent_end":
                events.append(json.loads(await socket.recv()))
            assert {event["request_id"] for event in events} == {name}
            assert any(event["type"] == "audio_chunk" for event in events)

    assert len(running.conversations) == 1


async def test_a_socket_carries_audio_in_binary_frames_to_those_who_ask(agent) -> None:
    async with agent() as running, connect(running.socket_url) as socket:
        await socket.send(json.dumps({"prompt": "Well?", "transport": "binary"}))
        frames = [await socket.recv()]
        while isinstance(frames[-1], bytes) or '"agent_end"' not in frames[-1]:
            frames.append(await socket.recv())

    audio = b"".join(frame for frame in frames if isinstance(frame, bytes))
    told = [json.loads(frame) for frame in frames if isinstance(frame, str)]
    assert not [event for event in told if event["type"] == "audio_chunk"]
    assert len(audio) / 48_000 == next(event["duration_s"] for event in told if event["type"] == "audio_stream_end")


async def test_a_cancel_on_a_socket_is_the_last_of_the_answer(agent) -> None:
    async with agent(endless) as running, connect(running.socket_url) as socket:
        await socket.send(json.dumps({"prompt": "Well?", "transport": "binary", "request_id": "one"}))
        while not isinstance(await socket.recv(), bytes):
            pass
        await socket.send(json.dumps({"type": "cancel", "played_s": 0.6}))
        rest: list[str | bytes] = []
        while not rest or isinstance(rest[-1], bytes) or '"cancelled"' not in rest[-1]:
            rest.append(await socket.recv())
        await socket.send('{"type": "ping"}')

        assert json.loads(rest[-1])["spoken_text"] == "One two"
        assert json.loads(await socket.recv()) == {"type": "pong"}  # and no audio before it


async def test_a_prompt_interrupts_the_answer_before_it(agent) -> None:
    async def answer(prompt: str) -> AsyncIterator[Piece]:
        async for piece in endless(prompt) if prompt == "First?" else two_sentences(prompt):
            yield piece

    async with agent(answer) as running, connect(running.socket_url) as socket:
        await socket.send(json.dumps({"prompt": "First?", "request_id": "one"}))
        while json.loads(await socket.recv())["type"] != "audio_chunk":
            pass
        await socket.send(json.dumps({"prompt": "Second?", "request_id": "two", "played_s": 0.6}))
        events = [json.loads(await socket.recv())]
        while events[-1]["type"] != "agent_end":
            events.append(json.loads(await socket.recv()))

    ids = [event["request_id"] for event in events]
    assert ids == sorted(ids)  # nothing of the first after anything of the second
    last_of_one = next(event for event in reversed(events) if event["request_id"] == "one")
    assert (last_of_one["type"], last_of_one["spoken_text"]) == ("cancelled", "One two")
    assert events[-1]["request_id"] == "two"


async def test_only_the_last_of_many_prompts_is_answered(agent) -> None:
    asked: list[str] = []

    async def answer(prompt: str) -> AsyncIterator[Piece]:
        asked.append(prompt)
        async for piece in endless(prompt) if prompt == "1" else two_sentences(prompt):
            yield piece

    async with agent(answer) as running, connect(running.socket_url) as socket:
        await socket.send(json.dumps({"prompt": "1", "request_id": "1"}))
        while json.loads(await socket.recv())["type"] != "audio_chunk":
            pass
        for name in "2345":
            await socket.send(json.dumps({"prompt": name, "request_id": name}))
        endings: dict[str, str] = {}
        while len(endings) < 5:
            event = json.loads(await socket.recv())
            if event["type"] in ("agent_end", "cancelled", "error"):
                endings[event["request_id"]] = event["type"]

    assert endings == {"1": "cancelled", "2": "cancelled", "3": "cancelled", "4": "cancelled", "5": "agent_end"}
    assert asked == ["1", "5"]  # what was overtaken before its turn isn't asked


@pytest.mark.parametrize("frame", ["", "{", "[]", b"\xff", '{"type": "dance"}', '{"prompt": ""}', '{"type":"cancel"}'])
async def test_nonsense_on_a_socket_is_told_and_the_socket_lives(agent, frame) -> None:
    async with agent() as running, connect(running.socket_url) as socket:
        await socket.send(frame)
        told = json.loads(await socket.recv())
        await socket.send('{"type": "ping"}')

        assert told["type"] == "error"
        assert json.loads(await socket.recv()) == {"type": "pong"}


async def test_what_a_leaving_process_cuts_is_told_on_a_socket(agent) -> None:
    async with agent(endless) as running, connect(running.socket_url) as socket:
        await socket.send(json.dumps({"prompt": "Well?", "transport": "binary"}))
        while not isinstance(await socket.recv(), bytes):
            pass
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(lambda: running.service.sessions.lobby.drain(within_s=0.01))
            frame = await socket.recv()
            while isinstance(frame, bytes) or '"error"' not in frame:
                frame = await socket.recv()

    assert json.loads(frame)["code"] == "draining"


async def test_a_message_that_is_too_large_is_refused_on_a_socket(agent) -> None:
    async with agent(max_message_bytes=4096) as running, connect(running.socket_url) as socket:
        await socket.send(json.dumps({"prompt": "a" * 5000}))
        told = json.loads(await socket.recv())
        await socket.send('{"type": "ping"}')

        assert told["code"] == "message_too_large"
        assert json.loads(await socket.recv()) == {"type": "pong"}


async def test_a_socket_that_nobody_uses_is_closed(agent) -> None:
    async with agent(session_idle_s=0.05) as running, connect(running.socket_url) as socket:
        with anyio.fail_after(5):
            await socket.wait_closed()

    assert socket.close_code == 1000


async def test_a_socket_that_is_busy_isnt_idle(agent) -> None:
    going_on = anyio.Event()

    async def waiting(_: str) -> AsyncIterator[Piece]:
        await going_on.wait()
        yield "Now."

    async with agent(waiting, session_idle_s=0.05) as running, connect(running.socket_url) as socket:
        await socket.send('{"prompt": "Well?"}')
        await anyio.sleep(0.3)  # several idle times: that nothing happens can only be waited for
        going_on.set()
        while json.loads(await socket.recv())["type"] != "agent_end":
            pass


async def test_a_socket_too_many_is_told(agent) -> None:
    async with agent() as running:
        running.service.sockets._capacity = 1
        async with connect(running.socket_url), connect(running.socket_url) as second:
            assert json.loads(await second.recv())["code"] == "overloaded"


async def test_a_listener_who_leaves_is_remembered_as_far_as_they_heard(agent) -> None:
    async with agent(endless) as running:
        async with connect(running.socket_url) as socket:
            await socket.send(json.dumps({"prompt": "Well?", "transport": "binary"}))
            while not isinstance(await socket.recv(), bytes):
                pass
            await socket.send('{"type": "played", "played_s": 0.6}')
            await socket.send('{"type": "ping"}')
            while await socket.recv() != '{"type":"pong"}':
                pass
        await until(lambda: not running.service.sessions.busy)

        assert running.conversations[0].heard == len("One two")


async def test_a_socket_with_a_session_id_comes_back_to_its_conversation(agent) -> None:
    async with agent() as running:
        for _ in range(2):
            async with connect(f"{running.socket_url}?{SESSION_HEADER}={LISTENER}") as socket:
                await socket.send('{"prompt": "Well?"}')
                while json.loads(await socket.recv())["type"] != "agent_end":
                    pass

    assert len(running.conversations) == 1


async def test_the_sockets_session_id_must_be_one(agent) -> None:
    async with agent() as running, connect(f"{running.socket_url}?{SESSION_HEADER}=short") as socket:
        assert json.loads(await socket.recv())["code"] == "invalid_field"
