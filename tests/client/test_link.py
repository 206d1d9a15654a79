"""A session over a link that is no WebSocket: what it asks of one, and what it makes of its end."""

import json
import math
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from typing import Self

import anyio
import pytest

from primavoce.client import SessionLink, SpeechSession
from primavoce.client.link import Opener
from primavoce.client.utterance import EVENTS_AHEAD
from primavoce.errors import ConnectFailed, RequestFailed, SessionBroken, SessionError, SessionTimeout

pytestmark = pytest.mark.anyio

type Frame = str | bytes
type Answer = Callable[[dict[str, str]], Iterable[Frame | SessionError | None]]
"""What a server says to a message: frames, then perhaps the link's end, with a reason or in good order."""

PCM = b"\1\0" * 100


def answer(message: dict[str, str]) -> Iterable[Frame | None]:
    """Answer as a server does that speaks the same sound whatever it is told."""
    name = message.get("request_id")
    match message["type"]:
        case "end":
            yield told("synthesis_start", request_id=name, voice="af_heart", format="pcm", sample_rate=24000)
            yield PCM
            yield told(
                "synthesis_complete",
                request_id=name,
                total_duration_s=0.1,
                elapsed_s=0.1,
                time_to_first_audio_s=0.1,
                queued_s=0.0,
                real_time_factor=1.0,
                segments=1,
                characters=6,
            )
        case "ping":
            yield told("pong")
        case "close":
            yield told("session_complete", reason="closed")
            yield None


def told(kind: str, **fields: object) -> str:
    return json.dumps({"type": kind, **fields})


class ScriptedLink:
    """A link whose server says what a test wants.

    Args:
        said: What it says to each message.
        typed: Whether frames have a type; without one, all are bytes.
    """

    def __init__(self, said: Answer = answer, *, typed: bool = True) -> None:
        self.typed = typed
        self.closed = False
        self.taken = 0
        self._said = said
        self._frames_in, self._frames = anyio.create_memory_object_stream[Frame | SessionError | None](math.inf)

    async def send(self, frame: str) -> None:
        for each in self._said(json.loads(frame)):
            await self._frames_in.send(each.encode() if isinstance(each, str) and not self.typed else each)

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Frame:
        frame = await self._frames.receive()
        self.taken += 1
        if frame is None:
            raise StopAsyncIteration
        if isinstance(frame, SessionError):
            raise frame
        return frame

    @asynccontextmanager
    async def open(self) -> AsyncIterator[SessionLink]:
        with self._frames_in, self._frames:
            yield self
        self.closed = True


async def hear(session: SpeechSession) -> bytes:
    async with session.utterance("Hello.") as utterance:
        return b"".join([pcm async for pcm in utterance.audio()])


@pytest.mark.parametrize("typed", [True, False], ids=["typed", "all is bytes"])
async def test_a_session_speaks_over_any_link_whether_or_not_it_tells_text_from_binary(typed: bool) -> None:
    link = ScriptedLink(typed=typed)

    async with SpeechSession.over(link.open) as session:
        heard = [await hear(session), await hear(session)]
        assert not link.closed

    assert heard == [PCM, PCM]
    assert link.closed


async def test_the_openers_error_is_the_callers() -> None:
    @asynccontextmanager
    async def nowhere() -> AsyncIterator[SessionLink]:
        raise ConnectFailed("the moon", "too far")
        yield ScriptedLink()

    opener: Opener = nowhere
    with pytest.raises(ConnectFailed, match="the moon: too far"):
        async with SpeechSession.over(opener):
            pytest.fail("it is not open")


@pytest.mark.parametrize(
    ("end", "error", "told_as"),
    [
        (None, SessionBroken, "the server closed it"),
        (SessionBroken("a wire was cut"), SessionBroken, "a wire was cut"),
        (RequestFailed("model_error", "the container died", retryable=True), RequestFailed, "the container died"),
    ],
    ids=["in good order, though not asked for", "broken off", "for a reason that is told"],
)
async def test_a_link_that_ends_first_ends_the_utterance_and_all_that_follow_with_its_reason(
    end: SessionError | None, error: type[SessionError], told_as: str
) -> None:
    link = ScriptedLink(lambda message: [*answer(message)][:2] + [end] if message["type"] == "end" else [])

    async with SpeechSession.over(link.open) as session:
        with pytest.raises(error, match=told_as):
            await hear(session)
        with pytest.raises(error, match=told_as):
            async with session.utterance("More."):
                pass

    assert link.closed


async def test_a_link_that_breaks_once_the_session_is_complete_breaks_nothing() -> None:
    link = ScriptedLink(lambda message: [each or SessionBroken("it was closed with 1011") for each in answer(message)])

    async with SpeechSession.over(link.open) as session:
        assert await hear(session) == PCM

    assert link.closed


async def test_a_link_that_takes_no_message_is_timed_out() -> None:
    class Clogged(ScriptedLink):
        async def send(self, frame: str) -> None:
            await anyio.sleep_forever()

    session = SpeechSession.over(Clogged().open, timeout_s=0.05)
    with pytest.raises(SessionTimeout, match="room for a message"):
        async with session:
            await hear(session)


async def test_a_message_that_the_link_cannot_send_says_why() -> None:
    class Cut(ScriptedLink):
        async def send(self, frame: str) -> None:
            raise SessionBroken("a wire was cut")

    with pytest.raises(SessionBroken, match="a wire was cut"):
        async with SpeechSession.over(Cut().open) as session:
            await hear(session)


async def test_a_message_that_comes_too_late_is_told_why_the_session_ended() -> None:
    refusal = told("error", code="overloaded", message="full", retryable=True, fatal=True, request_id=None)
    ended = anyio.Event()

    class Late(ScriptedLink):
        async def send(self, frame: str) -> None:
            await self._frames_in.send(refusal)
            await ended.wait()
            raise SessionBroken("the link is closed")

    link = Late()
    async with SpeechSession.over(link.open) as session:
        async with anyio.create_task_group() as tasks:

            async def watch() -> None:
                while session.failure is None:
                    await anyio.lowlevel.checkpoint()
                ended.set()

            tasks.start_soon(watch)
            with pytest.raises(RequestFailed, match="full"):
                await session.ping()


async def test_an_unread_utterance_takes_a_bounded_number_of_frames_from_the_link() -> None:
    def talkative(message: dict[str, str]) -> Iterable[Frame | None]:
        frames = [*answer(message)]
        return frames[:1] + [PCM] * 1000 + frames[2:] if message["type"] == "end" else frames

    link = ScriptedLink(talkative)
    async with SpeechSession.over(link.open) as session, session.utterance("Hello.") as utterance:
        await anyio.wait_all_tasks_blocked()

        assert link.taken == EVENTS_AHEAD + 1  # one is in hand
        assert len(b"".join([pcm async for pcm in utterance.audio()])) == 1000 * len(PCM)
