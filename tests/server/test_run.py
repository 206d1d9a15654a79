"""The process's life: loading, draining, leaving."""

import re
import signal
import socket
import threading

import anyio
import anyio.to_thread
import pytest
from websockets.asyncio.client import connect

from primavoce.assets.locations import AssetLocations
from primavoce.client import SpeechSession
from primavoce.errors import AssetMissing, InvalidSetting
from primavoce.server.lobby import GOODBYE_S
from primavoce.server.run import listen, serve
from primavoce.server.serving import GRACE_S, Server
from primavoce.server.tracing import CLOSE_S, NoTracing
from primavoce.settings import Settings
from primavoce.synthesis.engine import Engine
from primavoce.testing.fake_engine import FakeG2P, FakeModel, FakeStyles, fake_engine
from tests.server.test_limits import OPERATIONS

pytestmark = pytest.mark.anyio


def settings(tmp_path) -> Settings:
    return Settings(assets=AssetLocations(cache_dir=tmp_path))


async def test_sockets_are_accepted_while_the_model_loads_and_wait_for_it(tmp_path) -> None:
    loaded = threading.Event()

    def load_model() -> FakeModel:
        assert loaded.wait(timeout=10)
        return FakeModel()

    engine = Engine(load_model=load_model, load_g2p=FakeG2P, styles=FakeStyles())
    listener = listen("127.0.0.1", 0)
    host, port = listener.getsockname()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(serve, engine, settings(tmp_path), listener)

        async with SpeechSession(f"ws://{host}:{port}") as session, session.utterance("Hello.") as utterance:
            loaded.set()
            audio = b"".join([pcm async for pcm in utterance.audio()])
        tasks.cancel_scope.cancel()

    assert audio


async def test_an_engine_that_cannot_be_loaded_ends_the_server_with_its_reason(tmp_path) -> None:
    def load_model() -> FakeModel:
        raise AssetMissing("the weights", "nowhere")

    engine = Engine(load_model=load_model, load_g2p=FakeG2P, styles=FakeStyles())

    with anyio.fail_after(10), pytest.raises(AssetMissing):
        await serve(engine, settings(tmp_path), listen("127.0.0.1", 0))


async def test_a_port_in_use_is_a_setting_that_cannot_be_used() -> None:
    taken = listen("127.0.0.1", 0)

    with taken, pytest.raises(InvalidSetting, match="can't listen"):
        listen("127.0.0.1", taken.getsockname()[1])


async def test_sigterm_lets_the_utterance_end_and_says_why_the_session_does(tmp_path) -> None:
    reached, let_go = threading.Event(), threading.Event()

    def before() -> None:
        reached.set()
        assert let_go.wait(timeout=10)

    engine = fake_engine(model=FakeModel(before=before))
    listener = listen("127.0.0.1", 0)
    url = "ws://{}:{}/invocations-bidirectional-stream".format(*listener.getsockname())
    frames: list[str | bytes] = []
    with anyio.fail_after(20):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(serve, engine, settings(tmp_path), listener)
            async with connect(url) as socket:
                await socket.send('{"text": "The last words.", "request_id": "r"}')
                await anyio.to_thread.run_sync(reached.wait)

                signal.raise_signal(signal.SIGTERM)
                async with connect(url) as late:
                    refusal = await late.recv()
                    while "draining" not in str(refusal):  # until the signal is noticed
                        await late.close()
                        async with connect(url) as late_again:
                            await late_again.send('{"type": "ping"}')
                            refusal = await late_again.recv()
                let_go.set()
                while not frames or "session_complete" not in str(frames[-1]):
                    frames.append(await socket.recv())

    assert '"code":"draining"' in str(refusal)
    kinds = [frame[:40] if isinstance(frame, str) else b"audio" for frame in frames]
    assert "synthesis_complete" in str(kinds[-2])
    assert frames[-1] == '{"type":"session_complete","reason":"draining"}'


async def test_the_last_spans_are_sent_while_uvicorn_closes_its_connections(tmp_path, monkeypatch) -> None:
    closing = threading.Event()

    class LastSpans(NoTracing):
        def close(self) -> None:
            closing.set()

    class Patient(Server):
        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            assert await anyio.to_thread.run_sync(closing.wait, 10)
            await super().shutdown(sockets)

    monkeypatch.setattr("primavoce.server.app.tracing_to", lambda _: LastSpans())
    monkeypatch.setattr("primavoce.server.serving.Server", Patient)
    with anyio.fail_after(20):
        await serve(
            fake_engine(),
            settings(tmp_path),
            listen("127.0.0.1", 0),
            on_ready=lambda _: signal.raise_signal(signal.SIGTERM),
        )

    assert closing.is_set()


def test_the_process_leaves_in_the_time_that_is_promised(tmp_path) -> None:
    promised = re.search(r"at the latest (\d+) s after the signal", OPERATIONS.read_text())
    drained_s = settings(tmp_path).drain_s + GOODBYE_S
    polite_s = 0.1  # that Uvicorn waits for its connections before it begins to count

    assert promised is not None
    assert drained_s + max(polite_s + GRACE_S, CLOSE_S) <= int(promised[1]) - 0.2  # for all that takes no time


def test_no_frame_waits_for_the_one_before_to_be_acknowledged() -> None:
    with listen("127.0.0.1", 0) as listener, socket.create_connection(listener.getsockname()):
        connection, _ = listener.accept()
        with connection:
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
