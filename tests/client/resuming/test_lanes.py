"""How a session goes from one link to the next, with links that do what a test says."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace

import anyio
import pytest

from primavoce.client import SpeechSession
from primavoce.client.link import Opener, SessionLink
from primavoce.client.resuming import ResumePolicy, resuming
from primavoce.client.resuming.due import NextDue
from primavoce.errors import SessionBroken
from tests.client.resuming.cutting import until

pytestmark = pytest.mark.anyio

AT_ONCE = ResumePolicy(first_pause_s=0.0)
type OnMessage = Callable[["ScriptedLink", dict], None]


class ScriptedLink:
    """A link whose other end is a function of the test's."""

    typed = True

    def __init__(self, number: int, on_message: OnMessage) -> None:
        self.number = number
        self.said: list[dict] = []
        self._on_message = on_message
        self._push, self._frames = anyio.create_memory_object_stream[str | bytes | None](1000)

    async def send(self, frame: str) -> None:
        message = json.loads(frame)
        self.said.append(message)
        await anyio.lowlevel.checkpoint()
        if message["type"] == "ping":
            self.tell(type="pong", request_id=message.get("request_id"))
        elif message["type"] == "close":
            self.tell(type="session_complete")
        self._on_message(self, message)

    def close(self) -> None:
        self._push.close()
        self._frames.close()

    async def __aiter__(self) -> AsyncIterator[str | bytes]:
        async for frame in self._frames:
            if frame is None:
                raise SessionBroken("cut")
            yield frame

    def cut(self) -> None:
        self._push.send_nowait(None)

    def tell(self, **fields: object) -> None:
        self._push.send_nowait(json.dumps(fields))

    def start(self, request_id: str) -> None:
        how = {"voice": "v", "format": "pcm", "sample_rate": 24000, "channels": 1, "sample_width": 2}
        self.tell(type="synthesis_start", protocol=1, request_id=request_id, **how)

    def refuse(self, request_id: str, code: str) -> None:
        self.tell(type="error", request_id=request_id, code=code, message="", retryable=True, fatal=False)

    def cancelled(self, request_id: str) -> None:
        self.tell(type="cancelled", request_id=request_id, audio_sent_s=0, spoken_text="", spoken_characters=0)

    def speak(self, request_id: str, pcm: bytes = bytes(100)) -> None:
        self.start(request_id)
        self._push.send_nowait(pcm)
        self.complete(request_id)

    def complete(self, request_id: str) -> None:
        numbers = dict.fromkeys(("total_duration_s", "elapsed_s", "queued_s", "segments", "characters"), 0)
        nothing = {"time_to_first_audio_s": None, "real_time_factor": None}
        self.tell(type="synthesis_complete", request_id=request_id, **numbers, **nothing)


def opener(on_message: OnMessage, made: list[ScriptedLink], gate: anyio.Event | None = None) -> Opener:
    """Return what opens scripted links; all but the first wait for ``gate``."""

    @asynccontextmanager
    async def open_link() -> AsyncIterator[SessionLink]:
        if made and gate is not None:
            await gate.wait()
        link = ScriptedLink(len(made), on_message)
        made.append(link)
        try:
            yield link
        finally:
            link.close()

    return open_link


@pytest.mark.parametrize("code", ["overloaded", "draining", "session_expired"])
async def test_what_is_given_back_in_its_turn_is_asked_for_elsewhere_before_those_behind_it(code: str) -> None:
    made: list[ScriptedLink] = []

    def on_message(link: ScriptedLink, message: dict) -> None:
        if message["type"] == "text" and message["request_id"] == "1" and link.number == 0:
            link.start("1")
            link.refuse("1", code)
        elif message["type"] == "text":
            link.speak(message["request_id"])

    async with (
        SpeechSession.over(resuming(opener(on_message, made), AT_ONCE), timeout_s=3) as session,
        session.utterance("A.", request_id="1") as first,
        session.utterance("B.", request_id="2") as second,
    ):
        heard = [len(b"".join([pcm async for pcm in each.audio()])) for each in (first, second)]

    assert heard == [100, 100]
    assert [message["request_id"] for message in made[1].said if message["type"] == "text"] == ["1", "2"]


async def test_what_is_given_back_before_its_turn_is_asked_for_elsewhere_when_its_turn_comes() -> None:
    made: list[ScriptedLink] = []

    def on_message(link: ScriptedLink, message: dict) -> None:
        if message["type"] != "text":
            return
        if link.number:
            link.speak(message["request_id"])
        elif message["request_id"] == "2":
            link.refuse("2", "overloaded")
            link.speak("1")
            link.start("3")

    async with (
        SpeechSession.over(resuming(opener(on_message, made), AT_ONCE), timeout_s=3) as session,
        session.utterance("A.", request_id="1") as first,
        session.utterance("B.", request_id="2") as second,
        session.utterance("C.", request_id="3") as third,
    ):
        heard = [len(b"".join([pcm async for pcm in each.audio()])) for each in (first, second, third)]

    assert heard == [100, 100, 100]
    assert [message["request_id"] for message in made[1].said if message["type"] == "text"] == ["2", "3"]


async def test_what_has_lost_its_place_is_asked_for_again_and_not_taken_for_complete() -> None:
    made: list[ScriptedLink] = []

    def words(link: ScriptedLink, *starts: int) -> None:
        told = [
            {"text": "abc", "start": at, "end": at + 3, "start_s": at / 10, "end_s": (at + 3) / 10} for at in starts
        ]
        link.tell(type="segment", request_id="1", index=0, text="abc abc", start=0, end=7, start_s=0)
        link.tell(type="words", request_id="1", index=0, words=told)

    def on_message(link: ScriptedLink, message: dict) -> None:
        if message["type"] != "text":
            return
        link.start("1")
        words(link, *((0, 4) if link.number == 0 else (0,)))
        link._push.send_nowait(bytes(48_000 if link.number else 24_000))
        if link.number:
            link.complete("1")
        else:
            link.cut()

    async with (
        SpeechSession.over(resuming(opener(on_message, made), AT_ONCE), timeout_s=3) as session,
        session.utterance("abc abc", request_id="1") as utterance,
    ):
        heard = len(b"".join([pcm async for pcm in utterance.audio()]))

    assert len(made) == 3
    assert heard == 24_000 + 48_000


def test_the_next_session_is_due_when_the_first_answer_says_however_often_it_is_said_again() -> None:
    now = 0.0
    policy = replace(AT_ONCE, clock=lambda: now)

    due = NextDue(policy)
    due.guess()
    told = []
    for passed in range(0, 1780, 20):
        now = float(passed)
        due.tell(1800.0 - passed)
        told.append(due.at)

    assert set(told) == {1740.0}


async def test_a_cancel_while_a_link_is_opened_leaves_the_others_as_they_are() -> None:
    made: list[ScriptedLink] = []
    gate = anyio.Event()

    async with resuming(opener(lambda *_: None, made, gate), AT_ONCE)() as link:
        for request_id in "123":
            await link.send(json.dumps({"type": "text", "text": "A. ", "request_id": request_id}))
        made[0].cut()
        await anyio.wait_all_tasks_blocked()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(link.send, json.dumps({"type": "cancel", "request_id": "1"}))
            await anyio.wait_all_tasks_blocked()
            gate.set()
            await until(lambda: len(made) > 1 and made[1].said)
            told = json.loads(await anext(aiter(link)))
        await until(lambda: len(made[1].said) >= 3)

    assert (told["type"], told["request_id"]) == ("cancelled", "1")
    assert [said["request_id"] for said in made[1].said if said["type"] == "text"] == ["2", "3"]


async def test_an_id_that_was_cancelled_can_be_used_again() -> None:
    def on_message(link: ScriptedLink, message: dict) -> None:
        if message["type"] == "cancel":
            link.cancelled("1")
        elif message["type"] == "end":
            link.speak("1")

    async with SpeechSession.over(resuming(opener(on_message, []), AT_ONCE), timeout_s=2) as session:
        async with session.utterance(request_id="1") as interrupted:
            await interrupted.send("Hello")
            await interrupted.cancel()
            async for _ in interrupted:
                pass
        async with session.utterance("Again.", request_id="1") as again:
            heard = len(b"".join([pcm async for pcm in again.audio()]))

    assert heard == 100


async def test_a_session_that_ends_in_good_order_is_followed_by_the_next_at_once() -> None:
    pauses: list[float] = []

    async def pause(seconds: float) -> None:
        pauses.append(seconds)

    def on_message(link: ScriptedLink, message: dict) -> None:
        if message["type"] == "text" and link.number == 0:
            link.tell(type="error", request_id=None, code="session_expired", message="", retryable=True, fatal=True)
        elif message["type"] == "text":
            link.speak("1")

    policy = ResumePolicy(sleep=pause)
    async with (
        SpeechSession.over(resuming(opener(on_message, []), policy), timeout_s=3) as session,
        session.utterance("A.", request_id="1") as utterance,
    ):
        heard = len(b"".join([pcm async for pcm in utterance.audio()]))

    assert (heard, pauses) == (100, [])
