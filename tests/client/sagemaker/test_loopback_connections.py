"""What is left behind on connections, and how long anything waits for one: nothing, and not for ever."""

import asyncio
from contextlib import suppress
from typing import Any

import anyio
import pytest
from awscrt.aio.http import AIOHttpClientConnectionUnified

from primavoce.client import SpeechSession
from primavoce.client.sagemaker import http2, http2_transport, sagemaker_link
from primavoce.errors import ConnectFailed, EndpointRefused, PrimavoceError, SessionBroken, SessionTimeout
from tests.client.resuming.cutting import letters, until
from tests.client.sagemaker.answering import answering, answering_without_http2
from tests.client.sagemaker.relay import relay

pytestmark = [pytest.mark.anyio, pytest.mark.aws]


async def heard(session: SpeechSession, text: str) -> str:
    async with session.utterance(text) as utterance:
        return letters(b"".join([pcm async for pcm in utterance.audio()]))


# --- one for all


async def test_sessions_share_a_connection(fronting) -> None:
    async with fronting() as loopback, relay(loopback.front.url) as way:
        for _ in range(3):
            async with SpeechSession.over(loopback.link(url=way.url)) as session:
                assert await heard(session, "One.") == "one"

        assert len(loopback.front.sessions) == 3
        assert way.taken == 1


async def test_sessions_that_open_at_once_share_a_connection_and_a_client(fronting, monkeypatch) -> None:
    made = []
    client = http2.AsyncSageMakerRuntimeHTTP2Client

    def counted(**settings: Any) -> Any:
        made.append(1)
        return client(**settings)

    monkeypatch.setattr(http2, "AsyncSageMakerRuntimeHTTP2Client", counted)
    async with fronting() as loopback, relay(loopback.front.url) as way:

        async def speak() -> None:
            async with SpeechSession.over(loopback.link(url=way.url)) as session:
                assert await heard(session, "One.") == "one"

        async with anyio.create_task_group() as tasks:
            for _ in range(8):
                tasks.start_soon(speak)

        assert way.taken == 1
    assert len(made) == 1


async def test_a_loop_has_one_for_each_address_and_another_loop_has_its_own() -> None:
    def here(url: str = "https://localhost:1") -> http2.SageMakerStreams:
        return http2.streams_of_this_loop("us-east-1", url, None)

    async def of_another_loop() -> http2.SageMakerStreams:
        return here()

    first = here()
    another = await asyncio.to_thread(asyncio.run, of_another_loop())

    assert here() is first
    assert here("https://localhost:2") is not first
    assert another is not first


async def test_connections_of_a_loop_that_has_ended_are_closed(fronting) -> None:
    async with fronting() as loopback, relay(loopback.front.url) as way:

        async def speak() -> None:
            async with SpeechSession.over(loopback.link(url=way.url)) as session:
                await heard(session, "One.")

        await asyncio.to_thread(asyncio.run, speak())
        open_before = way.open
        http2.streams_of_this_loop("us-east-1", way.url, str(loopback.front.ca_file))
        await until(lambda: way.open == 0)

    assert open_before == 1


async def test_one_connection_is_kept_of_those_that_many_sessions_needed(fronting) -> None:
    async with fronting(most_streams=200) as loopback, relay(loopback.front.url) as way:
        open_at_once = anyio.Event()

        async def stay() -> None:
            async with loopback.link(url=way.url, open_timeout_s=30.0)():
                await open_at_once.wait()

        async with anyio.create_task_group() as tasks:
            for _ in range(55):  # one connection takes 50
                tasks.start_soon(stay)
            await until(lambda: loopback.front.open_sessions == 55, within_s=30)
            needed = way.open
            open_at_once.set()
        await until(lambda: way.open < needed)

        assert (needed, way.open) == (2, 1)


# --- whoever leaves


async def test_whoever_leaves_while_a_connection_gets_ready_leaves_no_session_behind(fronting) -> None:
    async with fronting() as loopback, relay(loopback.front.url) as way:
        way.go_on = anyio.Event()
        with anyio.move_on_after(0.3):
            async with loopback.link(url=way.url)():
                pass
        way.go_on.set()
        async with SpeechSession.over(loopback.link(url=way.url)) as session:  # by the connection that got ready
            assert await heard(session, "One.") == "one"

        assert way.taken == 1
        assert len(loopback.front.sessions) == 1


async def test_a_connection_that_gets_ready_while_its_stream_is_closed_opens_none(fronting) -> None:
    """The moment is chosen here, for it would be hit by chance only: when the SDK's tasks are being ended."""
    async with fronting() as loopback, relay(loopback.front.url) as way:
        way.go_on = anyio.Event()
        streams = http2.streams_of_this_loop("us-east-1", way.url, str(loopback.front.ca_file))
        stream = await streams.open(http2.StreamRequest("speech"), await loopback.credentials.current("speech"))
        await until(lambda: way.taken)
        being_made = streams._transport._being_made
        close = stream._duplex.input_stream.close

        async def close_when_it_is_ready() -> None:
            way.go_on.set()
            with suppress(Exception):
                await asyncio.shield(being_made)
            await asyncio.sleep(0)
            await close()

        stream._duplex.input_stream.close = close_when_it_is_ready
        await stream.close(2.0)
        async with SpeechSession.over(loopback.link(url=way.url)) as session:
            assert await heard(session, "One.") == "one"
        await until(lambda: not loopback.front.open_sessions)

        assert len(loopback.front.sessions) == 1


async def test_whoever_is_cancelled_while_a_stream_is_begun_leaves_no_session_behind(fronting, monkeypatch) -> None:
    async with fronting() as loopback:
        async with loopback.link()():
            pass  # there is a connection now
        streams = http2.streams_of_this_loop("us-east-1", loopback.front.url, str(loopback.front.ca_file))
        credentials = await loopback.credentials.current("speech")
        begin = http2_transport.Transport.begin
        opening: list[asyncio.Task[Any]] = []

        async def begin_and_cancel(self: Any, *told: Any, **more: Any) -> Any:
            begun = await begin(self, *told, **more)
            opening[0].cancel()
            return begun

        monkeypatch.setattr(http2_transport.Transport, "begin", begin_and_cancel)
        opening.append(asyncio.ensure_future(streams.open(http2.StreamRequest("speech"), credentials)))
        await asyncio.wait(opening)

        assert opening[0].cancelled()
        async with SpeechSession.over(loopback.link()) as session:  # by the same connection, behind what went before
            assert await heard(session, "One.") == "one"
        await until(lambda: not loopback.front.open_sessions)


async def test_whoever_is_cancelled_while_a_stream_is_closed_leaves_no_session_behind(fronting) -> None:
    async with fronting() as loopback:
        streams = http2.streams_of_this_loop("us-east-1", loopback.front.url, str(loopback.front.ca_file))
        stream = await streams.open(http2.StreamRequest("speech"), await loopback.credentials.current("speech"))
        await stream.answered()

        async def never() -> None:
            await asyncio.Event().wait()

        stream._duplex.input_stream.close = never
        closing = asyncio.ensure_future(stream.close(30.0))
        await asyncio.sleep(0)
        closing.cancel()
        await asyncio.wait({closing})

        assert closing.cancelled()
        await until(lambda: not loopback.front.open_sessions)


async def test_a_writer_that_does_not_end_is_not_waited_for(fronting) -> None:
    async with fronting() as loopback:
        streams = http2.streams_of_this_loop("us-east-1", loopback.front.url, str(loopback.front.ca_file))
        stream = await streams.open(http2.StreamRequest("speech"), await loopback.credentials.current("speech"))
        await stream.answered()
        go = asyncio.Event()

        async def deaf() -> None:
            while not go.is_set():
                with suppress(asyncio.CancelledError):
                    await go.wait()

        writer = stream._call.stream._writer
        stream._call.stream._writer = asyncio.ensure_future(deaf())
        writer.cancel()
        closing = asyncio.ensure_future(stream.close(0.1))
        await asyncio.wait({closing}, timeout=5)
        ended = closing.done()
        go.set()
        await closing

    assert ended


# --- connections that fail


async def test_a_connection_that_is_lost_before_its_stream_is_made_costs_nothing(fronting, monkeypatch) -> None:
    """What the first stream would have sent must not be lost: it is signed, each event over the one before."""
    import _awscrt

    activate, failures = _awscrt.http_client_stream_activate, [RuntimeError("AWS_ERROR_HTTP_CONNECTION_CLOSED")]

    def activate_but_once(stream: Any) -> None:
        if failures:
            raise failures.pop()
        activate(stream)

    async with fronting() as loopback, relay(loopback.front.url) as way:
        async with loopback.link(url=way.url)():
            pass
        monkeypatch.setattr(_awscrt, "http_client_stream_activate", activate_but_once)
        async with SpeechSession.over(loopback.link(url=way.url, open_timeout_s=3.0)) as session:
            assert await heard(session, "One.") == "one"
        await until(lambda: way.open == 1)  # the one that failed is closed

        assert [seen.problems for seen in loopback.front.sessions] == [[], []]
        assert way.taken == 2


async def test_connections_that_take_no_stream_are_given_up(fronting, monkeypatch) -> None:
    import _awscrt

    def fail(stream: Any) -> None:
        raise RuntimeError("AWS_ERROR_HTTP_CONNECTION_CLOSED")

    monkeypatch.setattr(_awscrt, "http_client_stream_activate", fail)
    async with fronting() as loopback, relay(loopback.front.url) as way:
        with pytest.raises(SessionBroken, match="lost"):
            async with loopback.link(url=way.url, open_timeout_s=2.0)():
                pass
        await until(lambda: not way.open)

        assert way.taken <= http2_transport.TRIES


async def test_connections_that_are_lost_at_once_are_given_up(fronting, monkeypatch) -> None:
    monkeypatch.setattr(AIOHttpClientConnectionUnified, "is_open", lambda self: False)
    async with fronting() as loopback, relay(loopback.front.url) as way:
        with pytest.raises(SessionBroken, match="lost"):
            async with loopback.link(url=way.url, open_timeout_s=2.0)():
                pass

        assert way.taken <= http2_transport.TRIES


async def test_a_connection_that_never_gets_ready_holds_up_nobody_who_comes_later(fronting, monkeypatch) -> None:
    monkeypatch.setattr(http2_transport, "CONNECT_S", 0.3)
    async with fronting() as loopback, relay(loopback.front.url) as way:
        way.go_on = anyio.Event()
        with pytest.raises(ConnectFailed, match="no connection within 0.3 s"):
            async with loopback.link(url=way.url, open_timeout_s=3.0)():
                pass
        held, way.go_on = way.go_on, anyio.Event()
        way.go_on.set()
        async with SpeechSession.over(loopback.link(url=way.url)) as session:
            assert await heard(session, "One.") == "one"
        held.set()
        await until(lambda: way.open == 1)  # what got ready late is closed

        assert way.taken == 2


async def test_a_refusal_that_does_not_end_is_told_in_time() -> None:
    async def refuse(stream: Any) -> None:
        await stream.answer(403, {"x-amzn-errortype": "AccessDeniedException"})
        await stream.send(b'{"Message": "wh')
        await anyio.sleep_forever()

    async with answering(refuse) as link:
        with pytest.raises(EndpointRefused, match="these credentials may not use it"):
            async with link(open_timeout_s=4.0)():
                pass


async def test_a_service_without_http2_is_a_failed_connection() -> None:
    async with answering_without_http2() as link:
        with pytest.raises(ConnectFailed, match="HTTP/2"):
            async with link(open_timeout_s=4.0)():
                pass


# --- addresses


@pytest.mark.parametrize(("region", "host"), [("us-east-1", "us-east-1"), ("eu-west-1", "eu-west-1")])
async def test_the_service_is_asked_at_its_own_address_and_at_port_8443(
    fronting, monkeypatch, region: str, host: str
) -> None:
    asked = []

    async def nowhere(self: Any, url: Any) -> Any:
        asked.append((url.scheme, url.host, url.port))
        raise ConnectFailed("there", "this machine is left alone")

    monkeypatch.setattr(http2_transport.Transport, "_build_new_connection", nowhere)
    async with fronting() as loopback:
        with pytest.raises(ConnectFailed, match="left alone"):
            async with sagemaker_link("speech", region=region, credentials=loopback.credentials)():
                pass

    assert asked == [("https", f"runtime.sagemaker.{host}.amazonaws.com", 8443)]


async def test_an_address_without_a_port_is_at_8443(fronting, monkeypatch) -> None:
    asked = []

    async def nowhere(self: Any, url: Any) -> Any:
        asked.append((url.host, url.port))
        raise ConnectFailed("there", "this machine is left alone")

    monkeypatch.setattr(http2_transport.Transport, "_build_new_connection", nowhere)
    async with fronting() as loopback:
        with pytest.raises(ConnectFailed, match="left alone"):
            async with loopback.link(url="https://vpce-1.example.com")():
                pass

    assert asked == [("vpce-1.example.com", 8443)]


@pytest.mark.parametrize(
    "changes",
    [
        {"url": "https://"},
        {"url": "https://[::1"},
        {"url": "https://localhost:99999"},
        {"url": "https://localhost:port"},
        {"url": "https://lo cal:1"},
        {"url": "http://localhost:9"},
        {"region": "eu west"},
    ],
)
async def test_what_is_no_address_is_told_at_once(fronting, changes: dict) -> None:
    async with fronting() as loopback:
        with anyio.fail_after(5), pytest.raises(PrimavoceError) as failed:
            async with loopback.link(**changes)():
                pass

    assert not isinstance(failed.value, SessionTimeout)
    assert not failed.value.retryable
    assert next(iter(changes.values())) in str(failed.value)
