"""A turn, over the real server with an engine that hums."""

import base64
from collections.abc import AsyncIterator

import anyio
import anyio.lowlevel
import pytest

from primavoce.agent.conversation import FLUSH, Piece, PlainConversation
from primavoce.agent.turn import OpenSpeech, Speaking, answering
from primavoce.client import SpeechSession
from primavoce.errors import ModelThrottled
from primavoce.protocol.agent import (
    ENDINGS,
    MAX_CHUNK_BYTES,
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


async def test_batch_sends_nothing_before_all_of_it_is_there(serving) -> None:
    async with serving() as server:
        events = await events_of(saying(*TWO), by(server), Speaking(mode="batch"))

    timings = events[-1].timings
    assert timings.text_complete_s < timings.first_audio_s
    assert timings.total_s - timings.first_audio_s < 0.1  # nothing is made any more by then


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
    assert max(sizes) <= MAX_CHUNK_BYTES
    assert not any(size % 2 for size in sizes)
    assert len(base64.b64encode(bytes(MAX_CHUNK_BYTES))) < 32 * 1024


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
                    turn.answer.played_s = 0.6
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
