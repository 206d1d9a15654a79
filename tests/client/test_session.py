"""Our client against our server, with a model that hums."""

import threading
from collections.abc import AsyncIterator

import anyio
import pytest
from websockets.asyncio.server import ServerConnection
from websockets.asyncio.server import serve as serve_socket

from primavoce.client import SpeechSession
from primavoce.client.websocket import session_url
from primavoce.errors import (
    ConnectFailed,
    ProtocolViolation,
    RequestFailed,
    SessionBroken,
    SessionTimeout,
)
from primavoce.protocol.client import Audio
from primavoce.protocol.messages import SegmentSpoken
from primavoce.testing.broken_servers import Faults, broken_server
from primavoce.testing.fake_engine import FakeModel, fake_engine

pytestmark = pytest.mark.anyio


async def deltas(*texts: str) -> AsyncIterator[str]:
    for text in texts:
        yield text


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("ws://h:1", "ws://h:1/invocations-bidirectional-stream"),
        ("http://h:1/", "ws://h:1/invocations-bidirectional-stream"),
        ("https://h", "wss://h/invocations-bidirectional-stream"),
        ("ws://h/own/path?x=1", "ws://h/own/path?x=1"),
    ],
)
def test_an_address_without_a_path_means_the_session(url: str, address: str) -> None:
    assert session_url(url) == address


def test_what_is_no_address_is_a_failed_connection() -> None:
    with pytest.raises(ConnectFailed):
        session_url("ws://[::bad")


async def test_each_of_many_pings_at_a_time_has_its_own_answer(serving) -> None:
    async with serving() as server, SpeechSession(server.address, timeout_s=2) as session:
        async with anyio.create_task_group() as tasks:
            for _ in range(20):
                tasks.start_soon(session.ping)


async def test_a_report_of_what_was_heard_answers_no_other_wait(serving) -> None:
    async with serving() as server, SpeechSession(server.address) as session:
        async with session.utterance() as utterance:
            await utterance.send("One moment. ")
            await utterance.played(0.1)
            with pytest.raises(RequestFailed):
                await session.set_lexicon({"x": "/no such phonemes 7/"})


async def test_one_connection_speaks_many_utterances(serving) -> None:
    lengths = []
    async with serving() as server, SpeechSession(server.address) as session:
        for text in ("One.", "Two, three.", "Four, five, six."):
            async with session.utterance(text) as utterance:
                lengths.append(sum([len(pcm) async for pcm in utterance.audio()]))
                assert utterance.completed is not None

    assert lengths == sorted(lengths)
    assert lengths[0] > 0


async def test_any_iterator_of_deltas_is_spoken_while_it_goes_on(serving) -> None:
    heard = anyio.Event()

    async def writing() -> AsyncIterator[str]:
        yield "One moment. "
        yield "And"
        await heard.wait()  # the agent goes on only when its first sentence has been heard
        yield " another."

    async with serving() as server, SpeechSession(server.address) as session:
        async with session.utterance(writing(), events=["segments"]) as utterance:
            texts = []
            async for event in utterance:
                if isinstance(event, Audio):
                    heard.set()
                elif isinstance(event, SegmentSpoken):
                    texts.append(event.text)

    assert texts == ["One moment.", "And another."]


async def test_text_may_be_sent_by_hand_and_flushed(serving) -> None:
    async with serving() as server, SpeechSession(server.address) as session:
        async with session.utterance() as utterance:
            await utterance.send("Let me look")
            await utterance.flush()
            first = await anext(utterance.audio())
            await utterance.end()
            rest = [pcm async for pcm in utterance.audio()]

    assert first
    assert utterance.completed is not None
    assert utterance.completed.total_duration_s * 48_000 == pytest.approx(len(first + b"".join(rest)), abs=50)


async def test_cancel_ends_the_iteration_and_says_what_was_heard(serving) -> None:
    gate = threading.Semaphore(1)
    model = FakeModel(before=lambda: gate.acquire(timeout=10) and None)  # type: ignore[func-returns-value]
    async with serving(fake_engine(model=model)) as server, SpeechSession(server.address) as session:
        async with session.utterance("One, two. Three, four.") as utterance:
            await anext(utterance.audio())
            await utterance.cancel(played_s=1000.0)
            after = [event async for event in utterance if isinstance(event, Audio)]
            gate.release(10)

    assert after == []
    assert utterance.cancelled is not None
    assert utterance.cancelled.spoken_text == "One, two."


async def test_leaving_an_utterance_early_leaves_the_session_to_the_next(serving) -> None:
    async with serving() as server, SpeechSession(server.address) as session:
        async with session.utterance("A long one. " * 20) as utterance:
            await anext(utterance.audio())

        async with session.utterance("Next.") as following:
            audio = b"".join([pcm async for pcm in following.audio()])

    assert len(audio) / 48_000 < 1.0
    assert following.completed is not None


async def test_an_agent_that_fails_ends_the_block_with_its_own_error(serving) -> None:
    async def failing() -> AsyncIterator[str]:
        yield "One mo"
        raise ZeroDivisionError

    async with serving() as server, SpeechSession(server.address) as session:
        with pytest.raises(ZeroDivisionError):
            async with session.utterance(failing()) as utterance:
                async for _ in utterance:
                    pass

        async with session.utterance("Still here.") as following:
            assert [pcm async for pcm in following.audio()]


@pytest.mark.parametrize(
    ("options", "text", "code"),
    [
        ({"voice": "nobody"}, "Hello.", "unknown_voice"),
        ({"speed": 9.0}, "Hello.", "invalid_speed"),
        ({}, "", "text_required"),
    ],
)
async def test_the_servers_refusal_is_raised_with_its_code(serving, options: dict, text: str, code: str) -> None:
    async with serving() as server, SpeechSession(server.address) as session:
        async with session.utterance(text, **options) as utterance:
            with pytest.raises(RequestFailed) as refused:
                await anext(utterance)

    assert refused.value.code == code


async def test_nobody_there_is_a_failed_connection() -> None:
    with pytest.raises(ConnectFailed, match=r"127\.0\.0\.1:9"):
        async with SpeechSession("ws://127.0.0.1:9"):
            pass


async def test_a_server_that_closes_in_mid_utterance_is_broken_not_finished() -> None:
    async with broken_server(Faults(never_completes=True, closes_after_utterance=True)) as url:
        with pytest.raises(SessionBroken):
            async with SpeechSession(url) as session, session.utterance("Hello.") as utterance:
                async for _ in utterance:
                    pass


async def test_a_server_that_falls_silent_is_timed_out() -> None:
    async with broken_server(Faults(never_completes=True)) as url:
        session = SpeechSession(url, timeout_s=0.05)
        with pytest.raises(SessionTimeout):
            async with session, session.utterance("Hello.") as utterance:
                async for _ in utterance:
                    pass


async def test_a_server_that_gives_no_sign_of_life_is_timed_out_though_text_is_open() -> None:
    async with broken_server(Faults(ignores_pings=True)) as url:
        session = SpeechSession(url, timeout_s=0.05)
        with pytest.raises(SessionTimeout, match="sign of life"):
            async with session, session.utterance() as utterance:
                await anext(utterance)


async def test_a_server_that_does_not_answer_close_is_timed_out() -> None:
    async with broken_server(Faults(ignores_close=True)) as url:
        with pytest.raises(SessionTimeout, match="end of the session"):
            async with SpeechSession(url, timeout_s=0.05):
                pass


async def test_audio_outside_an_utterance_breaks_the_session() -> None:
    async def session(socket: ServerConnection) -> None:
        await socket.send(b"\x00\x00")
        await socket.wait_closed()

    async with serve_socket(session, "127.0.0.1", 0) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        with pytest.raises(ProtocolViolation):
            async with SpeechSession(f"ws://127.0.0.1:{port}") as client, client.utterance() as utterance:
                await anext(utterance)


async def test_a_lexicon_that_the_server_refuses_is_the_callers_error(serving) -> None:
    async with serving() as server, SpeechSession(server.address) as session:
        with pytest.raises(RequestFailed) as refused:
            await session.set_lexicon({"...": "dot"})
        await session.set_lexicon({"it": {"Okafor": "/a/"}})
        async with session.utterance("Good morning.") as utterance:
            spoken = [event async for event in utterance]

    assert refused.value.code == "invalid_lexicon"
    assert spoken
