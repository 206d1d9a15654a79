"""Deepgram's words, and the state machine that they are mapped on; no socket."""

import json
from collections import deque

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primavoce.errors import Draining, SynthesisFailed
from primavoce.protocol.deepgram import (
    MOST_REASON_BYTES,
    Cleared,
    Closing,
    DeepgramSession,
    Flushed,
    Warned,
    encode_word,
)
from primavoce.protocol.deepgram_query import SpeakQuery
from primavoce.protocol.limits import Limits
from primavoce.protocol.messages import AnyServerMessage, Error, SessionComplete, SynthesisStart
from primavoce.protocol.server import ServerSession
from primavoce.protocol.utterance import Utterance

ASKED = SpeakQuery("bf_emma", "mulaw", 8000, 1.2, ())
OPTIONS = {"voice": "bf_emma", "format": "mulaw", "sample_rate": 8000, "speed": 1.2}


def dialect(max_message_bytes: int = 10_000) -> DeepgramSession:
    return DeepgramSession(ASKED, request_id="r", max_message_bytes=max_message_bytes)


def word(kind: str, **fields: object) -> str:
    return json.dumps({"type": kind, **fields})


class Joined:
    """A client's words in, words to the client out, the state machine between them, and its answers on their way."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.now = 0.0
        limits = limits or Limits()
        self.dialect = DeepgramSession(
            ASKED, request_id="r", max_message_bytes=10_000, idle_s=limits.idle_s, clock=lambda: self.now
        )
        self.session = ServerSession(limits, now=0.0, make_id=lambda: "made")
        self.outbox: deque[AnyServerMessage] = deque()
        self.told: list[object] = []
        self.spoken: list[str] = []
        self.turn: Utterance | None = None

    def say(self, kind: str, **fields: object) -> None:
        frame, words = self.dialect.receive(word(kind, **fields))
        self.told += words
        self.outbox += self.session.receive(frame, now=self.now, wall_time=0.0)

    def begin(self) -> None:
        """Give the next utterance its turn."""
        if self.turn is not None and self.turn.outcome is not None:
            self.turn = None
        if self.turn is None:
            begun = self.session.begin(now=0.0, wall_time=0.0)
            if isinstance(begun, Utterance):
                self.turn = begun

    def finish(self) -> None:
        """End the utterance whose turn it is, if its text is complete."""
        turn = self.turn
        if turn is not None and turn.outcome is None and turn.incoming.complete:
            self.spoken.append(turn.incoming.text)
            self.outbox.append(self.session.complete(turn, now=0.0))
            self.turn = None

    def fail(self) -> None:
        if self.turn is not None and self.turn.outcome is None:
            self.outbox.append(self.session.fail(self.turn, SynthesisFailed(), now=0.0))
            self.turn = None

    def deliver(self) -> None:
        """Have one of the answers arrive."""
        if self.outbox:
            self.told += self.dialect.tell(self.outbox.popleft())

    def settle(self) -> None:
        """Have all be spoken, and all answers arrive."""
        while self.session.speaking or self.session._requests.waiting or self.outbox:
            before = len(self.outbox), len(self.spoken)
            self.begin()
            self.finish()
            self.deliver()
            if (len(self.outbox), len(self.spoken)) == before and self.turn is not None:
                break  # it waits for its flush

    def count(self, kind: type) -> int:
        return sum(isinstance(each, kind) for each in self.told)


# --- one frame


def test_the_first_text_of_an_utterance_carries_what_the_query_asked() -> None:
    one = dialect()

    frames = [json.loads(one.receive(word("Speak", text=text))[0]) for text in ("Yes, ", "no.")]

    assert frames == [
        {"type": "text", "text": "Yes, ", "request_id": "r-1", **OPTIONS},
        {"type": "text", "text": "no.", "request_id": "r-1"},
    ]


def test_a_flush_ends_the_utterance_and_the_next_text_opens_another() -> None:
    one = dialect()

    frames = [json.loads(one.receive(each)[0]) for each in (word("Speak", text="One."), word("Flush"))]
    after = json.loads(one.receive(word("Speak", text="Two."))[0])

    assert frames[1] == {"type": "end", "request_id": "r-1"}
    assert (after["request_id"], after["voice"]) == ("r-2", "bf_emma")


@pytest.mark.parametrize(
    ("frame", "ours"),
    [
        (word("Clear"), "cancel"),
        (word("Close"), "close"),
        (word("KeepAlive"), "ping"),
        (word("Speak", text=""), "ping"),
        (word("Flush"), "ping"),
        (word("Close").encode(), "close"),
        (word("Speak", text="Hello.", model="other"), "text"),
    ],
)
def test_each_frame_becomes_one_message(frame: str | bytes, ours: str) -> None:
    assert json.loads(dialect().receive(frame)[0])["type"] == ours


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ("", "EMPTY_FRAME"),
        ("{", "INVALID_JSON"),
        ("[]", "INVALID_MESSAGE"),
        (b"\xff", "INVALID_UTF8"),
        ("{}", "UNKNOWN_TYPE"),
        (word("speak", text="Hello."), "UNKNOWN_TYPE"),
        (word("Speak"), "INVALID_FIELD"),
        (word("Speak", text=None), "INVALID_FIELD"),
        (word("Speak", text="a" * 10_000), "MESSAGE_TOO_LARGE"),
    ],
)
def test_what_makes_no_sense_is_warned_of(frame: str | bytes, code: str) -> None:
    ours, [warning] = dialect().receive(frame)

    assert json.loads(ours) == {"type": "ping"}
    assert isinstance(warning, Warned)
    assert (warning.code, warning.warn_code) == (code, code)
    assert warning.description == warning.warn_msg != ""


def test_words_are_written_with_their_type() -> None:
    assert json.loads(encode_word(Flushed(sequence_id=3))) == {"type": "Flushed", "sequence_id": 3}


def test_what_only_our_own_clients_know_is_not_told() -> None:
    start = SynthesisStart(request_id="r-1", voice="af_heart", format="pcm", sample_rate=24_000)

    assert dialect().tell(start) == []


# --- the end


@pytest.mark.parametrize(("reason", "code"), [("closed", 1000), ("idle", 1001), ("draining", 1001), ("limit", 1001)])
def test_the_end_of_a_session_closes_the_socket_with_its_reason(reason: str, code: int) -> None:
    assert dialect().tell(SessionComplete(reason=reason)) == [Closing(code, reason)]


@pytest.mark.parametrize(("retryable", "code"), [(True, 1013), (False, 1011)])
def test_a_fatal_error_is_the_reason_of_the_close(retryable: bool, code: int) -> None:
    one = dialect()

    error = Error(request_id=None, code="internal", message="é" * 200, retryable=retryable, fatal=True)
    told = one.tell(error) + one.tell(SessionComplete(reason="internal"))

    [closing] = told
    assert isinstance(closing, Closing)
    assert (closing.code, closing.reason[:11]) == (code, "INTERNAL: é")
    assert len(closing.reason.encode()) <= MOST_REASON_BYTES


# --- together with the state machine


def test_flushed_comes_when_the_utterance_is_spoken_and_not_before() -> None:
    both = Joined()
    both.say("Speak", text="Hello.")
    both.say("Flush")
    assert both.told == []

    both.settle()

    assert both.told == [Flushed(sequence_id=0)]
    assert both.spoken == ["Hello."]


def test_an_answer_without_its_middle_is_not_spoken_to_its_end() -> None:
    both = Joined()
    both.say("Speak", text="One.")
    both.say("Speak", text="x" * 20_000)
    both.say("Speak", text="Three.")
    both.say("Flush")
    both.say("Speak", text="Again.")
    both.say("Flush")
    both.settle()

    assert both.spoken == ["One.", "Again."]
    assert [type(each) for each in both.told] == [Warned, Flushed, Flushed]


def test_what_ends_before_its_turn_is_flushed_after_all_that_goes_before_it() -> None:
    both = Joined()
    both.say("Speak", text="A long answer.")
    both.say("Flush")
    both.begin()
    both.say("Speak", text="\n")
    both.say("Flush")
    while both.outbox:
        both.deliver()
    while_it_speaks = list(both.told)

    both.settle()

    assert while_it_speaks == []
    assert both.told == [Flushed(sequence_id=0), Flushed(sequence_id=1)]


def test_what_is_given_back_while_another_is_spoken_is_flushed_after_it() -> None:
    both = Joined()
    for text in ("A long answer.", "Another."):
        both.say("Speak", text=text)
        both.say("Flush")
    both.begin()
    both.outbox += both.session.leave("draining", Draining())
    while both.outbox:
        both.deliver()
    while_it_speaks = [type(each) for each in both.told]

    both.settle()

    assert while_it_speaks == [Warned]
    assert [type(each) for each in both.told[1:3]] == [Flushed, Flushed]


def test_a_flush_that_was_spoken_when_the_clear_came_is_not_told_after_it() -> None:
    both = Joined()
    both.say("Speak", text="Hello.")
    both.say("Flush")
    both.begin()
    both.finish()  # its end is on the way to the client
    both.say("Clear")
    both.settle()

    assert both.told == [Cleared(sequence_id=0)]


def test_white_space_alone_is_no_error() -> None:
    both = Joined()
    both.say("Speak", text=" \n")
    both.say("Flush")
    both.settle()

    assert both.told == [Flushed(sequence_id=0)]


def test_text_that_comes_after_its_utterance_was_ended_for_being_idle_has_the_options_again() -> None:
    both = Joined(Limits(idle_s=10))
    both.say("Speak", text="Hello.")
    both.outbox += both.session.expire(now=11.0)
    both.settle()
    both.say("Speak", text="Again.")
    both.say("Flush")
    both.begin()

    assert both.turn is not None
    assert (both.turn.request_id, both.turn.options.format) == ("r-2", "mulaw")


def test_text_that_comes_after_a_long_pause_while_the_answer_is_still_spoken_is_another_answers() -> None:
    both = Joined(Limits(idle_s=10))
    both.say("Speak", text="A long answer.")
    both.begin()
    both.now = 11.0
    both.outbox += both.session.expire(now=both.now)
    both.say("Speak", text="More.")
    both.say("Flush")
    both.settle()

    assert both.spoken == ["A long answer.", "More."]
    assert both.told == [Flushed(sequence_id=0)]


def test_too_many_turns_are_warned_of_and_flushed_all_the_same() -> None:
    both = Joined(Limits(max_queued_requests=1))
    for text in ("One.", "Two."):
        both.say("Speak", text=text)
        both.say("Flush")
    both.settle()

    assert sorted(type(each).__name__ for each in both.told) == ["Flushed", "Flushed", "Warned"]
    assert both.spoken == ["One."]


STEPS = st.one_of(
    st.tuples(st.just("say"), st.sampled_from([("Speak", "Hello. "), ("Speak", " "), ("Speak", "and")])),
    st.tuples(st.just("say"), st.sampled_from([("Flush", None), ("Clear", None)])),
    st.tuples(st.sampled_from(["begin", "finish", "fail", "deliver"]), st.none()),
)


@given(st.lists(STEPS, max_size=40))
def test_each_clear_is_answered_once_and_each_flush_unless_a_clear_follows(steps: list[tuple[str, tuple]]) -> None:
    both = Joined()
    flushes = clears = 0
    for step, said in steps:
        if step == "say":
            kind, text = said
            before = both.count(Flushed)
            both.say(kind, **({} if text is None else {"text": text}))
            if kind == "Flush":
                flushes += 1
            elif kind == "Clear":
                clears += 1
                flushes = before  # those before it are told by now, or never
        else:
            getattr(both, step)()
    both.say("Flush")
    flushes += 1
    both.settle()

    assert both.count(Cleared) == clears
    assert both.count(Flushed) == flushes
    told = [each.sequence_id for each in both.told if isinstance(each, Flushed | Cleared)]
    assert told == list(range(len(told)))


@given(st.lists(st.text(max_size=8), max_size=12))
def test_what_is_spoken_is_what_was_said_however_it_was_cut(texts: list[str]) -> None:
    both = Joined()
    for text in texts:
        both.say("Speak", text=text)
    both.say("Flush")
    both.settle()

    whole = "".join(texts)
    assert both.spoken == ([whole] if whole.strip() else [])
