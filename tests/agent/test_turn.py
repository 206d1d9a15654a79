"""A turn, over the real server with an engine that hums."""

import base64
import threading
import time
from collections.abc import AsyncIterator
from types import SimpleNamespace

import anyio
import anyio.lowlevel
import pytest

from primavoce.agent.chat_stream import chat_deltas
from primavoce.agent.conversation import FLUSH, Piece, PlainConversation
from primavoce.agent.turn import OpenSpeech, Speaking, answering
from primavoce.client import SpeechSession
from primavoce.errors import ModelThrottled
from primavoce.protocol.agent import (
    ENDINGS,
    MAX_AUDIO_BYTES,
    AgentEnd,
    AgentStart,
    AnswerCancelled,
    AnswerFailed,
    AnswerSegment,
    AnswerWords,
    AnyAgentEvent,
    AudioChunk,
    AudioStreamEnd,
    AudioStreamStart,
    TextDelta,
)
from primavoce.protocol.agent_codec import encode_event
from primavoce.testing.fake_engine import FakeModel, fake_engine

pytestmark = pytest.mark.anyio
TWO = ["The first one", " is done. ", "Then comes", " the second."]


def saying(*pieces: Piece, then: Exception | None = None) -> PlainConversation:
    """A conversation that answers everything with ``pieces``, and fails with ``then``."""

    async def answer(prompt: str) -> AsyncIterator[Piece]:
        assert prompt == "Well?"
        for piece in pieces:
            yield piece
        if then is not None:
            raise then

    return PlainConversation(answer)


def by(server) -> OpenSpeech:
    return lambda: SpeechSession(server.address)


async def events_of(
    conversation: PlainConversation, speech: OpenSpeech, how: Speaking | None = None
) -> list[AnyAgentEvent]:
    async with answering(conversation, "Well?", speech, how, request_id="one") as turn:
        return [event async for event in turn]


def kinds(events: list[AnyAgentEvent]) -> list[type[AnyAgentEvent]]:
    return [type(event) for event in events]


def pcm_of(events: list[AnyAgentEvent]) -> bytes:
    return b"".join(event.data for event in events if isinstance(event, AudioChunk))


async def test_an_answer_is_written_and_spoken_in_this_order(serving) -> None:
    async with serving() as server:
        events = await events_of(saying(*TWO), by(server))

    assert isinstance(events[0], AgentStart)
    assert [event.text for event in events if isinstance(event, TextDelta)] == TWO
    audio = [event for event in events if not isinstance(event, AgentStart | TextDelta)]
    assert isinstance(audio[0], AudioStreamStart)
    assert isinstance(audio[1], AnswerSegment)
    assert isinstance(audio[-2], AudioStreamEnd)
    assert isinstance(audio[-1], AgentEnd)
    assert audio[-2].total_chunks == sum(isinstance(event, AudioChunk) for event in audio)
    assert audio[-2].duration_s == len(pcm_of(events)) / 48_000
    assert [event.seq for event in audio if isinstance(event, AudioChunk)] == list(range(audio[-2].total_chunks))
    assert {event.request_id for event in events} == {"one"}


async def test_speech_begins_before_the_text_is_complete(serving) -> None:
    heard = anyio.Event()

    async def answer(_: str) -> AsyncIterator[str]:
        yield "The first one is done. "
        with anyio.fail_after(5):
            await heard.wait()
        yield "Then comes the second."

    async with (
        serving() as server,
        answering(PlainConversation(answer), "Well?", by(server)) as turn,
    ):
        async for event in turn:
            if isinstance(event, AudioChunk):
                heard.set()

    timings = event.timings
    assert timings.speech_open_s is not None
    assert timings.first_audio_s < timings.text_complete_s < timings.total_s


async def test_places_of_segments_are_those_in_all_deltas(serving) -> None:
    async with serving() as server:
        events = await events_of(saying(" ", "\n", *TWO), by(server))

    text = " \n" + "".join(TWO)
    segments = [event for event in events if isinstance(event, AnswerSegment)]
    assert [text[each.start : each.end] for each in segments] == [each.text for each in segments]
    assert " ".join(each.text for each in segments) == "".join(TWO)


async def test_a_flush_has_half_a_sentence_spoken(serving) -> None:
    heard = anyio.Event()

    async def answer(_: str) -> AsyncIterator[Piece]:
        yield "Let me look at the"
        yield FLUSH
        with anyio.fail_after(5):
            await heard.wait()
        yield " clock."

    async with serving() as server, answering(PlainConversation(answer), "Well?", by(server)) as turn:
        async for event in turn:
            if isinstance(event, AudioChunk):
                heard.set()

    assert isinstance(event, AgentEnd)


async def test_words_are_told_to_those_who_ask(serving) -> None:
    async with serving() as server:
        without = await events_of(saying(*TWO), by(server))
        told = await events_of(saying(*TWO), by(server), Speaking(tells_words=True))

    assert AnswerWords not in kinds(without)
    words = [word.text for event in told if isinstance(event, AnswerWords) for word in event.words]
    assert words == ["The", "first", "one", "is", "done", "Then", "comes", "the", "second"]


@pytest.mark.parametrize("mode", ["stream", "batch", "text_complete"])
async def test_all_modes_speak_the_same(serving, mode) -> None:
    async with serving() as server:
        spoken = pcm_of(await events_of(saying(*TWO), by(server), Speaking(mode="stream")))
        again = pcm_of(await events_of(saying(*TWO), by(server), Speaking(mode=mode)))

    assert again == spoken


@pytest.mark.parametrize(("mode", "waits"), [("batch", True), ("text_complete", False)])
async def test_batch_alone_sends_nothing_before_all_of_it_is_there(serving, mode, waits) -> None:
    parts, go_on = [], threading.Event()

    def before() -> None:
        parts.append(None)
        if len(parts) == 2:  # the first is made
            assert go_on.wait(10)

    came = anyio.Event()
    async with serving(fake_engine(model=FakeModel(before=before, parts_per_segment=2))) as server:
        async with answering(saying(*TWO), "Well?", by(server), Speaking(mode=mode)) as turn:
            async with anyio.create_task_group() as tasks:

                async def read() -> None:
                    async for event in turn:
                        if isinstance(event, AudioChunk):
                            came.set()

                tasks.start_soon(read)
                with anyio.move_on_after(0.3 if waits else 10):
                    await came.wait()
                assert came.is_set() is not waits
                go_on.set()

    assert came.is_set()


async def test_a_long_delta_is_told_in_several_events_of_one_text(serving) -> None:
    delta = "\0 is escaped. " * 1000

    told: list[TextDelta] = []
    async with serving() as server, answering(saying(delta), "Well?", by(server)) as turn:
        async for event in turn:
            if isinstance(event, TextDelta):
                told.append(event)
            if sum(len(each.text) for each in told) == len(delta):
                break

    assert "".join(event.text for event in told) == delta
    assert [event.seq for event in told] == list(range(len(told)))
    assert max(len(encode_event(event)) for event in told) < 32 * 1024


async def test_batch_isnt_made_at_the_pace_of_a_listener(serving) -> None:
    sentence = "Five six seven eight nine ten. "

    async with serving(max_ahead_s=1.0) as server:
        with anyio.fail_after(10):
            events = await events_of(saying(sentence * 20), by(server), Speaking(mode="batch"))

    assert events[-1].timings.audio_s > 20


@pytest.mark.parametrize("pieces", [(), ("", " \n "), (FLUSH,)])
async def test_an_answer_without_text_has_no_audio(serving, pieces) -> None:
    async with serving() as server:
        events = await events_of(saying(*pieces), by(server))

    assert not {AudioStreamStart, AudioChunk, AudioStreamEnd} & set(kinds(events))
    assert isinstance(events[-1], AgentEnd)


async def test_audio_comes_in_whole_samples_that_fit_a_narrow_frame(serving) -> None:
    async with serving() as server:
        events = await events_of(saying("One long sentence with a good many words in it, " * 9), by(server))

    sizes = [len(event.data) for event in events if isinstance(event, AudioChunk)]
    assert max(sizes) <= MAX_AUDIO_BYTES
    assert not any(size % 2 for size in sizes)
    assert len(base64.b64encode(bytes(MAX_AUDIO_BYTES))) < 32 * 1024


async def test_a_cancel_is_the_next_event_and_tells_what_was_heard(serving) -> None:
    conversation = saying("One two three four. ", "Five six seven eight. " * 50)

    async with serving() as server, answering(conversation, "Well?", by(server)) as turn:
        async for event in turn:
            if isinstance(event, AudioChunk):
                break
        told = turn.cancel(played_s=0.6)
        rest = [event async for event in turn]

    assert rest == [told]
    assert told.spoken_text == "One two"
    assert conversation.heard == told.spoken_characters == len("One two")


async def test_a_listener_who_leaves_interrupts(serving) -> None:
    conversation = saying("One two three four. ", "Five six seven eight. " * 50)

    async with serving() as server:
        async with answering(conversation, "Well?", by(server)) as turn:
            async for event in turn:
                if isinstance(event, AudioChunk):
                    turn.answer.played(0.6, now=time.monotonic())
                    break

        assert conversation.heard == len("One two")
        with anyio.fail_after(5):
            while len(server.lobby):
                await anyio.lowlevel.checkpoint()


async def test_a_cancel_ends_a_source_that_is_stuck(serving) -> None:
    closed = anyio.Event()

    async def answer(_: str) -> AsyncIterator[str]:
        try:
            yield "The first one is done. "
            await anyio.sleep_forever()
        finally:
            closed.set()

    async with serving() as server:
        with anyio.fail_after(5):
            async with answering(PlainConversation(answer), "Well?", by(server)) as turn:
                async for event in turn:
                    if isinstance(event, TextDelta):
                        turn.cancel()

    assert isinstance(event, AnswerCancelled)
    assert closed.is_set()


async def test_a_cancel_of_what_has_ended_is_no_event(serving) -> None:
    async with serving() as server, answering(saying(*TWO), "Well?", by(server)) as turn:
        events = [event async for event in turn]

        assert turn.cancel() is None
        assert [event async for event in turn] == []
    assert sum(isinstance(event, ENDINGS) for event in events) == 1


async def test_an_answer_that_ended_can_be_interrupted_in_the_listeners_ear(serving) -> None:
    async with serving() as server, answering(saying(*TWO), "Well?", by(server)) as turn:
        async for _ in turn:
            pass

    assert turn.answer.cancel(played_s=0.7, now=0.0).spoken_text == "The first"


async def test_an_answer_that_nobody_read_to_its_end_is_remembered_as_far_as_it_was_heard(serving) -> None:
    conversation = saying(*TWO)

    async with serving() as server, answering(conversation, "Well?", by(server)) as turn:
        while not turn.answer.ended:  # noqa: ASYNC110 - it is the answer that is waited for, and nobody reads
            await anyio.sleep(0.001)
        told = turn.cancel(played_s=0.7)
        rest = [event async for event in turn]

    assert rest == [told]
    assert conversation.heard == len("The first")


async def test_what_is_cancelled_before_it_is_asked_leaves_the_answer_before_it_alone(serving) -> None:
    conversation = saying(*TWO)
    conversation.heard = 99

    async with serving() as server, answering(conversation, "Well?", by(server)) as turn:
        turn.cancel()

    assert conversation.heard == 99


async def test_after_a_failure_what_was_sent_is_what_was_heard(serving) -> None:
    conversation = saying("The first one is done. ", "Then", then=ModelThrottled())

    async with serving() as server:
        events = await events_of(conversation, by(server))

    sent = sum(len(event.data) for event in events if isinstance(event, AudioChunk)) / 48_000
    assert conversation.heard is not None
    assert conversation.heard <= len("The first one is done.")
    assert (conversation.heard > 0) is (sent > 0.3)


async def test_an_interruption_closes_a_source_that_takes_its_time_to_close(serving) -> None:
    closed = anyio.Event()

    class Stream:
        async def __aiter__(self) -> AsyncIterator[SimpleNamespace]:
            yield SimpleNamespace(choices=[SimpleNamespace(delta=SimpleNamespace(content="Good day to you. "))])
            await anyio.sleep_forever()

        async def close(self) -> None:
            await anyio.lowlevel.checkpoint()
            closed.set()

    async with serving() as server:
        async with answering(PlainConversation(lambda _: chat_deltas(Stream())), "Well?", by(server)) as turn:
            async for event in turn:
                if isinstance(event, TextDelta):
                    break

    assert closed.is_set()


@pytest.mark.parametrize(
    ("failure", "code"), [(ModelThrottled(), "model_throttled"), (ValueError("secret"), "model_failed")]
)
async def test_a_source_that_fails_ends_the_answer_with_its_code(serving, failure, code, caplog) -> None:
    async with serving() as server:
        events = await events_of(saying("The first one is done. ", then=failure), by(server))

    assert isinstance(events[-1], AnswerFailed)
    assert events[-1].code == code
    assert "secret" not in events[-1].message


async def test_speech_that_cant_be_reached_is_told_without_its_address() -> None:
    events = await events_of(saying(*TWO), lambda: SpeechSession("ws://127.0.0.1:9"))

    assert isinstance(events[-1], AnswerFailed)
    assert events[-1].code == "speech_unavailable"
    assert "127.0.0.1" not in events[-1].message


async def test_a_voice_that_isnt_there_is_told_as_the_server_tells_it(serving) -> None:
    async with serving() as server:
        events = await events_of(saying(*TWO), by(server), Speaking(voice="af_nobody"))

    assert events[-1].code == "unknown_voice"


async def test_a_listener_who_doesnt_read_holds_the_writer_back(serving) -> None:
    written = 0

    async def answer(_: str) -> AsyncIterator[str]:
        nonlocal written
        for _ in range(10_000):
            yield "word "
            written += 1

    async with serving() as server, answering(PlainConversation(answer), "Well?", by(server)):
        await anyio.wait_all_tasks_blocked()

    assert 0 < written < 200
