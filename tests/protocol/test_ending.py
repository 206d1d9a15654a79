"""How a session ends: its limit, and the server's draining."""

import pytest

from primavoce.errors import Draining, PrimavoceError, UtteranceTooLong
from primavoce.protocol.messages import Error, Pong, SessionComplete
from tests.protocol.test_server import Conversation, texts


def told(replies: list[object]) -> list[tuple[str | None, str]]:
    return [(reply.request_id, reply.code) for reply in replies if isinstance(reply, Error)]


def test_a_session_that_leaves_gives_back_what_waits_and_finishes_what_is_spoken() -> None:
    talk = Conversation()
    for name in "abc":
        talk.send(text="Hello.", request_id=name)
    spoken = talk.begin()

    replies = talk.session.leave("draining", Draining())

    assert told(replies) == [("b", "draining"), ("c", "draining")]
    assert all(isinstance(reply, Error) and reply.retryable and not reply.fatal for reply in replies)
    assert not talk.session.finished
    talk.session.complete(spoken, now=1.0)
    assert talk.session.finished
    assert talk.session.farewell() == SessionComplete(reason="draining")


def test_an_open_utterance_that_is_spoken_gets_the_rest_of_its_text_though_the_session_leaves() -> None:
    talk = Conversation()
    talk.send(type="text", text="One moment. Le", request_id="r")
    utterance = talk.begin()

    talk.session.leave("draining", Draining())
    assert talk.send(type="text", text="t me look.", request_id="r") == []
    assert talk.send(type="end", request_id="r") == []

    assert texts(utterance) == ["One moment.", "Let me look."]


def test_an_open_utterance_that_waits_is_given_back_and_its_late_text_ignored() -> None:
    talk = Conversation()
    talk.send(text="Hello.", request_id="a")
    talk.begin()
    talk.send(type="text", text="And the", request_id="b")

    replies = talk.session.leave("draining", Draining())
    late = talk.send(type="text", text="n. ", request_id="b") + talk.send(type="end", request_id="b")

    assert told(replies) == [("b", "draining")]
    assert late == []


@pytest.mark.parametrize("message", [{"text": "Late."}, {"type": "text", "text": "Late."}])
def test_a_request_after_that_gets_the_reason_and_may_be_made_elsewhere(message: dict[str, object]) -> None:
    talk = Conversation()
    talk.send(text="Hello.")
    talk.begin()
    talk.session.leave("draining", Draining())

    (error,) = talk.send(**message, request_id="late")

    assert isinstance(error, Error)
    assert (error.code, error.request_id, error.retryable, error.fatal) == ("draining", "late", True, False)


def test_what_is_cut_gets_the_reason_as_its_ending() -> None:
    talk = Conversation()
    talk.send(text="Hello.", request_id="a")
    utterance = talk.begin()
    talk.session.leave("draining", Draining())

    replies = talk.session.cut()

    assert told(replies) == [("a", "draining")]
    assert utterance.outcome == "error"
    assert talk.session.finished
    assert talk.session.cut() == []


def test_a_session_that_was_closed_by_its_client_still_leaves_in_time() -> None:
    talk = Conversation()
    for name in "ab":
        talk.send(text="Hello.", request_id=name)
    talk.begin()
    talk.send(type="close")

    replies = talk.session.leave("draining", Draining())

    assert told(replies) == [("b", "draining")]


def test_a_session_says_in_every_pong_when_it_takes_no_more_requests() -> None:
    talk = Conversation(session_limit_s=100.0)

    talk.now = 99.0
    (pong,) = talk.send(type="ping")

    assert pong == Pong(session_ends_in_s=1.0)


def test_a_session_without_a_limit_says_nothing_of_it_and_goes_on() -> None:
    talk = Conversation(session_limit_s=0.0, idle_s=1e9, first_message_s=1e9)

    talk.now = 1e7
    talk.session.expire(now=talk.now)

    assert talk.send(type="ping") == [Pong()]
    assert not talk.session.closing


def test_a_session_ends_at_an_utterances_boundary_once_it_has_lasted_its_limit() -> None:
    talk = Conversation(session_limit_s=100.0, drain_s=20.0)
    for name in "ab":
        talk.send(text="Hello.", request_id=name)
    utterance = talk.begin()

    assert talk.session.expire(now=99.9) == []
    replies = talk.session.expire(now=100.0)
    (late,) = talk.send(text="Late.", request_id="c")
    talk.session.complete(utterance, now=101.0)

    assert told(replies) == [("b", "session_expired")]
    assert told([late]) == [("c", "session_expired")]
    assert isinstance(late, Error)
    assert late.retryable
    assert talk.session.finished
    assert talk.session.farewell().reason == "limit"


def test_an_utterance_that_does_not_end_by_then_is_cut() -> None:
    talk = Conversation(session_limit_s=100.0, drain_s=20.0)
    talk.send(text="Hello.", request_id="a")
    talk.begin()
    talk.session.expire(now=100.0)

    assert talk.session.expire(now=119.9) == []
    assert told(talk.session.expire(now=120.0)) == [("a", "session_expired")]
    assert talk.session.finished


def test_a_session_that_is_silent_from_the_start_ends_sooner_than_an_idle_one() -> None:
    silent, idle = Conversation(first_message_s=5.0, idle_s=50.0), Conversation(first_message_s=5.0, idle_s=50.0)
    idle.send(type="ping")

    for talk in (silent, idle):
        talk.session.expire(now=5.0)

    assert (silent.session.finished, idle.session.finished) == (True, False)
    assert silent.session.farewell().reason == "idle"


def test_a_session_that_breaks_down_ends_each_request_and_then_itself() -> None:
    talk = Conversation()
    for name in "ab":
        talk.send(text="Hello.", request_id=name)
    talk.begin()

    *errors, fatal, last = talk.session.break_down(PrimavoceError())

    assert told(errors) == [("a", "internal"), ("b", "internal")]
    assert isinstance(fatal, Error)
    assert (fatal.request_id, fatal.fatal) == (None, True)
    assert last == SessionComplete(reason="internal")


def test_an_utterance_has_no_more_audio_than_its_limit() -> None:
    talk = Conversation(max_utterance_s=2.0)
    talk.send(text="Hello.")
    utterance = talk.begin()

    utterance.check_length(2.0)
    utterance.sent(2.0, now=1.0)

    with pytest.raises(UtteranceTooLong):
        utterance.check_length(0.1)


@pytest.mark.parametrize("size", [101, 200])
def test_a_message_that_is_too_large_is_an_error_and_the_session_goes_on(size: int) -> None:
    talk = Conversation(max_message_bytes=100)

    (error,) = talk.session.receive(" " * size, now=0.0, wall_time=0.0)
    (pong,) = talk.send(type="ping")

    assert told([error]) == [(None, "message_too_large")]
    assert isinstance(pong, Pong)
