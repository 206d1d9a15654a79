"""What goes wrong with the published container, one test a fault, does not go wrong here."""

import json
import threading
import time
from collections.abc import Iterator
from functools import partial

import anyio
import anyio.to_thread
import numpy as np
import pytest

from primavoce.assets.locations import AssetLocations
from primavoce.protocol.client import Audio
from primavoce.protocol.messages import (
    Cancelled,
    Error,
    Pong,
    SessionComplete,
    SynthesisComplete,
    SynthesisStart,
)
from primavoce.protocol.server import ServerSession
from primavoce.server.run import listen, serve
from primavoce.server.session import SessionPolicy
from primavoce.settings import Settings
from primavoce.synthesis.engine import Engine
from primavoce.synthesis.segment import Samples
from primavoce.testing.fake_engine import FakeG2P, FakeModel, FakeStyles, fake_engine
from tests.server.test_http import ask
from tests.server.test_limits import connect_to, request
from tests.server.test_session import Gate, calling, kinds, seconds
from tests.server.test_stalled_readers import stalled_client

pytestmark = pytest.mark.anyio

BAD_BODIES = (
    b"",
    b"{",
    b"[]",
    b"null",
    b"\xff",
    b'{"text": 3}',
    b'{"text": "a", "voice": {}}',
    b'{"text": "a", "speed": 0}',
)


async def test_malformed_bodies_leak_no_slot(serving) -> None:
    async def ask_badly(address: str, first: int) -> None:
        for number in range(first, first + 125):
            assert (await ask(address, BAD_BODIES[number % len(BAD_BODIES)]))[0] == 400

    async with serving(max_sessions=2) as server:
        async with anyio.create_task_group() as tasks:
            for first in range(4):
                tasks.start_soon(ask_badly, server.address, first)
        status, _, body = await ask(server.address, {"text": "Good morning."})
        with anyio.fail_after(10):
            while len(server.lobby):  # noqa: ASYNC110 - the server has no event for a test to wait for
                await anyio.sleep(0.001)

    assert (status, len(body) > 44) == (200, True)


async def test_an_answer_abandoned_before_its_first_byte_leaks_no_slot(serving) -> None:
    gate = Gate()
    async with serving(fake_engine(model=FakeModel(before=gate)), max_sessions=1) as server:
        for _ in range(5):
            async with await connect_to(server.address) as stream:
                await stream.send(request({"text": "Never mind."}))
                await gate.wait_until_reached()
            gate.open(1)
            with anyio.fail_after(10):
                while len(server.lobby):  # noqa: ASYNC110 - the server has no event for a test to wait for
                    await anyio.sleep(0.001)
        gate.open()
        status, _, _ = await ask(server.address, {"text": "Good morning."})

    assert status == 200


async def test_a_stalled_reader_holds_nobody(serving) -> None:
    async with serving(send_timeout_s=3600.0) as server, calling(server.session_url) as caller:
        with stalled_client(server.address) as stalled:
            stalled.sendall(request({"text": "One two three four five. " * 2000, "sample_rate": 48_000}))
            while not len(server.lobby):  # noqa: ASYNC110
                await anyio.sleep(0.001)

            for _ in range(3):
                status, _, _ = await ask(server.address, {"text": "Hello."})
                await caller.send(text="Hello.")
                events = await caller.until(SynthesisComplete)
            inside = len(server.lobby)

    assert status == 200
    assert seconds(events) > 0
    assert inside == 2  # it is still there


async def test_who_leaves_in_mid_stream_lets_nobody_in_beside_the_step_that_is_running(serving) -> None:
    inside = most = 0
    gate = Gate()

    class Watched(FakeModel):
        def _parts(self, ids: list[int], speed: float) -> Iterator[Samples]:  # type: ignore[override]
            nonlocal inside, most
            parts = super()._parts(ids, speed)
            while True:
                inside += 1
                most = max(most, inside)
                part = next(parts, None)
                inside -= 1
                if part is None:
                    return
                yield part

    async with serving(fake_engine(model=Watched(before=gate)), max_sessions=4) as server:
        async with await connect_to(server.address) as leaver:
            await leaver.send(request({"text": "I leave."}))
            await gate.wait_until_reached()
        async with calling(server.session_url) as caller:
            await caller.send(text="I stay.")
            start = await caller.next()
            gate.open()
            await caller.until(SynthesisComplete)

    assert isinstance(start, SynthesisStart)
    assert most == 1


async def test_a_sentence_is_sent_before_the_next_is_made(serving) -> None:
    gate = Gate()
    async with (
        serving(fake_engine(model=FakeModel(before=gate))) as server,
        calling(server.session_url) as caller,
    ):
        await caller.send(text="Good morning. And good night.")
        gate.open(1)
        events = await caller.until(Audio)
        await gate.wait_until_reached()
        gate.open()
        await caller.until(SynthesisComplete)

    assert kinds(events) == ["SynthesisStart", "Audio"]


@pytest.mark.parametrize("way", ["cancel", "leave"])
async def test_abandoned_work_does_not_go_on_beyond_its_window(serving, way: str) -> None:
    made = 0
    gate = Gate()

    def before() -> None:
        nonlocal made
        gate()
        made += 1

    async with serving(fake_engine(model=FakeModel(before=before, parts_per_segment=50)), max_sessions=9) as server:
        async with calling(server.session_url) as caller:
            await caller.send(text="A long sentence that is about to be cut short.", request_id="r")
            gate.open(1)
            await caller.until(Audio)
            await gate.wait_until_reached()
            if way == "cancel":
                await caller.send(type="cancel", request_id="r")
                assert isinstance((await caller.until(Cancelled))[-1], Cancelled)
        with anyio.fail_after(10):
            while len(server.lobby):  # noqa: ASYNC110
                await anyio.sleep(0.001)
        gate.open()
        await ask(server.address, {"text": "x"})

    assert made <= 3 + 50  # what was in hand, and the next request's own


async def test_a_request_that_grew_stale_in_the_queue_is_not_spoken(serving, monkeypatch) -> None:
    now = [time.time()]
    policy = partial(SessionPolicy, wall_clock=lambda: now[0])
    monkeypatch.setattr("primavoce.server.policies.SessionPolicy", policy)
    gate = Gate()
    async with (
        serving(fake_engine(model=FakeModel(before=gate))) as server,
        calling(server.session_url) as caller,
    ):
        await caller.send(text="First.", request_id="a")
        await gate.wait_until_reached()
        await caller.send(text="Second.", request_id="b", request_timestamp=now[0])
        await caller.send(type="ping")
        await caller.until(Pong)
        now[0] += 60.0
        gate.open()
        await caller.until(SynthesisComplete)
        error = await caller.next()

    assert isinstance(error, Error)
    assert (error.code, error.request_id, error.retryable) == ("request_stale", "b", True)


@pytest.mark.parametrize("speed", [0, -1, 1e9, "fast", True, [], {}])
async def test_speed_is_validated_on_both_ways(serving, speed: object) -> None:
    async with serving() as server, calling(server.session_url) as caller:
        await caller.send(text="Hello.", speed=speed, request_id="r")
        error = await caller.next()
        status, _, body = await ask(server.address, {"text": "Hello.", "speed": speed})

    assert isinstance(error, Error)
    assert (error.code, error.request_id, error.fatal) == ("invalid_speed", "r", False)
    assert (status, json.loads(body)["error"]) == (400, "invalid_speed")


async def test_samples_beyond_full_scale_are_clipped_and_never_wrap(serving) -> None:
    class Loud(FakeModel):
        def _parts(self, ids: list[int], speed: float) -> Iterator[Samples]:  # type: ignore[override]
            for part in super()._parts(ids, speed):
                yield np.full_like(part, 1.05)

    async with serving(fake_engine(model=Loud())) as server:
        for rate in (24_000, 48_000, 8_000):
            _, _, pcm = await ask(server.address, {"text": "Loud.", "format": "pcm", "sample_rate": rate})
            samples = np.frombuffer(pcm, np.int16)
            assert samples.max() == 32767
            assert samples.min() > -8000  # the resampler's own ripple where the sound begins, and no more


async def test_ping_answers_while_a_whole_answer_is_put_together(serving) -> None:
    gate = Gate()
    async with serving(fake_engine(model=FakeModel(before=gate))) as server, anyio.create_task_group() as tasks:
        tasks.start_soon(ask, server.address, {"text": "Good morning. " * 20, "stream": False, "sample_rate": 48_000})
        await gate.wait_until_reached()
        with anyio.fail_after(2):  # what the platform gives it
            status, _, _ = await ask(server.address, path="/ping", method="GET")
        gate.open()

    assert status == 200


async def test_no_exception_text_leaves_and_the_request_keeps_its_id(serving) -> None:
    def before() -> None:
        raise RuntimeError("the secret reason")

    async with serving(fake_engine(model=FakeModel(before=before))) as server, calling(server.session_url) as caller:
        await caller.send(text="Hello.", request_id="r")
        error = (await caller.until(Error))[-1]
        status, _, body = await ask(server.address, {"text": "Hello.", "request_id": "h"})

    assert isinstance(error, Error)
    assert (error.request_id, error.code, error.fatal) == ("r", "synthesis_failed", False)
    assert "secret" not in error.message
    assert (status, json.loads(body)["request_id"]) == (500, "h")
    assert b"secret" not in body


async def test_a_bug_of_ours_ends_its_session_in_good_order_and_no_other(serving, monkeypatch) -> None:
    receive = ServerSession.receive

    def broken(self: ServerSession, frame: str | bytes, *, now: float, wall_time: float) -> list[object]:
        if "poison" in str(frame):
            raise RuntimeError("the secret reason")
        return receive(self, frame, now=now, wall_time=wall_time)  # type: ignore[return-value]

    monkeypatch.setattr(ServerSession, "receive", broken)
    gate = Gate()
    async with (
        serving(fake_engine(model=FakeModel(before=gate))) as server,
        calling(server.session_url) as sick,
        calling(server.session_url) as well,
    ):
        await sick.send(text="Hello.", request_id="r")
        await gate.wait_until_reached()
        await well.send(text="Hello.")
        await sick.send(text="poison")
        events = await sick.until(SessionComplete)
        await sick.socket.close()
        gate.open()
        others = await well.until(SynthesisComplete)

    errors = [event for event in events if isinstance(event, Error)]
    assert [(error.request_id, error.code, error.fatal) for error in errors] == [
        ("r", "internal", False),
        (None, "internal", True),
    ]
    assert all("secret" not in error.message for error in errors)
    assert seconds(others) > 0


async def test_an_empty_frame_and_bad_json_end_no_session(serving) -> None:
    async with serving() as server, calling(server.session_url) as caller:
        for frame in (b"", "", "x", "[]", "null", '{"text": []}'):
            await caller.socket.send(frame)
            error = await caller.next()
            assert isinstance(error, Error)
            assert not error.fatal
        await caller.send(text="Hello.")
        await caller.until(SynthesisComplete)


async def test_white_text_is_refused_and_no_empty_success(serving) -> None:
    async with serving() as server, calling(server.session_url) as caller:
        await caller.send(text=" \n", request_id="r")
        error = await caller.next()
        status, _, body = await ask(server.address, {"text": " \n"})

    assert isinstance(error, Error)
    assert error.code == "text_required"
    assert (status, json.loads(body)["error"]) == (400, "text_required")


async def test_the_audio_of_a_session_says_what_it_is(serving) -> None:
    async with serving() as server, calling(server.session_url) as caller:
        await caller.send(text="Hello.", sample_rate=16_000, request_id="r")
        start = await caller.next()

    assert isinstance(start, SynthesisStart)
    assert (start.protocol, start.request_id, start.format) == (1, "r", "pcm")
    assert (start.sample_rate, start.channels, start.sample_width) == (16_000, 1, 2)


async def test_ping_says_loading_until_the_model_is_there(tmp_path) -> None:
    loaded = threading.Event()

    def load_model() -> FakeModel:
        assert loaded.wait(timeout=10)
        return FakeModel()

    engine = Engine(load_model=load_model, load_g2p=FakeG2P, styles=FakeStyles())
    listener = listen("127.0.0.1", 0)
    address = "http://{}:{}".format(*listener.getsockname())
    statuses: list[int] = []
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(serve, engine, Settings(assets=AssetLocations(cache_dir=tmp_path)), listener)
        statuses.append((await ask(address, path="/ping", method="GET"))[0])
        loaded.set()
        with anyio.fail_after(10):
            while statuses[-1] != 200:
                statuses.append((await ask(address, path="/ping", method="GET"))[0])
        tasks.cancel_scope.cancel()

    assert statuses[0] == 503
