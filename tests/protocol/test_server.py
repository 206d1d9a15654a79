"""The server's state machine, without a server."""

import itertools
import json

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from primavoce.errors import SynthesisFailed
from primavoce.protocol.limits import Limits
from primavoce.protocol.messages import (
    Cancelled,
    Error,
    Pong,
    SegmentSpoken,
    SessionComplete,
    SynthesisComplete,
    WordsSpoken,
)
from primavoce.protocol.server import ServerSession
from primavoce.protocol.utterance import Utterance, heard_until
from primavoce.text.timing import SegmentTime, WordTime


class Conversation:
    """A session, and the frames one sends to it."""

    def __init__(self, **limits: object) -> None:
        ids = (f"made-{number}" for number in itertools.count(1))
        self.session = ServerSession(Limits(**limits), now=0.0, make_id=lambda: next(ids))  # type: ignore[arg-type]
        self.now = 0.0

    def send(self, **message: object) -> list[object]:
        return list(self.session.receive(json.dumps(message), now=self.now, wall_time=1000.0 + self.now))

    def begin(self) -> Utterance:
        utterance = self.session.begin(now=self.now, wall_time=1000.0 + self.now)
        assert isinstance(utterance, Utterance)
        return utterance

    def begin_nothing(self) -> None:
        assert self.session.begin(now=self.now, wall_time=1000.0 + self.now) is None


def texts(utterance: Utterance) -> list[str]:
    return [sentence.text for sentence in utterance.incoming.take()]


def test_a_whole_request_is_begun_at_once() -> None:
    talk = Conversation()

    replies = talk.send(text="One. Two.", request_id="r")

    assert replies == []
    utterance = talk.begin()
    assert utterance.request_id == "r"
    assert texts(utterance) == ["One.", "Two."]
    assert utterance.incoming.complete


def test_a_request_without_an_id_gets_one() -> None:
    talk = Conversation()

    talk.send(text="One.")

    assert talk.begin().request_id == "made-1"


def test_an_utterance_begins_with_its_first_certain_sentence() -> None:
    talk = Conversation()

    talk.send(type="text", text="One mo", request_id="r")
    talk.begin_nothing()
    talk.send(type="text", text="ment. And", request_id="r")

    utterance = talk.begin()
    assert texts(utterance) == ["One moment."]
    assert not utterance.incoming.complete


def test_end_releases_the_rest_without_a_stop() -> None:
    talk = Conversation()
    talk.send(type="text", text="One moment. And")

    talk.send(type="end")

    assert texts(talk.begin()) == ["One moment.", "And"]


def test_flush_releases_what_is_held_and_keeps_the_utterance_open() -> None:
    talk = Conversation()
    talk.send(type="text", text="Let me look", request_id="r")

    talk.send(type="flush")
    talk.send(type="text", text=" that up. ")
    talk.send(type="end", request_id="r")

    utterance = talk.begin()
    sentences = utterance.incoming.take()
    assert [(found.text, found.start, found.end) for found in sentences] == [
        ("Let me look", 0, 11),
        ("that up.", 12, 20),
    ]


def test_idle_releases_a_sentence_that_lacks_only_the_proof() -> None:
    talk = Conversation()
    talk.send(type="text", text="One moment.")
    talk.begin_nothing()

    talk.session.idle()

    assert texts(talk.begin()) == ["One moment."]


def test_utterances_take_turns_in_the_order_in_which_they_were_opened() -> None:
    talk = Conversation()
    talk.send(type="text", text="Slow", request_id="a")
    talk.send(text="Fast.", request_id="b")
    talk.begin_nothing()

    talk.send(type="end", request_id="a")
    first = talk.begin()
    talk.begin_nothing()
    talk.session.complete(first, now=1.0)
    second = talk.begin()

    assert (first.request_id, second.request_id) == ("a", "b")


def test_options_go_with_the_first_text_only() -> None:
    talk = Conversation()
    talk.send(type="text", text="One. T", request_id="r", voice="if_sara")

    (error,) = talk.send(type="text", text="wo.", request_id="r", speed=2)

    assert isinstance(error, Error)
    assert (error.code, error.request_id) == ("invalid_field", None)
    assert talk.begin().options.voice.name == "if_sara"


def test_cancel_ends_the_utterance_that_is_speaking() -> None:
    talk = Conversation()
    talk.send(text="One. Two.", request_id="r")
    utterance = talk.begin()

    (cancelled,) = talk.send(type="cancel", request_id="r")

    assert isinstance(cancelled, Cancelled)
    assert utterance.outcome == "cancelled"
    assert talk.session.speaking is None


def test_cancel_without_an_id_ends_all_in_order() -> None:
    talk = Conversation()
    for name in "abc":
        talk.send(text="Hello.", request_id=name)
    talk.begin()

    replies = talk.send(type="cancel")

    assert [reply.request_id for reply in replies if isinstance(reply, Cancelled)] == ["a", "b", "c"]
    talk.begin_nothing()


def test_cancelling_twice_is_an_unknown_request_the_second_time() -> None:
    talk = Conversation()
    talk.send(text="Hello.", request_id="r")
    talk.send(type="cancel", request_id="r")

    (error,) = talk.send(type="cancel", request_id="r")

    assert isinstance(error, Error)
    assert (error.code, error.fatal) == ("unknown_request", False)


def test_deltas_that_cross_a_cancel_on_the_wire_are_not_spoken() -> None:
    talk = Conversation()
    talk.send(type="text", text="One. T", request_id="r")
    talk.send(type="cancel", request_id="r")

    late = talk.send(type="text", text="wo. Three. ", request_id="r") + talk.send(type="end", request_id="r")

    assert late == []
    talk.begin_nothing()
    talk.send(type="text", text="Anew. Yes", request_id="r")
    assert texts(talk.begin()) == ["Anew."]


@pytest.mark.parametrize("options", [{"voice": "nobody"}, {"speed": 9}, {"language": "tlh"}, {"format": "aiff"}])
def test_the_rest_of_a_refused_utterance_is_not_spoken_with_other_options(options: dict[str, object]) -> None:
    talk = Conversation()

    (error,) = talk.send(type="text", text="Hello there. ", request_id="r", **options)
    late = talk.send(type="text", text="And more. ", request_id="r") + talk.send(type="end", request_id="r")

    assert isinstance(error, Error)
    assert (error.request_id, late) == ("r", [])
    talk.begin_nothing()


def test_a_long_text_is_worked_through_in_slices() -> None:
    talk = Conversation()
    talk.send(text="One two. " * 1000, request_id="r")

    utterance = talk.begin()
    counts = [len(utterance.incoming.take())]
    while utterance.incoming.advance():
        counts.append(len(utterance.incoming.take()))
    counts.append(len(utterance.incoming.take()))

    assert sum(counts) == 1000
    assert max(counts) <= 2 * 60  # its arrival and its end each look at a slice
    assert utterance.incoming.exhausted


def test_what_was_heard_follows_what_the_player_reports() -> None:
    talk = Conversation()
    talk.send(text="One two three four. Five.", request_id="r")
    utterance = talk.begin()
    utterance.began(spoken("One two three four.", [(0, 3), (4, 7), (8, 13), (14, 18)], start_s=0.0))
    utterance.sent(2.0, now=1.0)

    talk.send(type="ping", played_s=1.1)
    (cancelled,) = talk.send(type="cancel")

    assert isinstance(cancelled, Cancelled)
    assert cancelled.spoken_text == "One two"
    assert cancelled.audio_sent_s == 2.0


def spoken(text: str, words: list[tuple[int, int]], *, start_s: float) -> SegmentTime:
    """A segment whose words take half a second each."""
    times = [WordTime(*word, start_s + 0.5 * number, start_s + 0.5 * (number + 1)) for number, word in enumerate(words)]
    return SegmentTime(words[0][0], words[-1][1] + 2, start_s, tuple(times))


@pytest.mark.parametrize(
    ("heard_s", "heard"),
    [(0.0, ""), (0.6, "Aa"), (1.5, "Aa bb cc."), (2.4, "Aa bb cc."), (9.0, "Aa bb cc. Dd ee “ff.”")],
)
def test_heard_text_is_whole_words_and_their_marks(heard_s: float, heard: str) -> None:
    text = "Aa bb cc. Dd ee “ff.” Gg"
    segments = [
        spoken(text, [(0, 2), (3, 5), (6, 8)], start_s=0.0),
        spoken(text, [(10, 12), (13, 15), (17, 19)], start_s=2.0),
    ]

    assert text[: heard_until(text, [word for each in segments for word in each.words], heard_s)] == heard


def test_words_and_segments_are_told_as_they_were_written() -> None:
    talk = Conversation()
    talk.send(text="It costs $5. Fine.", request_id="r", events=["segments", "words"])
    utterance = talk.begin()

    segment, words = utterance.began(spoken("", [(0, 2), (3, 8), (9, 11)], start_s=1.0))

    assert isinstance(segment, SegmentSpoken)
    assert (segment.text, segment.start, segment.end, segment.start_s) == ("It costs $5.", 0, 12, 1.0)
    assert isinstance(words, WordsSpoken)
    assert [(word.text, word.start_s, word.end_s) for word in words.words] == [
        ("It", 1.0, 1.5),
        ("costs", 1.5, 2.0),
        ("$5", 2.0, 2.5),
    ]


def test_nothing_is_told_that_was_not_asked_for() -> None:
    talk = Conversation()
    talk.send(text="One.", request_id="r")

    assert talk.begin().began(spoken("One.", [(0, 3)], start_s=0.0)) == []


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ({"text": ""}, "text_required"),
        ({"text": " \n"}, "text_required"),
        ({"text": "a", "voice": "af_hart"}, "unknown_voice"),
        ({"text": "a", "voice": "../../etc/passwd"}, "unknown_voice"),
        ({"text": "a", "voice": "af_heart:0"}, "invalid_field"),
        ({"text": "a", "speed": 0}, "invalid_speed"),
        ({"text": "a", "speed": -1}, "invalid_speed"),
        ({"text": "a", "speed": 2.01}, "invalid_speed"),
        ({"text": "a", "sample_rate": 11025}, "unsupported_sample_rate"),
        ({"text": "a", "format": "aiff"}, "unsupported_format"),
        ({"text": "a", "language": "tlh"}, "unknown_language"),
        ({"text": "a", "events": ["sounds"]}, "invalid_field"),
        ({"text": "a", "code": "sing"}, "invalid_field"),
        ({"type": "cancel", "played_s": -1}, "invalid_field"),
        ({"type": "lexicon", "words": {"a": 5}}, "invalid_field"),
        ({"type": "lexicon", "words": {"...": "dot"}}, "invalid_lexicon"),
        ({"text": "a", "request_timestamp": 900.0}, "request_stale"),
        ({"text": "a" * 101}, "text_too_long"),
        ({"type": "flush"}, "unknown_request"),
        ({"type": "end", "request_id": "r"}, "unknown_request"),
    ],
)
def test_a_bad_request_gets_one_error_with_its_own_id(message: dict[str, object], code: str) -> None:
    talk = Conversation(max_text_characters=100)

    replies = talk.send(**{"request_id": "r", **message})

    assert [(reply.code, reply.request_id) for reply in replies if isinstance(reply, Error)] == [(code, "r")]
    talk.begin_nothing()
    talk.send(text="Still here.", request_id="s")
    assert talk.begin().request_id == "s"


def test_an_unknown_voice_is_answered_with_near_ones() -> None:
    (error,) = Conversation().send(text="a", voice="af_hart")

    assert isinstance(error, Error)
    assert "af_heart" in error.message


def test_an_id_in_use_is_refused_and_its_utterance_goes_on() -> None:
    talk = Conversation()
    talk.send(text="One.", request_id="r")

    (error,) = talk.send(text="Two.", request_id="r")

    assert isinstance(error, Error)
    assert (error.code, error.request_id) == ("duplicate_request", None)
    assert texts(talk.begin()) == ["One."]


def test_a_full_queue_refuses_one_more_and_keeps_the_session() -> None:
    talk = Conversation(max_queued_requests=2)
    for name in "abc":
        talk.send(text="Hello.", request_id=name)
        if name == "a":
            talk.begin()

    (error,) = talk.send(text="Hello.", request_id="d")

    assert isinstance(error, Error)
    assert (error.code, error.retryable, error.fatal) == ("too_many_requests", True, False)


def test_a_text_that_grows_too_long_ends_its_utterance_and_no_tail_is_spoken() -> None:
    talk = Conversation(max_text_characters=10)
    talk.send(type="text", text="One. T", request_id="r")
    utterance = talk.begin()

    (error,) = talk.send(type="text", text="wo three.", request_id="r")
    late = talk.send(type="text", text="Four. ", request_id="r")

    assert isinstance(error, Error)
    assert (error.code, error.request_id, late) == ("text_too_long", "r", [])
    assert utterance.outcome == "error"
    talk.begin_nothing()


def test_white_text_is_text_required_at_its_end() -> None:
    talk = Conversation()
    talk.send(type="text", text=" ", request_id="r")

    (error,) = talk.send(type="end")

    assert isinstance(error, Error)
    assert (error.code, error.request_id) == ("text_required", "r")


def test_text_without_a_letter_completes_with_no_audio() -> None:
    talk = Conversation()
    talk.send(text="!!! …", request_id="r")

    utterance = talk.begin()
    message = talk.session.complete(utterance, now=1.0)

    assert texts(utterance) == []
    assert isinstance(message, SynthesisComplete)
    assert (message.total_duration_s, message.real_time_factor, message.segments) == (0.0, None, 0)


def test_a_request_grown_stale_in_the_queue_is_refused_at_its_turn() -> None:
    talk = Conversation(max_request_age_s=5.0)
    talk.send(text="Hello.", request_id="r", request_timestamp=1000.0)

    talk.now = 6.0
    error = talk.session.begin(now=talk.now, wall_time=1006.0)

    assert isinstance(error, Error)
    assert (error.code, error.request_id) == ("request_stale", "r")
    talk.begin_nothing()


def test_close_finishes_what_is_queued_and_takes_no_more() -> None:
    talk = Conversation()
    talk.send(type="text", text="One. Two", request_id="a")

    assert talk.send(type="close") == []
    (error,) = talk.send(text="Late.", request_id="b")
    utterance = talk.begin()

    assert isinstance(error, Error)
    assert error.code == "session_closing"
    assert texts(utterance) == ["One.", "Two"]
    assert not talk.session.finished
    talk.session.complete(utterance, now=1.0)
    assert talk.session.finished
    assert talk.session.farewell() == SessionComplete(reason="closed")


def test_a_ping_is_answered_with_its_id() -> None:
    assert Conversation(session_limit_s=0.0).send(type="ping", request_id="p") == [Pong(request_id="p")]


def test_an_utterance_left_open_is_ended_after_the_idle_time() -> None:
    talk = Conversation(idle_s=10.0)
    talk.send(type="text", text="And then", request_id="r")

    talk.session.expire(now=9.9)
    talk.begin_nothing()
    talk.session.expire(now=10.0)

    assert texts(talk.begin()) == ["And then"]


def test_an_idle_session_ends_and_says_why() -> None:
    talk = Conversation(idle_s=10.0)

    talk.session.expire(now=10.0)

    assert talk.session.finished
    assert talk.session.farewell().reason == "idle"


@pytest.mark.parametrize("ending", ["complete", "fail", "cancel", "stale"])
def test_a_session_is_idle_from_the_end_of_its_last_utterance_on(ending: str) -> None:
    talk = Conversation(idle_s=10.0, max_request_age_s=30.0)
    talk.send(text="A long story.", request_timestamp=1000.0)

    talk.now = 40.0
    match ending:
        case "complete":
            talk.session.complete(talk.session.begin(now=0.0, wall_time=1000.0), now=talk.now)  # type: ignore[arg-type]
        case "fail":
            utterance = talk.session.begin(now=0.0, wall_time=1000.0)
            talk.session.fail(utterance, SynthesisFailed(), now=talk.now)  # type: ignore[arg-type]
        case "cancel":
            talk.send(type="cancel")
        case "stale":
            talk.session.begin(now=talk.now, wall_time=1040.0)
    talk.session.expire(now=49.9)
    early = talk.session.finished
    talk.session.expire(now=50.0)

    assert (early, talk.session.finished) == (False, True)
    assert talk.session.farewell().reason == "idle"


def test_empty_deltas_keep_no_utterance_open() -> None:
    talk = Conversation(idle_s=10.0)
    talk.send(type="text", text="And then", request_id="r")

    for talk.now in (4.0, 8.0):
        talk.send(type="text", text="", request_id="r")
    talk.session.expire(now=10.0)

    assert texts(talk.begin()) == ["And then"]


@pytest.mark.parametrize(
    ("message", "deltas"),
    [
        ({"type": "text", "text": "more", "request_id": "r"}, 1),
        ({"type": "text", "text": "Another", "request_id": "s"}, 1),
        ({"type": "text", "text": "", "request_id": "r"}, 0),
        ({"type": "text", "text": "more", "request_id": "r", "speed": 2}, 0),
        ({"type": "text", "text": "x" * 100, "request_id": "r"}, 0),
        ({"type": "ping", "played_s": 0.5}, 0),
        ({"type": "flush"}, 0),
        ({"text": "Whole."}, 0),
        ({"type": "nonsense"}, 0),
    ],
)
def test_only_what_brings_text_is_a_delta(message: dict[str, object], deltas: int) -> None:
    talk = Conversation(max_text_characters=100)
    talk.send(type="text", text="One moment.", request_id="r")
    before = talk.session.deltas

    talk.send(**message)

    assert talk.session.deltas - before == deltas


def test_a_failed_utterance_leaves_the_session_to_the_next() -> None:
    talk = Conversation()
    talk.send(text="One.", request_id="a")
    talk.send(text="Two.", request_id="b")

    error = talk.session.fail(talk.begin(), SynthesisFailed(), now=1.0)

    assert (error.code, error.request_id, error.fatal) == ("synthesis_failed", "a", False)
    assert talk.begin().request_id == "b"


class AnyConversation(RuleBasedStateMachine):
    """Whatever is asked, each accepted request ends exactly once, in order, and nothing is left."""

    def __init__(self) -> None:
        super().__init__()
        self.talk = Conversation(max_queued_requests=4, max_text_characters=60)

    @rule(name=st.sampled_from("abcd"), text=st.sampled_from(["Hello there. ", "so", " ", "", "!"]))
    def text(self, name: str, text: str) -> None:
        self.talk.send(type="text", text=text, request_id=name)

    @rule(name=st.sampled_from("abcd"))
    def whole(self, name: str) -> None:
        self.talk.send(text="One. Two.", request_id=name)

    @rule(kind=st.sampled_from(["flush", "end", "cancel"]), name=st.sampled_from(["a", "b", "c", "d", None]))
    def control(self, kind: str, name: str | None) -> None:
        self.talk.send(type=kind, **({"request_id": name} if name else {}))

    @rule()
    def turn(self) -> None:
        self.talk.session.begin(now=self.talk.now, wall_time=1000.0)

    @precondition(lambda self: self.talk.session.speaking is not None)
    @rule(well=st.booleans())
    def speak(self, well: bool) -> None:
        utterance = self.talk.session.speaking
        assert utterance is not None
        utterance.incoming.take()
        if utterance.incoming.complete:
            session = self.talk.session
            session.complete(utterance, now=1.0) if well else session.fail(utterance, SynthesisFailed(), now=1.0)

    @invariant()
    def live_ids_are_unique(self) -> None:
        session = self.talk.session
        live = [*([session.speaking] if session.speaking else []), *session._requests.waiting]
        assert len({utterance.request_id for utterance in live}) == len(live)
        assert all(utterance.outcome is None for utterance in live)
        assert set(session._requests.open) <= set(live)

    def teardown(self) -> None:
        self.talk.send(type="close")
        for _ in range(10):
            turn = self.talk.session.speaking or self.talk.session.begin(now=0.0, wall_time=1000.0)
            if isinstance(turn, Utterance):
                self.talk.session.complete(turn, now=1.0)
        assert self.talk.session.finished


TestAnyConversation = AnyConversation.TestCase
TestAnyConversation.settings = settings(max_examples=60, stateful_step_count=30)
