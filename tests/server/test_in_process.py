"""A session with an engine in this process: the same as over a socket, and nothing of it is left behind."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import anyio
import pytest
from structlog.testing import capture_logs

from primavoce.assets.locations import AssetLocations
from primavoce.client import Opener, SessionLink, SpeechSession
from primavoce.errors import RequestFailed, SessionBroken, SessionError
from primavoce.protocol.options import NO_LEXICON
from primavoce.server.in_process import FRAMES_AHEAD, in_process
from primavoce.server.lobby import Lobby
from primavoce.server.policies import session_policy
from primavoce.settings import Settings
from primavoce.synthesis.engine import Engine
from primavoce.testing.fake_engine import FakeModel, fake_engine
from tests.server.test_session import Gate

pytestmark = pytest.mark.anyio

POLICY = session_policy(Settings(assets=AssetLocations(cache_dir=Path("/nonexistent"))), NO_LEXICON)


@asynccontextmanager
async def engine_of(model: FakeModel | None = None) -> AsyncIterator[Engine]:
    with anyio.fail_after(20):
        async with fake_engine(model=model) as engine:
            await engine.load()
            yield engine


async def spoken(session: SpeechSession, text: str = "Good morning. And a second one.", **options: object) -> bytes:
    async with session.utterance(text, **options) as utterance:  # type: ignore[arg-type]
        return b"".join([pcm async for pcm in utterance.audio()])


async def next_message(link: SessionLink) -> dict[str, object]:
    """Return the link's next message, past its audio."""
    async for frame in link:
        if isinstance(frame, str):
            return dict(json.loads(frame))
    raise AssertionError("the link has ended")


# --- as over a socket


@pytest.mark.parametrize(
    "options", [{}, {"sample_rate": 16_000, "speed": 1.5}, {"audio_format": "flac"}], ids=["plain", "faster", "FLAC"]
)
async def test_an_utterance_is_spoken_with_the_same_audio_as_over_a_websocket(serving, options: dict) -> None:
    async with serving() as server, SpeechSession(server.address) as session:
        over_a_socket = await spoken(session, **options)

    async with engine_of() as engine, SpeechSession.over(in_process(engine, POLICY, Lobby(1))) as session:
        assert await spoken(session, **options) == over_a_socket
        assert await spoken(session, **options) == over_a_socket  # and so is the next

    assert over_a_socket


async def test_a_cancel_is_acknowledged_and_no_audio_follows() -> None:
    gate = Gate()
    async with engine_of(FakeModel(before=gate)) as engine, in_process(engine, POLICY, Lobby(1))() as link:
        await link.send('{"text": "One, two. Three, four. Five, six.", "request_id": "r"}')
        await gate.wait_until_reached()
        gate.open(1)
        while isinstance(await anext(aiter(link)), str):
            pass
        await gate.wait_until_reached()

        await link.send('{"type": "cancel", "request_id": "r", "played_s": 1000}')
        cancelled = await next_message(link)
        await link.send('{"text": "Next.", "request_id": "next"}')
        gate.open()
        following = await anext(aiter(link))  # the model has finished what it was at by then

        assert (cancelled["type"], cancelled["spoken_text"]) == ("cancelled", "One, two.")
        assert isinstance(following, str)
        assert json.loads(following)["request_id"] == "next"


async def test_a_full_lobby_refuses_as_the_server_does() -> None:
    async with engine_of() as engine:
        opener = in_process(engine, POLICY, Lobby(1))
        async with SpeechSession.over(opener) as inside:
            with pytest.raises(RequestFailed) as refusal:
                async with SpeechSession.over(opener) as outside:
                    await spoken(outside)

            assert await spoken(inside)
        async with SpeechSession.over(opener) as later:
            assert await spoken(later)

    assert (refusal.value.code, refusal.value.retryable) == ("overloaded", True)


async def test_draining_lets_the_utterance_end_and_then_the_session() -> None:
    gate, lobby = Gate(), Lobby(1)
    async with engine_of(FakeModel(before=gate)) as engine, in_process(engine, POLICY, lobby)() as link:
        await link.send('{"text": "The last words.", "request_id": "r"}')
        await gate.wait_until_reached()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(lambda: lobby.drain(within_s=10))
            await anyio.wait_all_tasks_blocked()
            gate.open()

            told = [(await next_message(link))["type"] for _ in range(3)]
            tasks.cancel_scope.cancel()

    assert told == ["synthesis_start", "synthesis_complete", "session_complete"]


async def test_phrases_are_remembered_for_their_owner(monkeypatch: pytest.MonkeyPatch) -> None:
    async with engine_of() as engine:
        speaking, owners = engine.speaking, []

        def noted(voicing, **more):
            owners.append(voicing.owner)
            return speaking(voicing, **more)

        monkeypatch.setattr(engine, "speaking", noted)
        async with SpeechSession.over(in_process(engine, POLICY, Lobby(1), owner="ada")) as session:
            await spoken(session, "Hello.")

    assert owners == ["ada"]


# --- what is bounded


class Counting(FakeModel):
    """Counts the parts that it has made."""

    def __init__(self) -> None:
        self.made = 0
        super().__init__(before=self._count)

    def _count(self) -> None:
        self.made += 1


async def test_a_session_that_is_not_read_holds_synthesis_back_and_is_dropped_in_the_end() -> None:
    model, lobby = Counting(), Lobby(1)
    policy = replace(POLICY, send_timeout_s=0.2, max_ahead_s=1e6)
    async with engine_of(model) as engine, in_process(engine, policy, lobby)() as link:
        await link.send(json.dumps({"text": "One two three four five six seven. " * 500}))
        while not lobby:
            await anyio.lowlevel.checkpoint()
        while lobby:  # noqa: ASYNC110 - the lobby has no event for a test to wait for
            await anyio.sleep(0.01)
        held_at = model.made
        frames = [frame async for frame in link]
        with pytest.raises(SessionBroken):
            await link.send("{}")

    assert len(frames) == FRAMES_AHEAD
    assert held_at == model.made
    assert held_at < FRAMES_AHEAD + 20  # a few on their way through the stages


async def test_a_server_that_does_not_read_holds_its_client_back() -> None:
    policy = replace(POLICY, max_messages_per_s=1e-6, max_messages_burst=1)
    sent = 0
    async with engine_of() as engine, in_process(engine, policy, Lobby(1))() as link:

        async def send() -> None:
            nonlocal sent
            while True:
                await link.send('{"type": "ping"}')
                sent += 1

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(send)
            await anyio.wait_all_tasks_blocked()
            tasks.cancel_scope.cancel()

    assert sent <= FRAMES_AHEAD + 3  # one that is allowed, one too many, and one that it has taken meanwhile


# --- how it ends


@pytest.mark.parametrize("how", ["left", "cancelled", "failed", "complete"])
async def test_leaving_the_block_leaves_no_task_and_no_guest_behind(how: str) -> None:
    gate, lobby = Gate(), Lobby(1)
    async with engine_of(FakeModel(before=gate)) as engine:
        before = asyncio.all_tasks()
        await leave(in_process(engine, POLICY, lobby), gate, how)

        assert asyncio.all_tasks() == before
        assert not lobby
        gate.open()


async def leave(opener: Opener, gate: Gate, how: str) -> None:
    """Open a session, and leave it, in the middle of an utterance unless it is to be ``complete``."""
    with anyio.CancelScope() as scope:
        try:
            if how == "complete":
                gate.open()
                async with SpeechSession.over(opener) as session:
                    await spoken(session)
                return
            async with opener() as link:
                await link.send('{"text": "Hello there. Good morning."}')
                await gate.wait_until_reached()
                if how == "cancelled":
                    scope.cancel()
                    await anyio.lowlevel.checkpoint()
                elif how == "failed":
                    raise ZeroDivisionError
        except ZeroDivisionError:
            assert how == "failed"
    assert scope.cancelled_caught == (how == "cancelled")


async def test_a_session_that_is_left_with_frames_unread_has_not_failed() -> None:
    with capture_logs() as captured:
        async with engine_of() as engine, in_process(engine, POLICY, Lobby(1))() as link:
            for _ in range(FRAMES_AHEAD + 2):
                await link.send('{"type": "ping"}')
            await anyio.wait_all_tasks_blocked()  # the server waits to send a pong

    assert captured == []


async def test_the_error_of_the_block_is_the_callers_own() -> None:
    async with engine_of() as engine:
        with pytest.raises(ZeroDivisionError):
            async with in_process(engine, POLICY, Lobby(1))():
                raise ZeroDivisionError


async def test_a_session_of_an_engine_that_fails_goes_on_as_over_a_socket() -> None:
    broken = iter([RuntimeError("secret")])

    def before() -> None:
        for error in broken:
            raise error

    async with engine_of(FakeModel(before=before)) as engine:
        async with SpeechSession.over(in_process(engine, POLICY, Lobby(1))) as session:
            with pytest.raises(SessionError, match="synthesis_failed") as failure:
                await spoken(session)

            assert await spoken(session)

    assert "secret" not in str(failure.value)
