"""What the world does to a server: clients that die, that stall, that come all at once; a model, a disk, a clock."""

import json
import os
import random
import signal
import socket as sockets
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import anyio
import anyio.to_thread
import pytest
from anyio.streams.buffered import BufferedByteReceiveStream
from typer.testing import CliRunner

from primavoce.cli.commands import app
from primavoce.kokoro.prepare import prepare
from primavoce.protocol.client import Audio
from primavoce.protocol.messages import (
    Cancelled,
    Error,
    Pong,
    SessionComplete,
    SynthesisComplete,
    SynthesisStart,
)
from primavoce.server.session import SessionPolicy
from primavoce.synthesis.engine import Engine
from primavoce.testing.fake_engine import FakeG2P, FakeModel, FakeStyles, fake_engine
from tests.server.rough_clients import frame, handshake
from tests.server.test_http import ask
from tests.server.test_limits import LAST_PIECE, request
from tests.server.test_session import Caller, Gate, calling, kinds, seconds
from tests.server.test_stalled_readers import stalled_client

pytestmark = pytest.mark.anyio

LONG = "One two three four five six seven eight nine ten. "


async def until_empty(server) -> None:
    with anyio.fail_after(10):
        while len(server.lobby):  # noqa: ASYNC110 - the server has no event for a test to wait for
            await anyio.sleep(0.001)


# --- a client that is killed


def kill(socket: sockets.socket, way: str) -> None:
    """End a connection as the system does for a process that has died (FIN), or as one that is gone answers (RST)."""
    if way == "reset":
        socket.setsockopt(sockets.SOL_SOCKET, sockets.SO_LINGER, struct.pack("ii", 1, 0))
    socket.close()


def connected(address: str) -> sockets.socket:
    parts = urlsplit(address)
    return sockets.create_connection((parts.hostname, parts.port), timeout=10)


class RawCaller:
    """A client on a bare socket, which can be killed at any moment."""

    def __init__(self, socket: sockets.socket) -> None:
        self._socket = socket
        self._read = b""

    def upgrade(self) -> None:
        self._socket.sendall(handshake(random.Random(0)))
        while b"\r\n\r\n" not in self._read:
            self._read += self._socket.recv(65536)
        assert self._read.startswith(b"HTTP/1.1 101 ")

    def send(self, raw: bytes) -> None:
        self._socket.sendall(raw)

    def say(self, **message: object) -> None:
        self.send(frame(json.dumps(message).encode()))

    def until(self, words: bytes) -> None:
        while words not in self._read:
            part = self._socket.recv(65536)
            assert part, "the server has left"
            self._read += part

    def until_closed(self) -> bytes:
        try:
            while part := self._socket.recv(65536):
                self._read += part
        except ConnectionResetError:
            pass
        return self._read


def before_the_upgrade(caller: RawCaller, gate: Gate) -> None:
    caller.send(b"GET /invocations-bidirectional-stream HTTP/1.1\r\nHost: localhost\r\nUpgr")


def after_the_upgrade(caller: RawCaller, gate: Gate) -> None:
    caller.upgrade()


def in_the_middle_of_a_frame(caller: RawCaller, gate: Gate) -> None:
    caller.upgrade()
    caller.send(frame(b'{"text": "Good morning."}')[:9])


def in_the_middle_of_a_text(caller: RawCaller, gate: Gate) -> None:
    caller.upgrade()
    caller.say(type="text", text="One moment. Let", request_id="r")
    caller.until(b"synthesis_start")


def while_the_model_works(caller: RawCaller, gate: Gate) -> None:
    caller.upgrade()
    caller.say(text=LONG, request_id="r")
    assert gate.reached.acquire(timeout=10)


def while_audio_streams(caller: RawCaller, gate: Gate) -> None:
    caller.upgrade()
    caller.say(text=LONG * 20, request_id="r")
    gate.open(2)
    caller.until(b"synthesis_start")
    assert gate.reached.acquire(timeout=10)
    assert gate.reached.acquire(timeout=10)


def after_a_cancel(caller: RawCaller, gate: Gate) -> None:
    while_the_model_works(caller, gate)
    caller.say(type="cancel", request_id="r")
    caller.until(b"cancelled")


def with_requests_waiting(caller: RawCaller, gate: Gate) -> None:
    while_the_model_works(caller, gate)
    for _ in range(3):
        caller.say(text=LONG)
    caller.say(type="ping")
    caller.until(b"pong")


def before_the_close(caller: RawCaller, gate: Gate) -> None:
    caller.upgrade()
    gate.open()
    caller.say(text="Good morning.", request_id="r")
    caller.until(b"synthesis_complete")


def after_the_close_was_asked_for(caller: RawCaller, gate: Gate) -> None:
    caller.upgrade()
    caller.say(type="close")
    caller.until(b"session_complete")


STAGES: list[Callable[[RawCaller, Gate], None]] = [
    before_the_upgrade,
    after_the_upgrade,
    in_the_middle_of_a_frame,
    in_the_middle_of_a_text,
    while_the_model_works,
    while_audio_streams,
    after_a_cancel,
    with_requests_waiting,
    before_the_close,
    after_the_close_was_asked_for,
]


@pytest.mark.parametrize("way", ["fin", "reset"])
@pytest.mark.parametrize("stage", STAGES, ids=lambda stage: stage.__name__)
async def test_a_client_that_is_killed_gives_its_place_away(
    serving, stage: Callable[[RawCaller, Gate], None], way: str
) -> None:
    gate = Gate()

    def live_and_die(address: str) -> None:
        with connected(address) as socket:
            stage(RawCaller(socket), gate)
            kill(socket, way)

    async with serving(fake_engine(model=FakeModel(before=gate, parts_per_segment=3)), max_sessions=1) as server:
        with anyio.fail_after(20):
            await anyio.to_thread.run_sync(live_and_die, server.address)
        await until_empty(server)
        gate.open()
        async with calling(server.session_url) as caller:
            await caller.send(text="Hello.")
            events = await caller.until(SynthesisComplete)

    assert seconds(events) > 0


# --- a client that is gone and doesn't say so


async def test_a_half_open_socket_falls_to_the_idle_limit_and_its_connection_is_closed(serving, monkeypatch) -> None:
    monkeypatch.setattr("primavoce.server.session.WATCH_PERIOD_S", 0.01)
    monkeypatch.setattr("primavoce.server.session.CLOSE_PATIENCE_S", 0.01)
    monkeypatch.setattr("primavoce.server.transport.LINGER_S", 0.1)

    def be_silent(address: str) -> bytes:
        with connected(address) as socket:
            caller = RawCaller(socket)
            caller.upgrade()
            caller.say(type="ping")  # the last that is heard of it: it answers no close, and sends no FIN
            return caller.until_closed()

    async with serving(session_idle_s=0.05, max_sessions=1) as server:
        with anyio.fail_after(5):  # Uvicorn by itself waits 10 s for the answer to its close
            told = await anyio.to_thread.run_sync(be_silent, server.address)
        await until_empty(server)
        async with calling(server.session_url) as caller:
            await caller.send(text="Hello.")
            await caller.until(SynthesisComplete)

    assert b'"reason":"idle"' in told


async def test_a_half_open_socket_in_mid_utterance_costs_the_model_no_more_than_may_be_ahead(
    serving, monkeypatch
) -> None:
    made = 0

    def before() -> None:
        nonlocal made
        made += 1

    async with serving(fake_engine(model=FakeModel(before=before)), send_timeout_s=0.2, max_ahead_s=3.0) as server:
        with stalled_client(server.address) as gone:
            caller = RawCaller(gone)
            await anyio.to_thread.run_sync(caller.upgrade)
            caller.say(text=LONG * 400)
            while not made:  # noqa: ASYNC110 - the model runs on a thread of its own
                await anyio.sleep(0.001)
            async with calling(server.session_url) as other:
                await other.send(text="Hello.")
                await other.until(SynthesisComplete)
            at_most = made

    assert at_most < 20  # of some four hundred segments


async def test_a_slow_reader_gets_everything_and_holds_nobody(serving) -> None:
    def read_slowly(connection: sockets.socket) -> bytes:
        received = b""
        connection.settimeout(10)
        while not received.endswith(LAST_PIECE):
            received += connection.recv(4000)
        return received

    # Far more than the system's buffers hold, to a client that takes it by little spoonfuls, each in time.
    async with serving(send_timeout_s=5.0, send_buffer_bytes=8192) as server, calling(server.session_url) as caller:
        with stalled_client(server.address) as slow:
            slow.sendall(request({"text": LONG * 10, "format": "pcm", "request_id": "slow"}))
            await caller.send(text="Hello.")
            await caller.until(SynthesisComplete)
            received = await anyio.to_thread.run_sync(read_slowly, slow)
        _, _, whole = await ask(server.address, {"text": LONG * 10, "format": "pcm"})

    assert len(received) > len(whole) > 1_000_000


# --- all at once


async def test_of_two_hundred_who_come_at_once_all_are_answered_and_the_next_is_served(serving) -> None:
    outcomes: list[str] = []

    async def come(url: str) -> None:
        async with calling(url) as caller:
            await caller.send(text="Hello.", request_id="r")
            event = (await caller.until((SynthesisComplete, Error)))[-1]  # type: ignore[arg-type]
            outcomes.append(event.code if isinstance(event, Error) else "spoken")

    async with serving(max_sessions=20) as server:
        with anyio.fail_after(30):
            async with anyio.create_task_group() as tasks:
                for _ in range(200):
                    tasks.start_soon(come, server.session_url)
        await until_empty(server)
        async with calling(server.session_url) as caller:
            await caller.send(text="Hello.")
            await caller.until(SynthesisComplete)

    assert len(outcomes) == 200
    assert set(outcomes) == {"spoken", "overloaded"}
    assert outcomes.count("spoken") >= 20


# --- a signal

PROGRAM = """
import sys, anyio
from pathlib import Path
from primavoce.assets.locations import AssetLocations
from primavoce.cli.ending import leave_at_once
from primavoce.server.run import configure_logging, listen, serve
from primavoce.settings import Settings
from primavoce.testing.fake_engine import FakeModel, fake_engine

made = 0

def before():
    global made
    made += 1
    if made == 2:
        print("in mid-utterance", flush=True)
        sys.stdin.readline()

settings = Settings(assets=AssetLocations(cache_dir=Path("/nonexistent")), drain_s=10.0)
listener = listen("127.0.0.1", 0)
configure_logging("warning")
print(*listener.getsockname(), flush=True)
anyio.run(serve, fake_engine(model=FakeModel(before=before, parts_per_segment=4)), settings, listener)
leave_at_once()
"""


async def test_sigterm_in_mid_utterance_lets_it_end_whole_and_the_process_leaves_in_time(serving) -> None:
    async with serving() as other, calling(other.session_url) as caller:
        await caller.send(text=LONG)
        whole_s = seconds(await caller.until(SynthesisComplete))
    command = [sys.executable, "-c", PROGRAM]
    process = await anyio.open_process(command, stdin=subprocess.PIPE, stderr=None, env=dict(os.environ))
    async with process:
        assert process.stdout is not None
        assert process.stdin is not None
        said = BufferedByteReceiveStream(process.stdout)
        with anyio.fail_after(20):
            host, port = (await said.receive_until(b"\n", 1000)).decode().split()
            async with calling(f"ws://{host}:{port}/invocations-bidirectional-stream") as caller:
                await caller.send(text=LONG, request_id="r")
                assert await said.receive_until(b"\n", 1000) == b"in mid-utterance"

                process.send_signal(signal.SIGTERM)
                while (await ask(f"http://{host}:{port}", path="/ping", method="GET"))[0] != 503:
                    pass
                await process.stdin.send(b"go on\n")
                events = await caller.until(SessionComplete)
                await caller.socket.close()
            status = await process.wait()

    assert kinds(events)[-2:] == ["SynthesisComplete", "SessionComplete"]
    assert seconds(events) == pytest.approx(whole_s, abs=0.01)
    assert status == 0


# --- the model


async def test_a_model_that_fails_in_one_window_ends_that_utterance_and_others_go_on(serving) -> None:
    failing = threading.Event()
    gate = Gate()

    class Model(FakeModel):
        def _parts(self, ids: list[int], speed: float) -> Iterator[object]:  # type: ignore[override]
            for number, part in enumerate(super()._parts(ids, speed)):
                if speed == 2.0 and number == 2:  # the third window of who asked for that speed
                    failing.set()
                    raise RuntimeError("the secret reason")
                yield part

    model = Model(before=gate, parts_per_segment=4)
    async with (
        serving(fake_engine(model=model)) as server,
        calling(server.session_url) as sick,
        calling(server.session_url) as well,
    ):
        await well.send(text=LONG, request_id="w")
        await gate.wait_until_reached()
        await sick.send(text=LONG, request_id="s", speed=2.0)
        await sick.send(text="Hello.", request_id="next")
        gate.open()
        failed = await sick.until(Error)
        after = await sick.until(SynthesisComplete)
        others = await well.until(SynthesisComplete)

    error = failed[-1]
    assert failing.is_set()
    assert isinstance(error, Error)
    assert (error.request_id, error.code, error.fatal) == ("s", "synthesis_failed", False)
    assert any(isinstance(event, Audio) for event in failed)
    assert isinstance(after[0], SynthesisStart)
    assert after[0].request_id == "next"
    assert seconds(others) > 0


async def test_a_model_that_hangs_turns_ping_and_others_are_still_answered(serving, monkeypatch) -> None:
    monkeypatch.setattr("primavoce.synthesis.worker.LEAST_EXPECTED_S", 0.001)
    gate = Gate()
    async with (
        serving(fake_engine(model=FakeModel(before=gate)), stuck_factor=2.0) as server,
        calling(server.session_url) as victim,
    ):
        await victim.send(text="Hello.", request_id="v")
        await gate.wait_until_reached()

        with anyio.fail_after(10):
            while (answer := await ask(server.address, path="/ping", method="GET"))[0] == 200:
                pass
        async with calling(server.session_url) as other:
            await other.send(type="ping", request_id="p")
            pong = await other.next()
            await other.send(text="Hello.", voice="nobody")
            error = await other.next()
        refused = await ask(server.address, {"text": ""})
        await victim.send(type="cancel")
        cancelled = (await victim.until(Cancelled))[-1]

        gate.open()
        await victim.send(text="Hello.")
        await victim.until(SynthesisComplete)
        recovered, _, _ = await ask(server.address, path="/ping", method="GET")

    assert (answer[0], json.loads(answer[2])) == (503, {"status": "stuck"})
    assert isinstance(pong, Pong)
    assert isinstance(error, Error)
    assert (error.code, refused[0]) == ("unknown_voice", 400)
    assert isinstance(cancelled, Cancelled)
    assert recovered == 200


# --- the disk


def test_a_full_disk_ends_the_server_with_one_sentence(tmp_path: Path, monkeypatch) -> None:
    def fill(source: Path, made: object) -> None:
        with Path("/dev/full").open("wb", buffering=0) as file:
            file.write(b"more than there is room for")

    def load_model() -> FakeModel:
        prepare(tmp_path / "export", tmp_path / "cache", source_sha256="0" * 64, probe_style=lambda _: None)  # type: ignore[arg-type, return-value]
        return FakeModel()

    def engine(*_: object, **__: object) -> Engine:
        return Engine(load_model=load_model, load_g2p=FakeG2P, styles=FakeStyles())

    monkeypatch.setattr("primavoce.kokoro.prepare._make", fill)
    monkeypatch.setattr("primavoce.synthesis.kokoro_engine.kokoro_engine", engine)
    monkeypatch.setattr("primavoce.server.run.configure_logging", lambda level: None)  # it would outlive the test
    monkeypatch.setattr(os, "_exit", sys.exit)  # the command leaves at once, and this process has more to do

    ended = CliRunner().invoke(app, ["serve", "--port", "0"])

    lines = [line for line in ended.stderr.splitlines() if line.startswith("primavoce: ")]
    assert ended.exit_code == 1
    assert len(lines) == 1
    assert "no space" in lines[0].lower()
    assert str(tmp_path / "cache") in lines[0]
    assert "Traceback" not in ended.output
    assert list((tmp_path / "cache").iterdir()) == []


SMALL_DISK = 'mount -t tmpfs -o size=4m none "$1" && exec "$2" -m primavoce serve --port 0'


@pytest.mark.model
@pytest.mark.timeout(300)
def test_a_disk_that_is_really_full_does_so_too(asset_store, weights_path: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    cache.mkdir()
    asset_store.voice("af_heart")
    # A name space of its own, in which anybody may mount, and which ends with the process.
    apart = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c"]
    if subprocess.run([*apart, "mount -t tmpfs none /mnt"], capture_output=True, check=False).returncode:
        pytest.skip("this system lets nobody mount a small disk")
    environ = {**os.environ, "PRIMAVOCE_CACHE": str(cache), "PRIMAVOCE_ASSETS": str(weights_path.parent)}

    ended = subprocess.run(
        [*apart, SMALL_DISK, "sh", str(cache), sys.executable],
        env={**environ, "PRIMAVOCE_LOG_LEVEL": "warning"},
        capture_output=True,
        text=True,
        timeout=250,
        check=False,
    )

    last = ended.stderr.splitlines()[-1]
    assert ended.returncode == 1, ended.stderr
    assert last.startswith("primavoce: ")
    assert str(cache) in last
    assert "Traceback" not in ended.stderr


# --- the clock


async def test_a_wall_clock_that_jumps_is_seen_by_time_stamps_alone(serving, monkeypatch) -> None:
    now = [time.time()]
    policy = partial(SessionPolicy, wall_clock=lambda: now[0])
    monkeypatch.setattr("primavoce.server.policies.SessionPolicy", policy)
    gate = Gate()

    async def stamped(caller: Caller, stamp: float) -> str:
        await caller.send(text="Hello.", request_timestamp=stamp)
        event = (await caller.until((SynthesisComplete, Error)))[-1]  # type: ignore[arg-type]
        return event.code if isinstance(event, Error) else "spoken"

    heard = {}
    async with (
        serving(fake_engine(model=FakeModel(before=gate, parts_per_segment=2))) as server,
        calling(server.session_url) as caller,
    ):
        for jump_s in (86_400.0 * 3, -86_400.0 * 6):
            await caller.send(text=LONG, request_id="r")
            gate.open(1)
            await gate.wait_until_reached()
            before = now[0]
            now[0] += jump_s
            gate.open()
            complete = (await caller.until(SynthesisComplete))[-1]
            assert isinstance(complete, SynthesisComplete)
            assert 0 <= complete.elapsed_s < 10
            heard[jump_s] = [await stamped(caller, stamp) for stamp in (before, now[0], now[0] - 50)]
            ping = await ask(server.address, path="/ping", method="GET")
            assert ping[0] == 200

    # Forward, what was now is stale; back, it is of another day's future.
    assert heard == {
        86_400.0 * 3: ["request_stale", "spoken", "spoken"],
        -86_400.0 * 6: ["invalid_field", "spoken", "spoken"],
    }
