"""Sessions that go on over another connection, against the real server with a model that hums."""

import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import pairwise

import anyio
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from primavoce.client import SpeechSession
from primavoce.client.link import Opener, SessionLink
from primavoce.client.resuming import ResumePolicy, resuming
from primavoce.client.websocket import websocket
from primavoce.errors import ConnectFailed, KeyRefused, RequestFailed, SessionBroken, SessionTimeout
from primavoce.protocol.client import Audio, ClientEvent
from primavoce.protocol.messages import SegmentSpoken, SynthesisComplete, WordsSpoken
from primavoce.testing.broken_servers import Faults, broken_server
from primavoce.testing.fake_engine import FakeModel, fake_engine
from tests.client.resuming.cutting import cut, cut_at_frame, letters, until, watched

pytestmark = pytest.mark.anyio

TEXT = "Hello there, this is one. Here comes the second sentence of them all. And a third! Now the last of them."
LETTERS = "".join(character for character in TEXT.lower() if character.isalpha()).replace("g", "ɡ")
AT_ONCE = ResumePolicy(first_pause_s=0.0)


async def spoken(opener: Opener, text: str = TEXT, **options: object) -> tuple[bytes, list[ClientEvent]]:
    pcm, events = b"", []
    async with SpeechSession.over(opener, timeout_s=10) as session:
        async with session.utterance(text, events=("segments", "words"), **options) as utterance:  # type: ignore[arg-type]
            async for event in utterance:
                if isinstance(event, Audio):
                    pcm += event.pcm
                else:
                    events.append(event)
    return pcm, events


def said(events: list[ClientEvent]) -> str:
    return " ".join(word.text for event in events if isinstance(event, WordsSpoken) for word in event.words)


def expired(given_back: anyio.Event) -> Callable[[str | bytes], None]:
    """Return what sets ``given_back`` by a frame that gives an utterance back since its session's time is over."""

    def on_frame(frame: str | bytes) -> None:
        if isinstance(frame, str) and '"session_expired"' in frame:
            given_back.set()

    return on_frame


async def test_what_isnt_cut_is_as_it_would_be(serving) -> None:
    async with serving() as server:
        opener = websocket(server.address)
        pcm, events = await spoken(resuming(opener))

    assert letters(pcm) == LETTERS
    assert events[-1].total_duration_s * 48_000 == pytest.approx(len(pcm), abs=50)  # type: ignore[union-attr]


@pytest.mark.parametrize("cuts", [[0], [1000], [30_001], [60_000, 0, 40_000], [5_000, 5_000, 5_000], [200_000]])
async def test_an_utterance_that_breaks_off_is_heard_whole_and_once(serving, cuts: list[int]) -> None:
    opened = []
    async with serving() as server:
        opener = cut(websocket(server.address), cuts, on_open=lambda: opened.append(1))
        pcm, events = await spoken(resuming(opener, AT_ONCE))

    assert len(opened) == len(cuts) + 1
    assert letters(pcm) == LETTERS
    assert said(events) == TEXT.translate(str.maketrans("", "", ".,!"))
    completed = events[-1]
    assert isinstance(completed, SynthesisComplete)
    assert completed.total_duration_s * 48_000 == pytest.approx(len(pcm), abs=50)


async def test_its_segments_are_told_of_in_order_and_without_a_gap(serving) -> None:
    async with serving() as server:
        _, events = await spoken(resuming(cut(websocket(server.address), [70_000, 60_000]), AT_ONCE))

    segments = [event for event in events if isinstance(event, SegmentSpoken)]
    assert [each.index for each in segments] == list(range(len(segments)))
    assert all(TEXT[before.end : after.start].strip() == "" for before, after in pairwise(segments))
    assert (segments[0].start, segments[-1].end) == (0, len(TEXT))
    assert [each.start_s for each in segments] == sorted(each.start_s for each in segments)


@settings(max_examples=15, deadline=None)
@given(cuts=st.lists(st.integers(0, 400_000), min_size=1, max_size=3))
@example(cuts=[75_558])  # in the middle of a letter
@example(cuts=[224_824])  # in the mark at the end of a sentence
def test_wherever_it_is_cut_no_letter_is_lost_or_heard_twice(shared_server, cuts: list[int]) -> None:
    pcm, events = anyio.run(spoken, resuming(cut(websocket(shared_server.address), cuts), AT_ONCE))

    assert letters(pcm) == LETTERS
    assert said(events) == TEXT.translate(str.maketrans("", "", ".,!"))


@pytest.mark.parametrize("after_frames", range(24))
async def test_at_whichever_frame_it_is_cut_no_letter_is_lost_or_heard_twice(shared_server, after_frames: int) -> None:
    pcm, events = await spoken(resuming(cut_at_frame(websocket(shared_server.address), after_frames), AT_ONCE))

    assert letters(pcm) == LETTERS
    assert said(events) == TEXT.translate(str.maketrans("", "", ".,!"))


CODE = """```python
hello = one
there = one more of them all, and another to make it long
and = here comes the second line of them, which is long enough
```
And **now** the rest of it.
"""


@pytest.mark.parametrize("after_frames", range(6, 14))  # about the end of the first segment
async def test_at_whichever_frame_code_is_cut_no_letter_is_lost_or_heard_twice(
    shared_server, after_frames: int
) -> None:
    whole, _ = await spoken(websocket(shared_server.address), CODE, code="read")
    pcm, _ = await spoken(
        resuming(cut_at_frame(websocket(shared_server.address), after_frames), AT_ONCE), CODE, code="read"
    )

    assert letters(pcm) == letters(whole)


async def test_text_that_is_still_being_written_is_spoken_on_the_next_connection(serving) -> None:
    heard = anyio.Event()

    async def deltas() -> AsyncIterator[str]:
        yield "One moment. "
        await heard.wait()
        yield "And another."

    async with serving() as server:
        pcm = b""
        opener = resuming(cut(websocket(server.address), [20_000]), AT_ONCE)
        async with SpeechSession.over(opener) as session, session.utterance(deltas()) as utterance:
            async for piece in utterance.audio():
                pcm += piece
                if len(pcm) > 20_000:
                    heard.set()

    assert letters(pcm) == "onemomentandanother"


async def test_utterances_that_wait_behind_it_are_spoken_after_it(serving) -> None:
    async with serving() as server:
        opener = resuming(cut(websocket(server.address), [20_000]), AT_ONCE)
        async with (
            SpeechSession.over(opener) as session,
            session.utterance("The first one of all.") as first,
            session.utterance("And the second.") as second,
        ):
            heard = [b"".join([pcm async for pcm in each.audio()]) for each in (first, second)]

    assert [letters(pcm) for pcm in heard] == ["thefirstoneofall", "andthesecond"]


async def test_a_session_that_the_server_has_ended_is_opened_anew_when_it_is_needed(serving) -> None:
    opened = []
    async with serving(session_idle_s=0.05, first_message_s=0.05) as server:
        opener = cut(websocket(server.address), [], on_open=lambda: opened.append(1))
        async with SpeechSession.over(resuming(opener, AT_ONCE)) as session:
            await until(lambda: not len(server.lobby))
            async with session.utterance("Hello.") as utterance:
                pcm = b"".join([piece async for piece in utterance.audio()])

    assert letters(pcm) == "hello"
    assert len(opened) == 2


async def test_the_next_session_is_opened_before_the_last_one_ends(serving) -> None:
    opened = []
    async with serving(session_limit_s=0.4) as server:
        opener = cut(websocket(server.address), [], on_open=lambda: opened.append(1))
        heard = []
        async with SpeechSession.over(resuming(opener, AT_ONCE)) as session:
            for text in ("The first.", "The second.", "The third."):
                sessions = len(opened)
                async with session.utterance(text) as utterance:
                    heard.append(letters(b"".join([piece async for piece in utterance.audio()])))
                    assert len(opened) - sessions <= 1
                await until(lambda before=sessions: len(opened) > before)

    assert heard == ["thefirst", "thesecond", "thethird"]
    assert len(opened) >= 4


async def test_an_utterance_that_outlasts_its_session_goes_on_in_the_next(serving) -> None:
    gate = threading.Semaphore(1)
    model = FakeModel(before=lambda: gate.acquire(timeout=10) and None)  # type: ignore[func-returns-value]
    given_back = anyio.Event()
    async with serving(fake_engine(model=model), session_limit_s=0.3, drain_s=0.1) as server:
        opener = watched(websocket(server.address), expired(given_back))
        async with SpeechSession.over(resuming(opener, AT_ONCE)) as session:
            async with session.utterance("The first one of all. And here is the second of them.") as utterance:
                sounds = utterance.audio()
                pcm = await anext(sounds)
                await given_back.wait()  # the session is over, and has cut the utterance
                gate.release(20)
                pcm += b"".join([piece async for piece in sounds])

    assert letters(pcm) == "thefirstoneofallandhereisthesecondofthem"


async def test_a_lexicon_holds_in_the_next_session(serving) -> None:
    async with serving() as server:
        opener = resuming(cut(websocket(server.address), [20_000]), AT_ONCE)
        async with SpeechSession.over(opener) as session:
            await session.set_lexicon({"Okafor": "/aaa/"})
            with pytest.raises(RequestFailed):
                await session.set_lexicon({"...": "dot"})
            async with session.utterance("Hello there, all of you. Okafor.") as utterance:
                pcm = b"".join([piece async for piece in utterance.audio()])

    assert letters(pcm).endswith("youaaa")


async def test_a_cancel_that_crosses_the_break_is_acknowledged(serving) -> None:
    async with serving() as server:
        opener = resuming(cut(websocket(server.address), [20_000]), AT_ONCE)
        async with SpeechSession.over(opener) as session, session.utterance(TEXT) as utterance:
            await anext(utterance.audio())
            await utterance.cancel(played_s=0.4)
            async for _ in utterance:
                pass

    assert utterance.cancelled is not None
    assert utterance.cancelled.spoken_text == "Hello"


async def test_a_server_that_cannot_be_had_is_tried_again_with_pauses_by_chance() -> None:
    pauses: list[float] = []
    tries = []

    @asynccontextmanager
    async def refusing() -> AsyncIterator[SessionLink]:
        tries.append(1)
        raise ConnectFailed("ws://example.com", "nobody there")
        yield

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    policy = ResumePolicy(attempts=4, first_pause_s=1.0, longest_pause_s=3.0, sleep=sleep, chance=lambda: 0.5)
    with pytest.raises(ConnectFailed):
        async with SpeechSession.over(resuming(refusing, policy)):
            pass

    assert len(tries) == 4
    assert pauses == [0.5, 1.0, 1.5]


async def test_what_no_attempt_can_mend_is_told_at_once() -> None:
    tries = []

    @asynccontextmanager
    async def refusing() -> AsyncIterator[SessionLink]:
        tries.append(1)
        raise KeyRefused("ws://example.com", shown=True)
        yield

    with pytest.raises(KeyRefused):
        async with SpeechSession.over(resuming(refusing)):
            pass

    assert len(tries) == 1


async def test_a_server_that_breaks_off_each_time_is_given_up(serving) -> None:
    opened = []
    async with serving() as server:
        opener = cut(websocket(server.address), [0] * 10, on_open=lambda: opened.append(1))
        with pytest.raises(SessionBroken, match="cut"):
            await spoken(resuming(opener, replace(AT_ONCE, attempts=3)))

    assert len(opened) == 3


async def test_encoded_audio_that_breaks_off_is_not_patched(serving) -> None:
    opened = []
    async with serving() as server:
        opener = cut(websocket(server.address), [4_000], on_open=lambda: opened.append(1))
        with pytest.raises(SessionBroken):
            await spoken(resuming(opener, AT_ONCE), audio_format="mp3")

    assert len(opened) == 1


async def test_a_server_that_falls_silent_is_left_for_another() -> None:
    policy = replace(AT_ONCE, silence_s=0.05, attempts=2)
    opened: list[int] = []
    async with broken_server(Faults(never_completes=True, ignores_pings=True)) as url:
        opener = cut(websocket(url), [], on_open=lambda: opened.append(1))
        with pytest.raises(SessionTimeout, match="sign of life"):
            await spoken(resuming(opener, policy), "")

    assert len(opened) == 2


async def test_what_a_server_gives_back_is_asked_of_another_in_its_turn(serving) -> None:
    gate = threading.Semaphore(1)
    model = FakeModel(before=lambda: gate.acquire(timeout=10) and None)  # type: ignore[func-returns-value]
    given_back = anyio.Event()
    async with serving(fake_engine(model=model), session_limit_s=0.3) as server:
        opener = watched(websocket(server.address), expired(given_back))
        async with (
            SpeechSession.over(resuming(opener, replace(AT_ONCE, ahead_s=0.0))) as session,
            session.utterance("The first. It goes on.") as first,
            session.utterance("The second.") as second,
        ):
            sounds = first.audio()
            heard = await anext(sounds)
            await given_back.wait()  # the second, which waits for its turn
            gate.release(20)
            heard += b"".join([piece async for piece in sounds])
            after = b"".join([piece async for piece in second.audio()])

    assert letters(heard) == "thefirstitɡoeson"
    assert letters(after) == "thesecond"


async def test_leaving_early_leaves_nothing_behind(serving) -> None:
    async with serving(max_sessions=1) as server:
        opener = resuming(websocket(server.address), AT_ONCE)
        for _ in range(3):
            async with SpeechSession.over(opener) as session, session.utterance(TEXT) as utterance:
                await anext(utterance.audio())
        await until(lambda: not len(server.lobby))


async def test_what_is_said_to_be_heard_is_said_in_the_time_of_the_connection_that_there_is(serving) -> None:
    async with serving() as server:
        opener = resuming(cut(websocket(server.address), [60_000]), AT_ONCE)
        async with SpeechSession.over(opener) as session, session.utterance(TEXT) as utterance:
            pcm = b""
            async for piece in utterance.audio():
                pcm += piece
                await utterance.played(len(pcm) / 48_000)

    assert letters(pcm) == LETTERS
