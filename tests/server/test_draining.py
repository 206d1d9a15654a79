"""How the server leaves: what is being spoken ends, what waits is given back, and the process goes in time."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
import anyio.lowlevel
import pytest
from anyio.abc import Process
from anyio.streams.buffered import BufferedByteReceiveStream
from websockets.asyncio.client import ClientConnection, connect

from primavoce.protocol.client import Audio
from primavoce.protocol.messages import Error, SessionComplete, SynthesisComplete
from primavoce.server.connection import SocketConnection
from primavoce.testing.fake_engine import FakeModel, fake_engine
from tests.server.test_http import ask
from tests.server.test_limits import LAST_PIECE, connect_to, read_all, request
from tests.server.test_session import Gate, calling, kinds

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def draining(server, *, within_s: float = 20.0) -> AsyncIterator[None]:
    """Drain the server, one of the test's own, while the block runs, and wait until it is empty."""
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(lambda: server.lobby.drain(within_s=within_s))
        await anyio.lowlevel.checkpoint()
        yield


async def test_what_is_spoken_ends_whole_and_what_waits_is_given_back_at_once(serving) -> None:
    gate = Gate()
    async with (
        serving(fake_engine(model=FakeModel(before=gate, parts_per_segment=2))) as server,
        calling(server.session_url) as caller,
    ):
        for name in "abc":
            await caller.send(text="The last words.", request_id=name)
        await gate.wait_until_reached()

        async with draining(server):
            given_back = [(await caller.until(Error))[-1] for _ in range(2)]
            gate.open()
            events = await caller.until(SessionComplete)
            await caller.socket.close()

    assert [(error.request_id, error.code) for error in given_back if isinstance(error, Error)] == [
        ("b", "draining"),
        ("c", "draining"),
    ]
    assert all(isinstance(error, Error) and error.retryable and not error.fatal for error in given_back)
    assert kinds(events)[-2:] == ["SynthesisComplete", "SessionComplete"]
    assert any(isinstance(event, Audio) for event in events)
    assert events[-1] == SessionComplete(reason="draining")


async def test_an_utterance_whose_text_is_still_coming_is_spoken_to_its_end(serving) -> None:
    async with serving(max_sessions=9) as server, calling(server.session_url) as caller:
        await caller.send(type="text", text="One moment. Le", request_id="r")
        await caller.until(Audio)

        async with draining(server):
            await caller.send(type="text", text="t me look.", request_id="r")
            await caller.send(type="end", request_id="r")
            events = await caller.until(SessionComplete)
            await caller.socket.close()

    complete = events[-2]
    assert isinstance(complete, SynthesisComplete)
    assert (complete.characters, complete.segments) == (len("One moment. Let me look."), 2)


async def test_a_long_utterance_is_not_held_back_for_its_listener_any_more(serving) -> None:
    async with serving(max_ahead_s=1.0) as server, calling(server.session_url) as caller:
        await caller.send(text="One two three four five. " * 40)
        await caller.until(Audio)

        with anyio.fail_after(20):
            async with draining(server):
                events = await caller.until(SessionComplete)
                await caller.socket.close()

    complete = events[-2]
    assert isinstance(complete, SynthesisComplete)
    assert complete.total_duration_s > 30  # a minute of speech, and nobody waited for it to be heard


async def test_what_has_not_ended_in_time_gets_draining_and_may_be_asked_for_elsewhere(serving) -> None:
    gate = Gate()
    async with (
        serving(fake_engine(model=FakeModel(before=gate))) as server,
        calling(server.session_url) as caller,
    ):
        await caller.send(text="The last words.", request_id="r")
        await gate.wait_until_reached()

        async with draining(server, within_s=0.01):
            events = await caller.until(SessionComplete)
            await caller.socket.close()
        gate.open()

    error = events[-2]
    assert isinstance(error, Error)
    assert (error.request_id, error.code, error.retryable, error.fatal) == ("r", "draining", True, False)
    assert events[-1] == SessionComplete(reason="draining")


async def test_nobody_is_let_in_any_more_and_is_told_why(serving) -> None:
    async with serving(max_sessions=2) as server:
        await server.lobby.drain(within_s=1.0)

        ping = await ask(server.address, path="/ping", method="GET")
        refused = await ask(server.address, {"text": "Hello.", "request_id": "r"})
        async with calling(server.session_url) as caller:
            events = await caller.until(SessionComplete)

    assert (ping[0], json.loads(ping[2])) == (503, {"status": "draining"})
    assert (refused[0], refused[1]["retry-after"]) == (503, "1")
    assert json.loads(refused[2]) == {
        "error": "draining",
        "message": "the server is shutting down",
        "request_id": "r",
        "retryable": True,
    }
    assert isinstance(events[0], Error)
    assert (events[0].code, events[0].fatal) == ("draining", True)
    assert events[1] == SessionComplete(reason="draining")


async def test_an_answer_over_http_ends_whole(serving) -> None:
    gate = Gate()
    async with serving(fake_engine(model=FakeModel(before=gate))) as server, await connect_to(server.address) as stream:
        await stream.send(request({"text": "The last words. And more."}))
        await gate.wait_until_reached()

        async with draining(server):
            gate.open()
            told = b""
            while not told.endswith(LAST_PIECE):
                told += await stream.receive()

    assert told.startswith(b"HTTP/1.1 200 ")


async def test_an_answer_that_has_not_begun_in_time_is_503_and_one_that_has_is_broken_off(serving) -> None:
    gate = Gate()
    async with (
        serving(fake_engine(model=FakeModel(before=gate, parts_per_segment=2))) as server,
        await connect_to(server.address) as begun,
        await connect_to(server.address) as waiting,
    ):
        await begun.send(request({"text": "The last words."}))
        gate.open(1)
        told = await begun.receive()
        await gate.wait_until_reached()
        await waiting.send(request({"text": "Too late."}))
        while len(server.lobby) < 2:  # noqa: ASYNC110 - the server has no event for a test to wait for
            await anyio.sleep(0.001)

        async with draining(server, within_s=0.01):
            refusal = await waiting.receive()
            told += await read_all(begun)
        gate.open()

    assert refusal.startswith(b"HTTP/1.1 503 ")
    assert b"retry-after: 1" in refusal
    assert b'"draining"' in refusal
    assert told.startswith(b"HTTP/1.1 200 ")
    assert not told.endswith(LAST_PIECE)


@pytest.mark.parametrize("within_s", [60.0, 0.01], ids=["speaking", "cut"])
async def test_a_reader_who_has_stopped_does_not_hold_the_draining_up(serving, monkeypatch, within_s: float) -> None:
    stopped = anyio.Event()
    pause_writing = SocketConnection.pause_writing

    def note(connection: SocketConnection) -> None:
        stopped.set()
        pause_writing(connection)

    monkeypatch.setattr(SocketConnection, "pause_writing", note)
    async with serving(send_timeout_s=0.2) as server, calling(server.session_url) as stalled:
        stalled.socket.transport.pause_reading()
        await stalled.send(text="One two three four five. " * 2000, sample_rate=48_000)

        with anyio.fail_after(20):
            await stopped.wait()
            assert len(server.lobby) == 1
            emptied = await server.lobby.drain(within_s=within_s)
        stalled.socket.transport.abort()

    assert emptied
    assert len(server.lobby) == 0


# --- the process

PROGRAM = """
import sys, threading, anyio
from pathlib import Path
from primavoce.assets.locations import AssetLocations
from primavoce.cli.ending import leave_at_once
from primavoce.server.run import configure_logging, listen, serve
from primavoce.settings import Settings
from primavoce.synthesis.engine import Engine
from primavoce.testing.fake_engine import FakeG2P, FakeModel, FakeStyles

never = threading.Event()

def load_model():
    if sys.argv[1] == "loading":
        print("loading", flush=True)
        never.wait()
    return FakeModel(before=before)

def before():
    if sys.argv[1] == "speaking":
        print("speaking", flush=True)
        never.wait()

settings = Settings(assets=AssetLocations(cache_dir=Path("/nonexistent")), drain_s=float(sys.argv[2]))
listener = listen("127.0.0.1", 0)
configure_logging("warning")
print(*listener.getsockname(), flush=True)
engine = Engine(load_model=load_model, load_g2p=FakeG2P, styles=FakeStyles())
anyio.run(serve, engine, settings, listener)
leave_at_once()
"""


class Program:
    """A server's process."""

    def __init__(self, process: Process) -> None:
        assert process.stdout is not None
        self.process = process
        self._said = BufferedByteReceiveStream(process.stdout)

    async def line(self) -> str:
        with anyio.fail_after(20):
            return (await self._said.receive_until(b"\n", 1000)).decode()

    async def status(self, *, within_s: float) -> int:
        with anyio.fail_after(within_s):
            return await self.process.wait()


@asynccontextmanager
async def program(what: str, *, drain_s: float) -> AsyncIterator[tuple[Program, str]]:
    """Run a server whose model never does ``what`` to its end; yields it and its address."""
    command = [sys.executable, "-c", PROGRAM, what, str(drain_s)]
    async with await anyio.open_process(command, stdout=subprocess.PIPE, stderr=None, env=dict(os.environ)) as process:
        running = Program(process)
        host, port = (await running.line()).split()
        try:
            yield running, f"{host}:{port}"
        finally:
            if process.returncode is None:
                process.kill()


async def until_complete(socket: ClientConnection) -> list[dict[str, object]]:
    """Return the messages up to the last one, and close as a client does."""
    messages: list[dict[str, object]] = []
    with anyio.fail_after(20):
        while not messages or messages[-1]["type"] != "session_complete":
            messages.append(json.loads(await socket.recv()))
    await socket.close()
    return messages


SESSION = "ws://{}/invocations-bidirectional-stream"


async def test_the_process_leaves_in_time_though_its_model_hangs(serving) -> None:
    async with program("speaking", drain_s=0.1) as (running, address), connect(SESSION.format(address)) as socket:
        await socket.send('{"text": "The last words.", "request_id": "r"}')
        assert await running.line() == "speaking"

        running.process.send_signal(signal.SIGTERM)
        frames = await until_complete(socket)
        status = await running.status(within_s=10)

    assert [frame["type"] for frame in frames] == ["synthesis_start", "error", "session_complete"]
    assert (frames[1]["code"], frames[2]["reason"]) == ("draining", "draining")
    assert status == 0


async def test_a_second_signal_does_not_wait_for_anybody() -> None:
    async with program("speaking", drain_s=3600.0) as (running, address), connect(SESSION.format(address)) as socket:
        await socket.send('{"text": "The last words."}')
        assert await running.line() == "speaking"

        running.process.send_signal(signal.SIGTERM)
        while (await ask(f"http://{address}", path="/ping", method="GET"))[0] != 503:
            pass
        assert running.process.returncode is None
        running.process.send_signal(signal.SIGTERM)

        assert await running.status(within_s=10) == -signal.SIGTERM


async def test_a_process_that_is_still_loading_leaves_at_once_and_gives_back_who_waits() -> None:
    async with program("loading", drain_s=3600.0) as (running, address), connect(SESSION.format(address)) as socket:
        assert await running.line() == "loading"
        await socket.send('{"text": "The first words.", "request_id": "r"}')
        start = json.loads(await socket.recv())

        running.process.send_signal(signal.SIGTERM)
        frames = await until_complete(socket)
        status = await running.status(within_s=10)

    assert start["type"] == "synthesis_start"
    assert [frame["type"] for frame in frames] == ["error", "session_complete"]
    assert (frames[0]["code"], frames[0]["request_id"]) == ("draining", "r")
    assert status == 0
