"""SageMaker's front itself, spoken to by another client than ours: h2, and events by hand."""

import json

import anyio
import pytest
from websockets.asyncio.server import ServerConnection, serve

from primavoce.testing.aws.sagemaker_front import FrontSettings, sagemaker_front
from tests.testing.aws.bare_client import bare_stream

pytestmark = [pytest.mark.anyio, pytest.mark.aws]


async def echo(socket: ServerConnection) -> None:
    async for frame in socket:
        await socket.send(frame)


async def test_a_type_says_which_frame_and_none_is_binary() -> None:
    kinds = []

    async def session(socket: ServerConnection) -> None:
        async for frame in socket:
            kinds.append(type(frame))
            await socket.send(frame)

    async with serve(session, "127.0.0.1", 0) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        async with sagemaker_front(f"ws://127.0.0.1:{port}") as front, bare_stream(front) as stream:
            answers = []
            for data_type in ("UTF8", "BINARY", None):
                await stream.send(b"{}", data_type)
                answers.append((await stream.receive()).headers["DataType"])

    assert kinds == [str, bytes, bytes]
    assert answers == ["UTF8", "BINARY", "BINARY"]


async def test_partial_parts_are_one_message_in_fragments() -> None:
    frames = []

    async def session(socket: ServerConnection) -> None:
        frames.extend([frame async for frame in socket.recv_streaming()])
        await socket.send(iter(["a", "b", "c"]))
        await socket.wait_closed()

    async with serve(session, "127.0.0.1", 0) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        async with sagemaker_front(f"ws://127.0.0.1:{port}") as front, bare_stream(front) as stream:
            for payload, state in ((b"1", "PARTIAL"), (b"2", "PARTIAL"), (b"3", "COMPLETE")):
                await stream.send(payload, "UTF8", state)
            answers = [await stream.receive() for _ in range(4)]

    assert "".join(frames) == "123"
    assert len([frame for frame in frames if frame]) == 3
    assert [(each.payload, each.headers["CompletionState"]) for each in answers] == [
        (b"a", "PARTIAL"),
        (b"b", "PARTIAL"),
        (b"c", "PARTIAL"),
        (b"", "COMPLETE"),  # so this library ends a message
    ]


async def test_a_part_may_end_inside_a_character() -> None:
    frames = []

    async def session(socket: ServerConnection) -> None:
        frames.append(await socket.recv())
        await socket.send("done")
        await socket.wait_closed()

    async with serve(session, "127.0.0.1", 0) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        async with sagemaker_front(f"ws://127.0.0.1:{port}") as front, bare_stream(front) as stream:
            for payload, state in ((b"caf\xc3", "PARTIAL"), (b"\xa9", "COMPLETE")):
                await stream.send(payload, "UTF8", state)
            await stream.receive()

    assert frames == ["café"]


async def test_a_close_of_the_containers_is_a_model_stream_error() -> None:
    async def session(socket: ServerConnection) -> None:
        await socket.close(4001, "why")

    async with serve(session, "127.0.0.1", 0) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        async with sagemaker_front(f"ws://127.0.0.1:{port}") as front, bare_stream(front) as stream:
            told = await stream.receive()

    assert told.headers[":exception-type"] == "ModelStreamError"
    assert json.loads(told.payload) == {"ErrorCode": "4001", "Message": "why"}


async def test_the_container_is_pinged_and_sees_the_clients_end_as_a_close() -> None:
    closed = []
    pinged = anyio.Event()

    async def session(socket: ServerConnection) -> None:
        answer = socket.protocol.receive_data

        def receive(data: bytes) -> None:
            if data[:1] == b"\x89":
                pinged.set()
            answer(data)

        socket.protocol.receive_data = receive  # type: ignore[method-assign]
        await socket.wait_closed()
        closed.append(socket.close_code)

    async with serve(session, "127.0.0.1", 0) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        async with sagemaker_front(f"ws://127.0.0.1:{port}", FrontSettings(ping_s=0.05)) as front:
            async with bare_stream(front) as stream:
                with anyio.fail_after(5):
                    await pinged.wait()
                await stream.end()
                assert await stream.receive() is None

    assert closed == [1000]


async def test_an_event_with_a_wrong_signature_ends_the_stream() -> None:
    async with serve(echo, "127.0.0.1", 0) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        async with sagemaker_front(f"ws://127.0.0.1:{port}") as front:
            async with bare_stream(front, event_secret="another") as stream:
                await stream.send(b"{}", "UTF8")
                told = await stream.receive()

    assert told.headers[":message-type"] == "error"
    assert front.sessions[0].problems == ["event 0: its signature is another"]


async def test_a_stranger_is_not_let_in() -> None:
    async with serve(echo, "127.0.0.1", 0) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        async with sagemaker_front(f"ws://127.0.0.1:{port}") as front:
            async with bare_stream(front, secret="another") as stream:
                assert await stream.status() == 403
