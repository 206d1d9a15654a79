"""What a container sees of SageMaker's front, and what becomes of one that doesn't do its part."""

import anyio
import anyio.lowlevel
import pytest
from anyio.abc import SocketAttribute, SocketStream
from websockets.asyncio.server import ServerConnection, serve
from websockets.frames import Opcode

from primavoce.testing.aws.container import UNANSWERED_PINGS, container_socket
from primavoce.testing.aws.parts import BINARY, Part
from primavoce.testing.aws.sagemaker_front import FrontSettings, sagemaker_front
from tests.testing.aws.bare_client import bare_stream
from tests.testing.aws.fronting import front_before

pytestmark = [pytest.mark.anyio, pytest.mark.aws]

SOON_S = 0.02
"""Between Pings."""


class Pinged:
    """A container that answers every so many Pings: each ``nth``, or none."""

    def __init__(self, nth: int | None, *, enough: int = 1000) -> None:
        self.pings = 0
        self.enough = anyio.Event()
        self._enough = enough
        self._nth = nth

    async def session(self, socket: ServerConnection) -> None:
        send_frame = socket.protocol.send_frame

        def answer(frame) -> None:
            if frame.opcode is Opcode.PONG:
                self.pings += 1
                if self.pings >= self._enough:
                    self.enough.set()
                if self._nth is None or self.pings % self._nth:
                    return
            send_frame(frame)

        socket.protocol.send_frame = answer  # type: ignore[method-assign]
        async for frame in socket:
            await socket.send(frame)


async def test_a_container_that_answers_its_pings_is_kept() -> None:
    container = Pinged(1, enough=2 * UNANSWERED_PINGS)
    async with front_before(container.session, ping_s=SOON_S) as front, bare_stream(front) as stream:
        with anyio.fail_after(5):
            await container.enough.wait()
        await stream.send(b"one", "UTF8")

        assert (await stream.receive()).payload == b"one"

    assert FrontSettings().ping_s == 60


async def test_a_container_that_answers_one_ping_in_five_is_kept() -> None:
    container = Pinged(UNANSWERED_PINGS, enough=4 * UNANSWERED_PINGS)
    async with front_before(container.session, ping_s=SOON_S) as front, bare_stream(front) as stream:
        with anyio.fail_after(5):
            await container.enough.wait()
        await stream.send(b"one", "UTF8")

        assert (await stream.receive()).payload == b"one"


async def test_a_container_that_leaves_five_pings_unanswered_is_given_up() -> None:
    container = Pinged(None)
    async with front_before(container.session, ping_s=SOON_S) as front, bare_stream(front) as stream:
        assert await stream.status() == 200
        assert await stream.receive() is None  # it looks finished
        assert not stream.was_reset

    assert container.pings == UNANSWERED_PINGS


async def test_the_interval_after_the_fifth_ping_is_waited_for_too() -> None:
    container = Pinged(None)
    waited = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)
        await anyio.lowlevel.checkpoint()

    async with front_before(container.session) as front:
        async with container_socket(front._model_url, 5.0) as socket:
            assert socket is not None
            await socket.keep_pinged(60.0, sleep=sleep)

    assert waited == [60.0] * (UNANSWERED_PINGS + 1)


async def test_the_containers_own_pings_are_answered() -> None:
    answered = anyio.Event()

    async def session(socket: ServerConnection) -> None:
        await (await socket.ping())
        answered.set()
        await socket.wait_closed()

    async with front_before(session) as front, bare_stream(front):
        with anyio.fail_after(5):
            await answered.wait()


async def test_a_container_that_is_slow_to_take_the_websocket_is_a_model_error() -> None:
    async def silent(stream: SocketStream) -> None:
        async with stream:
            await anyio.sleep_forever()

    listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
    port = listener.extra(SocketAttribute.local_port)
    async with listener, anyio.create_task_group() as tasks:
        tasks.start_soon(listener.serve, silent)
        async with sagemaker_front(f"ws://127.0.0.1:{port}", FrontSettings(accept_s=0.1)) as front:
            async with bare_stream(front) as stream:
                assert (await stream.status(), stream.error) == (424, "ModelError")
        tasks.cancel_scope.cancel()


async def test_a_container_that_is_not_there_is_a_model_error() -> None:
    async with sagemaker_front("ws://127.0.0.1:9") as front, bare_stream(front) as stream:
        assert (await stream.status(), stream.error) == (424, "ModelError")


async def test_a_container_that_takes_nothing_is_left_all_the_same(monkeypatch) -> None:
    over = anyio.Event()

    async def deaf(socket: ServerConnection) -> None:
        socket.transport.pause_reading()  # type: ignore[attr-defined]
        await over.wait()
        socket.transport.abort()

    monkeypatch.setattr("primavoce.testing.aws.container.CLOSE_S", 0.1)
    async with serve(deaf, "127.0.0.1", 0) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        async with container_socket(f"ws://127.0.0.1:{port}", 5.0) as socket:
            assert socket is not None
            with anyio.move_on_after(0.1) as room:
                while True:
                    await socket.send_part(Part(b"x" * 1_000_000, BINARY, None))
        is_still_held = not over.is_set()
        over.set()

    assert room.cancelled_caught
    assert is_still_held
