"""Sessions over real sockets, with a model that hums."""

import json
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from primavoce.audio.pauses import PAUSES_S
from primavoce.protocol.client import Audio, ClientEvent, ClientSession
from primavoce.protocol.messages import (
    Cancelled,
    Error,
    Pong,
    SegmentSpoken,
    SessionComplete,
    SynthesisComplete,
    SynthesisStart,
    WordsSpoken,
)
from primavoce.testing.fake_engine import FakeModel, fake_engine

pytestmark = pytest.mark.anyio


class Caller:
    """A client that says exactly what a test tells it to."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self._session = ClientSession()

    async def send(self, **message: object) -> None:
        await self.socket.send(json.dumps(message))

    async def next(self) -> ClientEvent:
        with anyio.fail_after(10):
            return self._session.receive(await self.socket.recv())

    async def until(self, kind: type) -> list[ClientEvent]:
        events = [await self.next()]
        while not isinstance(events[-1], kind):
            events.append(await self.next())
        return events


@asynccontextmanager
async def calling(url: str) -> AsyncIterator[Caller]:
    async with connect(url, compression=None) as socket:
        yield Caller(socket)


class Gate:
    """Holds the model back until it is opened."""

    def __init__(self) -> None:
        self.reached = threading.Semaphore(0)
        self._open = threading.Semaphore(0)

    def __call__(self) -> None:
        self.reached.release()
        assert self._open.acquire(timeout=10)

    def open(self, times: int = 1000) -> None:
        self._open.release(times)

    async def wait_until_reached(self) -> None:
        await anyio.to_thread.run_sync(lambda: self.reached.acquire(timeout=10))


def kinds(events: list[ClientEvent]) -> list[str]:
    return [type(event).__name__ for event in events]


def seconds(events: list[ClientEvent], rate: int = 24_000) -> float:
    return sum(len(event.pcm) for event in events if isinstance(event, Audio)) / 2 / rate


async def test_a_request_is_answered_by_start_audio_and_completion(serving) -> None:
    async with serving() as server, calling(server.session_url) as caller:
        await caller.send(text="Good morning.", request_id="r")

        events = await caller.until(SynthesisComplete)

    assert kinds(events)[0] == "SynthesisStart"
    assert set(kinds(events)[1:-1]) == {"Audio"}
    complete = events[-1]
    assert isinstance(complete, SynthesisComplete)
    assert complete.total_duration_s == pytest.approx(seconds(events), abs=1e-3)
    assert (complete.segments, complete.characters) == (1, 13)


async def test_a_request_in_a_binary_frame_is_answered(serving) -> None:
    async with serving() as server, calling(server.session_url) as caller:
        await caller.socket.send(b'{"text": "Good morning.", "request_id": "r"}')

        assert isinstance(await caller.next(), SynthesisStart)


async def test_a_message_in_fragments_is_one_message(serving) -> None:
    async with serving() as server, calling(server.session_url) as caller:
        await caller.socket.send(['{"type": "pi', 'ng", "request', '_id": "p"}'])

        pong = await caller.next()

    assert isinstance(pong, Pong)
    assert pong.request_id == "p"


async def test_the_first_sentence_is_spoken_before_the_second_is_written(serving) -> None:
    async with serving() as server, calling(server.session_url) as caller:
        await caller.send(type="text", text="One moment. Le", request_id="r")
        events = await caller.until(Audio)

        await caller.send(type="text", text="t me look.", request_id="r")
        await caller.send(type="end", request_id="r")
        events += await caller.until(SynthesisComplete)

    assert isinstance(events[-1], SynthesisComplete)
    assert events[-1].segments == 2


async def test_a_finished_sentence_is_spoken_when_no_delta_comes(serving) -> None:
    async with serving(text_idle_s=0.01) as server, calling(server.session_url) as caller:
        await caller.send(type="text", text="One moment.", request_id="r")

        assert isinstance((await caller.until(Audio))[-1], Audio)


async def test_a_finished_sentence_is_spoken_though_the_client_goes_on_reporting_what_was_heard(serving) -> None:
    async with serving(text_idle_s=0.2) as server, calling(server.session_url) as caller:
        await caller.send(type="text", text="One moment.", request_id="r")

        with anyio.fail_after(5):
            event: ClientEvent | None = None
            while not isinstance(event, Audio):
                await caller.send(type="ping", played_s=0.0)
                event = await caller.next()


async def test_segments_say_where_their_text_and_their_audio_begin(serving) -> None:
    text = "One moment.  Let me look."
    async with serving() as server, calling(server.session_url) as caller:
        await caller.send(text=text, request_id="r", events=["segments"])
        events = await caller.until(SynthesisComplete)

    segments = [event for event in events if isinstance(event, SegmentSpoken)]
    assert [text[segment.start : segment.end] for segment in segments] == ["One moment.", "Let me look."]
    assert segments[0].start_s == 0
    before_s = seconds(events[: events.index(segments[1])])
    assert segments[1].start_s == pytest.approx(before_s + PAUSES_S["."], abs=1e-3)


async def test_words_have_the_time_and_the_place_where_they_were_written(serving) -> None:
    text = "One **moment**.  It is $5."
    async with serving() as server, calling(server.session_url) as caller:
        await caller.send(text=text, events=["words"])
        events = await caller.until(SynthesisComplete)

    words = [word for event in events if isinstance(event, WordsSpoken) for word in event.words]
    assert [word.text for word in words] == ["One", "moment", "It", "is", "$5"]
    assert [text[word.start : word.end] for word in words] == [word.text for word in words]
    moments = [moment for word in words for moment in (word.start_s, word.end_s)]
    assert moments == sorted(moments)
    assert moments[0] < 0.1
    assert moments[-1] == pytest.approx(events[-1].total_duration_s, abs=0.2)  # type: ignore[union-attr]


async def test_a_lexicon_holds_for_the_utterances_after_it(serving) -> None:
    async with serving() as server, calling(server.session_url) as caller:
        durations_s = []
        for words in ({}, {"Okafor": "/a/"}, {}):
            await caller.send(type="lexicon", words=words)
            await caller.send(text="Okafor Okafor.")
            ending = (await caller.until(SynthesisComplete))[-1]
            assert isinstance(ending, SynthesisComplete)
            durations_s.append(ending.total_duration_s)

    assert durations_s[1] < durations_s[0] - 0.5
    assert durations_s[2] == durations_s[0]


@pytest.mark.parametrize("words", [{"Okafor": "/§/"}, {"...": "dot"}, {"tlh": {"a": "b"}}])
async def test_a_lexicon_that_cannot_be_used_is_an_error_and_the_session_goes_on(serving, words: object) -> None:
    async with serving() as server, calling(server.session_url) as caller:
        await caller.send(type="lexicon", words=words)
        error = await caller.next()
        await caller.send(text="Good morning.")

        assert isinstance(error, Error)
        assert (error.code, error.fatal) == ("invalid_lexicon", False)
        await caller.until(SynthesisComplete)


async def test_what_is_not_prose_is_read_as_was_asked(serving) -> None:
    async with serving() as server, calling(server.session_url) as caller:
        durations_s = {}
        for code in ("skip", "announce", "read"):
            await caller.send(text="```\nabc def ghi jkl mno pqr\n```", code=code)
            ending = (await caller.until(SynthesisComplete))[-1]
            assert isinstance(ending, SynthesisComplete)
            durations_s[code] = ending.total_duration_s

    assert durations_s["skip"] == 0 < durations_s["announce"] < durations_s["read"]


@pytest.mark.parametrize("rate", [8000, 16000, 22050, 44100, 48000])
async def test_audio_comes_at_the_rate_asked_for(serving, rate: int) -> None:
    async with serving() as server, calling(server.session_url) as caller:
        await caller.send(text="Good morning.")
        reference = await caller.until(SynthesisComplete)
        await caller.send(text="Good morning.", sample_rate=rate)
        events = await caller.until(SynthesisComplete)

    assert isinstance(events[0], SynthesisStart)
    assert events[0].sample_rate == rate
    assert seconds(events, rate) == pytest.approx(seconds(reference), abs=0.002)


async def test_cancel_is_acknowledged_and_no_audio_follows(serving) -> None:
    gate = Gate()
    async with (
        serving(fake_engine(model=FakeModel(before=gate, parts_per_segment=4))) as server,
        calling(server.session_url) as caller,
    ):
        await caller.send(text="A long sentence that takes its time.", request_id="r")
        gate.open(1)
        await caller.until(Audio)

        await caller.send(type="cancel", request_id="r")
        cancelled = await caller.next()
        gate.open()
        await caller.send(type="ping")
        after = await caller.next()

    assert isinstance(cancelled, Cancelled)
    assert cancelled.audio_sent_s > 0
    assert isinstance(after, Pong)


async def test_cancel_and_ping_are_answered_while_the_model_works(serving) -> None:
    gate = Gate()
    async with serving(fake_engine(model=FakeModel(before=gate))) as server, calling(server.session_url) as caller:
        await caller.send(text="Slow.", request_id="r")
        await gate.wait_until_reached()

        await caller.send(type="ping")
        await caller.send(type="cancel")
        events = [await caller.next() for _ in range(3)]
        gate.open()

    assert kinds(events) == ["SynthesisStart", "Pong", "Cancelled"]


async def test_requests_that_come_while_one_is_spoken_wait_their_turn(serving) -> None:
    async with serving() as server, calling(server.session_url) as caller:
        for name in "abc":
            await caller.send(text="Hello there.", request_id=name)
        order = []
        for _ in range(3):
            events = await caller.until(SynthesisComplete)
            order.append({event.request_id for event in events})

    assert order == [{"a"}, {"b"}, {"c"}]


async def test_close_finishes_what_is_queued_then_says_so(serving) -> None:
    async with serving() as server, calling(server.session_url) as caller:
        await caller.send(type="text", text="Hello the", request_id="r")
        await caller.send(type="close")

        events = await caller.until(SessionComplete)

    assert kinds(events)[-2:] == ["SynthesisComplete", "SessionComplete"]


async def test_a_server_whose_client_does_not_close_closes_by_itself(serving, monkeypatch) -> None:
    monkeypatch.setattr("primavoce.server.session.CLOSE_PATIENCE_S", 0.01)
    async with serving() as server, calling(server.session_url) as caller:
        await caller.send(type="close")
        await caller.until(SessionComplete)

        with pytest.raises(ConnectionClosed) as closed:
            await caller.next()

    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1000


async def test_an_idle_session_is_ended_with_its_reason(serving, monkeypatch) -> None:
    monkeypatch.setattr("primavoce.server.session.WATCH_PERIOD_S", 0.01)
    async with serving(session_idle_s=0.02) as server, calling(server.session_url) as caller:
        assert await caller.next() == SessionComplete(reason="idle")


async def test_wav_begins_with_a_header_and_pcm_follows(serving) -> None:
    async with serving() as server, calling(server.session_url) as caller:
        await caller.send(text="Hello.", format="wav")
        events = await caller.until(SynthesisComplete)

    audio = b"".join(event.pcm for event in events if isinstance(event, Audio))
    assert audio[:4] == b"RIFF"
    complete = events[-1]
    assert isinstance(complete, SynthesisComplete)
    assert (len(audio) - 44) / 2 / 24_000 == pytest.approx(complete.total_duration_s, abs=1e-3)


async def test_a_model_that_fails_ends_its_utterance_and_not_the_session(serving, caplog) -> None:
    fail = [True]

    def before() -> None:
        if fail.pop() if fail else False:
            raise RuntimeError("the secret reason")

    async with (
        serving(fake_engine(model=FakeModel(before=before))) as server,
        calling(server.session_url) as caller,
    ):
        await caller.send(text="Hello.", request_id="a")
        error = (await caller.until(Error))[-1]
        await caller.send(text="Hello.", request_id="b")
        events = await caller.until(SynthesisComplete)

    assert isinstance(error, Error)
    assert (error.code, error.request_id, error.fatal) == ("synthesis_failed", "a", False)
    assert "secret" not in error.message
    assert seconds(events) > 0


async def test_one_session_too_many_is_told_so_inside_the_session(serving) -> None:
    async with (
        serving(max_sessions=1) as server,
        calling(server.session_url) as inside,
        calling(server.session_url) as outside,
    ):
        await inside.send(type="ping")
        await inside.next()

        error = await outside.next()

    assert isinstance(error, Error)
    assert (error.code, error.retryable, error.fatal) == ("overloaded", True, True)


async def test_an_utterance_that_would_make_others_run_dry_is_refused_and_its_session_goes_on(
    serving,
) -> None:
    class Tried(FakeModel):
        trial = (1.0, 0.6)  # type: ignore[assignment]

    gate = Gate()
    async with (
        serving(fake_engine(model=Tried(before=gate), patience_s=0.0)) as server,
        calling(server.session_url) as first,
        calling(server.session_url) as second,
    ):
        await first.send(text="Hello there.")
        await gate.wait_until_reached()
        await second.send(text="Me too.", request_id="r1")
        *_, refused = await second.until(Error)
        gate.open()
        await first.until(SynthesisComplete)
        await second.send(text="Me now.", request_id="r2")
        *_, spoken = await second.until(SynthesisComplete)

    assert (refused.request_id, refused.code, refused.retryable, refused.fatal) == ("r1", "overloaded", True, False)
    assert spoken.request_id == "r2"


async def test_a_client_that_leaves_in_mid_sentence_gives_its_place_away(serving) -> None:
    gate = Gate()
    async with serving(fake_engine(model=FakeModel(before=gate)), max_sessions=1) as server:
        async with calling(server.session_url) as leaver:
            await leaver.send(text="Hello there.")
            await gate.wait_until_reached()
        gate.open()

        events: list[ClientEvent] = []
        while not events or isinstance(events[-1], Error):  # until the server has noticed that it left
            async with calling(server.session_url) as caller:
                await caller.send(text="Hello.")
                events = await caller.until((SynthesisComplete, Error))  # type: ignore[arg-type]

    assert isinstance(events[-1], SynthesisComplete)


async def test_a_reader_that_stops_reading_is_dropped_and_others_are_served(serving) -> None:
    async with serving(send_timeout_s=0.2) as server:
        async with calling(server.session_url) as stalled, calling(server.session_url) as caller:
            stalled.socket.transport.pause_reading()  # what a stalled reader looks like to the server
            await stalled.send(text="One two three four five. " * 2000, sample_rate=48_000)

            await caller.send(text="Hello.")
            events = await caller.until(SynthesisComplete)

            with anyio.fail_after(30):
                while len(server.lobby) > 1:  # noqa: ASYNC110 - the server has no event for a test to wait for
                    await anyio.sleep(0.01)
            stalled.socket.transport.abort()

    assert seconds(events) > 0


async def test_two_hundred_bad_messages_leave_the_next_good_one_served(serving) -> None:
    bad = [
        "",
        b"",
        "x",
        b"\xff",
        "[]",
        "{}",
        '{"text": ""}',
        '{"text": 3}',
        '{"text": "a", "voice": "nobody"}',
        '{"text": "a", "speed": 0}',
        '{"text": "a", "speed": -1}',
        '{"text": "a", "speed": NaN}',
        '{"text": "a", "speed": "fast"}',
        '{"text": "a", "sample_rate": 1}',
        '{"text": "a", "colour": "red"}',
        '{"type": "nonsense"}',
        '{"type": "end"}',
        '{"type": "cancel", "request_id": "?"}',
        json.dumps({"text": "a" * 2_000_000}),
        json.dumps({"text": "a", "request_timestamp": 1.0}),
    ]
    async with serving() as server, calling(server.session_url) as caller:
        for frame in bad * 10:
            await caller.socket.send(frame)
            event = await caller.next()
            assert isinstance(event, Error)
            assert not event.fatal

        await caller.send(text="Good morning.")
        events = await caller.until(SynthesisComplete)

    assert seconds(events) > 0
