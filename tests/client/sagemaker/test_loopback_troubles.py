"""Whatever goes wrong is one of our errors, in bounded time."""

import anyio
import pytest
from websockets.asyncio.server import ServerConnection, serve

from primavoce.client import SpeechSession
from primavoce.errors import (
    ConnectFailed,
    EndpointFailed,
    EndpointRefused,
    EndpointThrottled,
    SessionBroken,
    SessionError,
    SessionTimeout,
)
from primavoce.testing.aws.event_stream import MEDIA_TYPE, encode
from primavoce.testing.aws.faults import Fault, Trouble
from primavoce.testing.aws.http2_server import Http2Stream
from primavoce.testing.aws.parts import part
from tests.client.sagemaker.answering import answering

pytestmark = [pytest.mark.anyio, pytest.mark.aws]

TEXT = "This is what is said before something goes wrong, and it is not so short. " * 4


async def fail(opener, *, timeout_s: float = 10.0) -> SessionError:
    """Speak until it fails, and return how; in bounded time."""
    with anyio.fail_after(30), pytest.raises(SessionError) as failed:
        async with SpeechSession.over(opener, timeout_s=timeout_s) as session, session.utterance(TEXT) as utterance:
            async for _ in utterance:
                pass
    return failed.value


@pytest.mark.parametrize(
    ("trouble", "error", "said"),
    [
        (Trouble.ACCESS_DENIED, EndpointRefused, "InvokeEndpointWithBidirectionalStream (AccessDeniedException"),
        (Trouble.THROTTLING, EndpointThrottled, "asked too often"),
        (Trouble.NO_ENDPOINT, EndpointRefused, "there is no endpoint of this name"),
        (Trouble.MODEL_ERROR, EndpointFailed, "its container took no session"),
        (Trouble.UNAVAILABLE, EndpointFailed, "the service failed"),
        (Trouble.RESET_BEFORE_HEADERS, SessionBroken, "it was reset before it was answered"),
        (Trouble.DROP_BEFORE_HEADERS, SessionBroken, "it was reset before it was answered"),
        (Trouble.STALL_BEFORE_HEADERS, SessionTimeout, "no session with endpoint speech at https://"),
        (Trouble.RESET_MID_STREAM, SessionBroken, "the connection was lost (AWS_ERROR_HTTP_RST_STREAM_RECEIVED)"),
        (Trouble.DROP_MID_STREAM, SessionBroken, "the connection was lost"),
        (Trouble.STALL_MID_STREAM, SessionTimeout, "no sign of life within 1 s"),
        (Trouble.TRUNCATION, SessionBroken, "the server closed it"),
        (Trouble.MODEL_STREAM_ERROR, SessionBroken, "the container closed it with 1011: internal"),
        (Trouble.INTERNAL_STREAM_FAILURE, SessionBroken, "SageMaker's stream failed: internal"),
    ],
)
async def test_each_trouble_has_its_error_and_the_next_session_is_sound(
    fronting, trouble: Trouble, error: type, said: str
) -> None:
    async with fronting(Fault(trouble, 40_000)) as loopback:
        if said.endswith("within 1 s"):
            failure = await fail(loopback.link(), timeout_s=1.0)
        elif trouble is Trouble.STALL_BEFORE_HEADERS:
            failure = await fail(loopback.link(open_timeout_s=1.0))
        else:
            failure = await fail(loopback.link())

        async with SpeechSession.over(loopback.link()) as session, session.utterance("Next.") as utterance:
            assert [pcm async for pcm in utterance.audio()]

    assert type(failure) is error
    assert said in str(failure)


async def test_whether_another_attempt_may_help_is_known(fronting) -> None:
    async with fronting(Trouble.THROTTLING, Trouble.ACCESS_DENIED, Trouble.MODEL_ERROR) as loopback:
        retryable = [(await fail(loopback.link())).retryable for _ in range(3)]

    assert retryable == [True, False, True]


async def test_a_port_where_nobody_answers_is_told_with_its_address(fronting) -> None:
    async with fronting() as loopback:
        failure = await fail(loopback.link(url=loopback.front.wrong_url, open_timeout_s=0.5))

    assert isinstance(failure, SessionTimeout)
    assert loopback.front.wrong_url in str(failure)


async def test_nobody_there_is_a_failed_connection(fronting) -> None:
    async with fronting() as loopback:
        failure = await fail(loopback.link(url="https://localhost:9"))

    assert isinstance(failure, ConnectFailed)
    assert "the connection was refused (port 8443 must be open" in str(failure)


async def test_a_name_that_cannot_be_resolved_is_a_failed_connection(fronting) -> None:
    async with fronting() as loopback:
        failure = await fail(loopback.link(url="https://nowhere.invalid:8443"))

    assert isinstance(failure, ConnectFailed | SessionTimeout)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"endpoint": "another"}, "there is no endpoint of this name"),
        ({"region": "eu-west-1"}, "Credential should be scoped to a valid region"),
    ],
)
async def test_a_wrong_name_is_refused(fronting, changes: dict, said: str) -> None:
    async with fronting() as loopback:
        failure = await fail(loopback.link(**changes))

    assert isinstance(failure, EndpointRefused)
    assert said in str(failure)


async def test_a_container_without_the_route_takes_no_session(fronting) -> None:
    async with fronting() as loopback:
        failure = await fail(loopback.link(model_path="nothing/here"))

    assert isinstance(failure, EndpointFailed)
    assert "Failed to establish WebSocket connection" in str(failure)


async def test_a_container_that_says_nothing_is_given_up(fronting) -> None:
    async def session(socket: ServerConnection) -> None:
        await socket.wait_closed()

    async with serve(session, "127.0.0.1", 0) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        async with fronting(model_url=f"ws://127.0.0.1:{port}") as loopback:
            failure = await fail(loopback.link(open_timeout_s=0.5))

    assert isinstance(failure, SessionTimeout)


async def test_a_container_that_closes_at_once_is_told_with_its_reason(fronting) -> None:
    async def session(socket: ServerConnection) -> None:
        await socket.close(1013, "no room")

    async with serve(session, "127.0.0.1", 0) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        async with fronting(model_url=f"ws://127.0.0.1:{port}") as loopback:
            failure = await fail(loopback.link())

    assert str(failure) == "the session broke off: the container closed it with 1013: no room"


def told(kind: str, payload: bytes = b"", **headers: str) -> bytes:
    return encode(
        {":message-type": kind, **{f":{name.replace('_', '-')}": each for name, each in headers.items()}}, payload
    )


@pytest.mark.parametrize(
    ("block", "said"),
    [
        (b"<html>" * 20, "what came is no stream of events"),
        (part(b"{}", "UTF8")[:-5], "what came is no stream of events"),
        (b"", "the stream ended before the container had said anything"),
        (told("event", b"{}", event_type="Another"), "the stream ended before the container had said anything"),
        (told("error", error_code="AccessDenied", error_message="x"), "the service broke it off (AccessDenied)"),
        (told("error"), "what came is no stream of events"),
        (told("exception", b"{}", exception_type="Another"), "what came is no stream of events"),
        (told("exception", b"<html>", exception_type="ModelStreamError"), "what came is no stream of events"),
        (told("another"), "what came is no stream of events"),
        (encode({}, b"{}"), "what came is no stream of events"),
    ],
    ids=[str(number) for number in range(10)],
)
async def test_whatever_comes_is_told_as_an_error_of_ours(block: bytes, said: str) -> None:
    async def answer(stream: Http2Stream) -> None:
        await stream.answer(200, {"content-type": MEDIA_TYPE})
        await stream.send(block, last=True)

    async with answering(answer) as link:
        failure = await fail(link(open_timeout_s=3.0))

    assert isinstance(failure, SessionBroken)
    assert said in str(failure)


async def test_a_service_that_takes_nothing_is_given_up(fronting) -> None:
    async with fronting(Fault(Trouble.STALL_MID_STREAM)) as loopback:
        with anyio.fail_after(10):
            async with loopback.link(send_timeout_s=0.3)() as link:
                await link.send('{"text": "Hello there, and good evening."}')
                with pytest.raises(SessionTimeout, match="room for a message"):
                    while True:
                        await link.send('{"type": "text", "request_id": "1", "text": "' + "a" * 60_000 + '"}')


async def test_a_session_that_has_lasted_as_long_as_it_may_is_broken_not_finished(fronting) -> None:
    async with fronting(session_s=0.3) as loopback:
        with pytest.raises(SessionBroken, match="the server closed it"):
            async with SpeechSession.over(loopback.link(), timeout_s=5) as session:
                async with session.utterance() as utterance:
                    await anext(utterance)


async def test_whoever_gives_up_leaves_no_session_behind(fronting) -> None:
    async with fronting() as loopback:
        for _ in range(3):
            with anyio.move_on_after(0.2):
                async with SpeechSession.over(loopback.link()) as session, session.utterance() as utterance:
                    await anext(utterance)
        with anyio.fail_after(5):
            for seen in loopback.front.sessions:
                await seen.over.wait()
