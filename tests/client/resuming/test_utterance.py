"""Where an utterance goes on after it has been broken off: without a link."""

import pytest
from msgspec import UNSET

from primavoce.client.resuming.utterance import ResumableUtterance
from primavoce.protocol.client import Audio, ClientEvent
from primavoce.protocol.messages import (
    Cancel,
    Cancelled,
    End,
    Flush,
    SegmentSpoken,
    SynthesisComplete,
    SynthesisStart,
    Text,
    WordsSpoken,
)
from tests.client.resuming.spoken import (
    BOTH,
    RATE,
    SECOND,
    audio,
    complete,
    first_segment,
    hear,
    seconds,
    segment,
    start,
    texts,
    utterance,
    words,
)


def test_what_is_asked_for_first_is_what_the_client_asked_for_with_all_events() -> None:
    asked = ResumableUtterance("1", Text(text="One", request_id="1", voice="af_bella", request_timestamp=1.0))

    assert asked.asking() == [Text(text="One", request_id="1", voice="af_bella", request_timestamp=1.0, events=BOTH)]
    assert asked.say(Text(text=" two.", request_id="1")) == [Text(text=" two.", request_id="1")]


def test_events_that_the_client_has_not_asked_for_are_kept_from_it() -> None:
    asked = utterance(events=())

    told = [*first_segment(asked), *hear(asked, audio(0.5))]

    assert [type(event) for event in told] == [SynthesisStart, Audio]


def test_a_session_that_goes_on_has_no_end_to_tell_of() -> None:
    (told,) = utterance().hear(start())

    assert isinstance(told, SynthesisStart)
    assert told.session_ends_in_s is UNSET


def test_before_any_audio_it_is_asked_for_again_whole_and_without_its_age() -> None:
    asked = utterance(request_timestamp=1.0)
    first_segment(asked)

    assert asked.asking() == [Text(text="One two. Three.", request_id="1", events=BOTH)]


def test_flushes_and_the_end_are_said_again_in_their_places() -> None:
    asked = utterance("One two.")
    asked.say(Flush("1"))
    asked.say(Text(text=" Three.", request_id="1"))
    asked.say(Flush("1"))
    asked.say(End("1"))

    again = asked.asking()

    assert [type(message) for message in again] == [Text, Flush, Text, Flush, End]
    assert texts(again) == ["One two.", " Three."]


def test_it_goes_on_from_the_segment_of_the_first_word_that_was_not_delivered_whole() -> None:
    asked = utterance()
    first_segment(asked)
    hear(asked, audio(1.3), segment(1, "Three.", 9, 1.3), words(1, ("Three", 9, 1.4, 1.9)), audio(0.3))

    assert texts(asked.asking()) == ["Three."]


def test_a_word_said_exactly_as_long_again_goes_on_where_it_was() -> None:
    asked = utterance()
    first_segment(asked)
    hear(asked, audio(0.8))
    asked.asking()

    told = hear(
        asked,
        start(),
        segment(0, "One two.", 0, 0.0),
        words(0, ("One", 0, 0.1, 0.5), ("two", 4, 0.6, 1.0)),
        audio(0.5),
        audio(0.5, b"\x02\x00"),
    )

    assert [type(event) for event in told] == [Audio]
    assert told[0].pcm == b"\x02\x00" * round(0.2 * RATE)  # type: ignore[union-attr]
    assert asked.delivered_s == pytest.approx(1.0)


def test_a_word_said_otherwise_is_said_again_whole() -> None:
    asked = utterance()
    first_segment(asked)
    hear(asked, audio(0.8))
    asked.asking()

    told = hear(asked, segment(0, "One two.", 0, 0.0), words(0, ("One", 0, 0.1, 0.4), ("two", 4, 0.5, 1.2)), audio(1.5))

    assert seconds(told) == pytest.approx(1.0)  # from 0.5 on


def test_of_the_silence_before_a_word_as_much_is_left() -> None:
    asked = utterance()
    first_segment(asked)
    hear(asked, audio(0.55))  # 0.05 s before "two"
    asked.asking()

    told = hear(asked, segment(0, "One two.", 0, 0.0), words(0, ("One", 0, 0.1, 0.5), ("two", 4, 0.8, 1.2)), audio(1.5))

    assert seconds(told) == pytest.approx(1.5 - 0.75)


def test_segments_that_are_cut_elsewhere_the_second_time_are_told_of_once() -> None:
    asked = utterance()
    before = [*first_segment(asked), *hear(asked, audio(0.8))]
    asked.asking()

    after = hear(
        asked,
        segment(0, "One two. Three.", 0, 0.0),
        words(0, ("One", 0, 0.1, 0.5), ("two", 4, 0.6, 1.0), ("Three", 9, 1.2, 1.6)),
        audio(1.8),
        complete(),
    )

    told = [*before, *after]
    segments = [event for event in told if isinstance(event, SegmentSpoken)]
    spoken = [word for event in told if isinstance(event, WordsSpoken) for word in event.words]
    assert [(each.index, each.text, each.start, each.end) for each in segments] == [
        (0, "One two.", 0, 8),
        (1, " Three.", 8, 15),
    ]
    assert [word.text for word in spoken] == ["One", "two", "Three"]
    assert [event.index for event in told if isinstance(event, WordsSpoken)] == [0, 1]
    completed = told[-1]
    assert isinstance(completed, SynthesisComplete)
    assert (completed.segments, completed.characters, completed.total_duration_s) == (2, 15, asked.delivered_s)


def test_times_are_those_of_the_audio_that_the_client_has() -> None:
    asked = utterance()
    first_segment(asked)
    hear(asked, audio(0.8))
    asked.asking()

    told = hear(
        asked,
        segment(0, "One two.", 0, 0.0),
        words(0, ("One", 0, 0.1, 0.4), ("two", 4, 0.5, 1.2)),  # "two" is said again from 0.8 s on, 0.3 s later
        segment(1, "Three.", 9, 1.4),
        words(1, ("Three", 9, 1.5, 1.9)),
    )

    assert isinstance(told[0], SegmentSpoken)
    assert told[0].start_s == pytest.approx(1.7)
    assert isinstance(told[1], WordsSpoken)
    assert told[1].words[0].start_s == pytest.approx(1.8)


def test_offsets_are_into_the_text_as_the_client_sent_it() -> None:
    asked = utterance()
    first_segment(asked)
    hear(asked, audio(1.3), segment(1, "Three.", 9, 1.3), words(1, ("Three", 9, 1.4, 1.9)), audio(0.2))
    asked.asking()
    asked.say(Text(text=" Four.", request_id="1"))

    told = hear(
        asked,
        segment(0, "Three.", 0, 0.0),
        words(0, ("Three", 0, 0.1, 0.6)),
        audio(0.8),
        segment(1, "Four.", 7, 0.8),
        words(1, ("Four", 7, 0.9, 1.2)),
    )

    spoken = [(event.start, event.end) for event in told if isinstance(event, SegmentSpoken)]
    assert spoken == [(16, 21)]
    assert [word.start for event in told if isinstance(event, WordsSpoken) for word in event.words] == [16]


def test_it_can_break_off_twice_in_one_word() -> None:
    asked = utterance()
    first_segment(asked)
    hear(asked, audio(0.7))
    again = (segment(0, "One two.", 0, 0.0), words(0, ("One", 0, 0.1, 0.5), ("two", 4, 0.6, 1.0)))
    asked.asking()
    hear(asked, *again, audio(0.8))
    asked.asking()

    told = hear(asked, *again, audio(1.2))

    assert seconds(told) == pytest.approx(0.4)
    assert asked.delivered_s == pytest.approx(1.2)


def test_when_all_words_were_delivered_the_rest_begins_after_them() -> None:
    asked = utterance()
    first_segment(asked)
    hear(asked, audio(1.1))

    assert texts(asked.asking()) == [" Three."]


def test_when_all_was_delivered_it_completes_without_a_server() -> None:
    asked = utterance("One two.")
    first_segment(asked)
    hear(asked, audio(1.1))
    asked.say(End("1"))

    assert asked.asking() == []
    ending = asked.completed_here()
    assert ending is not None
    assert (ending.total_duration_s, ending.segments, ending.characters) == (1.1, 1, 8)


def test_white_space_is_held_until_there_is_something_to_speak() -> None:
    asked = utterance("One two. ")
    first_segment(asked)
    hear(asked, audio(1.1))

    assert asked.asking() == []
    assert asked.completed_here() is None
    assert asked.say(Text(text="\n", request_id="1")) == []
    assert texts(asked.say(Text(text="Three.", request_id="1"))) == [" \nThree."]
    assert texts(asked.say(Text(text=" Four.", request_id="1"))) == [" Four."]


def test_inside_of_code_it_goes_on_from_before_the_code() -> None:
    text = "Look. ```\na = 1\nb = 2\n```"
    asked = utterance(text, code="read")
    hear(
        asked,
        start(),
        segment(0, "Look.", 0, 0.0),
        words(0, ("Look", 0, 0.0, 0.4)),
        audio(0.5),
        segment(1, "a = 1", 10, 0.5),
        words(1, ("a", 10, 0.5, 0.6), ("1", 14, 0.7, 0.9)),
        audio(0.5),
        segment(2, "b = 2", 16, 1.0),
        words(2, ("b", 16, 1.0, 1.2), ("2", 20, 1.3, 1.5)),
        audio(0.1),
    )

    assert texts(asked.asking()) == [text]


def test_a_cancel_is_told_in_the_time_of_what_is_being_asked_for() -> None:
    asked = utterance()
    first_segment(asked)
    hear(asked, audio(1.3), segment(1, "Three.", 9, 1.3), words(1, ("Three", 9, 1.4, 1.9)), audio(0.2))
    asked.asking()
    hear(asked, segment(0, "Three.", 0, 0.0), words(0, ("Three", 0, 0.1, 0.6)), audio(0.8))

    (message,) = asked.say(Cancel("1", 1.6))

    assert isinstance(message, Cancel)
    assert message.played_s == pytest.approx(0.3)  # 1.3 s lie before


def test_what_was_heard_of_a_cancelled_utterance_is_told_of_all_of_it() -> None:
    asked = utterance()
    first_segment(asked)
    hear(asked, audio(1.3), segment(1, "Three.", 9, 1.3), words(1, ("Three", 9, 1.4, 1.9)), audio(0.2))
    asked.asking()
    hear(asked, segment(0, "Three.", 0, 0.0), words(0, ("Three", 0, 0.1, 0.6)), audio(0.8))
    asked.say(Cancel("1", 1.0))

    told = asked.hear(
        Cancelled(request_id="1", audio_sent_s=0.8, spoken_text="", spoken_characters=0)  # the server knows of no more
    )

    assert told == [Cancelled(request_id="1", audio_sent_s=2.1, spoken_text="One two.", spoken_characters=8)]


def test_a_cancel_that_got_lost_is_acknowledged_without_a_server() -> None:
    asked = utterance()
    first_segment(asked)
    hear(asked, audio(0.8))
    asked.say(Cancel("1"))

    assert asked.cancelled_here() == Cancelled(request_id="1", audio_sent_s=0.8, spoken_text="One", spoken_characters=3)


@pytest.mark.parametrize(("audio_format", "can"), [("pcm", True), ("wav", True), ("mp3", False), ("flac", False)])
def test_only_samples_can_be_joined(audio_format: str, can: bool) -> None:
    asked = utterance(format=audio_format)
    assert asked.can_go_on
    first_segment(asked)
    hear(asked, audio(0.5))

    assert asked.can_go_on is can


def test_a_wav_has_one_header() -> None:
    asked = utterance(format="wav")
    first_segment(asked)
    hear(asked, Audio("1", b"\x00" * 44), audio(0.8))

    again = asked.asking()

    assert again[0].format == "pcm"  # type: ignore[union-attr]
    assert asked.delivered_s == pytest.approx(0.8)


def test_a_segment_of_which_no_word_came_is_asked_for_again() -> None:
    asked = utterance()
    first_segment(asked)
    hear(asked, audio(1.1), segment(1, "Three.", 9, 1.1))
    asked.say(End("1"))

    assert texts(asked.asking()) == ["Three."]
    assert asked.completed_here() is None
    told = hear(asked, segment(0, "Three.", 0, 0.0), words(0, ("Three", 0, 0.1, 0.6)), audio(0.8))
    assert [type(event) for event in told] == [WordsSpoken, Audio]  # of the segment, the client knows


def test_a_segment_without_words_is_asked_for_again_unless_the_next_has_begun() -> None:
    asked = utterance("One two. ```x```. Four.")
    first_segment(asked)
    hear(asked, audio(1.1), segment(1, "```x```.", 9, 1.1), words(1), audio(0.1))
    before = texts(asked.asking())
    hear(asked, segment(0, "```x```.", 0, 0.0), words(0), audio(0.4), segment(1, "Four.", 9, 0.4))

    assert before == ["```x```. Four."]
    assert texts(asked.asking()) == ["Four."]


def test_a_word_that_is_not_told_again_takes_nothing_with_it() -> None:
    asked = utterance("One two.")
    first_segment(asked)
    hear(asked, audio(0.8))
    asked.asking()
    hear(asked, segment(0, "One two.", 0, 0.0), words(0, ("One", 0, 0.1, 0.5)), audio(1.0), complete())
    lost = asked.lost_its_place

    assert lost
    assert not asked.ended
    assert texts(asked.asking()) == ["One two."]
    assert not asked.lost_its_place
    assert seconds(hear(asked, segment(0, "One two.", 0, 0.0), words(0), audio(1.0), complete())) == pytest.approx(1.0)


def test_what_was_heard_after_a_resumption_is_never_the_servers_count() -> None:
    asked = utterance("One two.")
    first_segment(asked)
    hear(asked, audio(0.8))
    asked.asking()
    asked.say(Cancel("1"))

    (told,) = asked.hear(Cancelled(request_id="1", audio_sent_s=0.0, spoken_text="", spoken_characters=0))

    assert isinstance(told, Cancelled)
    assert (told.spoken_text, told.spoken_characters) == ("One", 3)


def test_how_much_of_a_resumption_was_heard_is_unknown_until_its_place_is_found() -> None:
    asked = utterance()
    first_segment(asked)
    hear(asked, audio(0.8))
    asked.asking()
    before = asked.played_in_attempt(0.7)
    hear(asked, segment(0, "One two.", 0, 0.0), words(0, ("One", 0, 0.1, 0.5), ("two", 4, 0.6, 1.0)))

    assert before is None
    assert asked.played_in_attempt(0.7) == pytest.approx(0.7)


CODE = "Look. ```\na = 1\nb = 2\n```\nNext."


def first_line_of_code(text: str = CODE) -> ResumableUtterance:
    """Return one of which "Look." and "a = 1" are delivered, to 1.0 s, with a silence of 0.1 s after the last word."""
    asked = utterance(text, code="read")
    hear(
        asked,
        start(),
        segment(0, "Look.", 0, 0.0),
        words(0, ("Look", 0, 0.0, 0.4)),
        audio(0.5),
        segment(1, "a = 1", 10, 0.5),
        words(1, ("a", 10, 0.5, 0.6), ("1", 14, 0.7, 0.9)),
        audio(0.5),
    )
    return asked


def again_to_the_second_line(asked: ResumableUtterance) -> list[ClientEvent]:
    return hear(
        asked,
        segment(0, "Look.", 0, 0.0),
        words(0, ("Look", 0, 0.0, 0.4)),
        audio(0.6),
        segment(1, "a = 1", 10, 0.6),
        words(1, ("a", 10, 0.6, 0.7), ("1", 14, 0.8, 1.0)),
        audio(0.6),
        segment(2, "b = 2", 16, 1.2),
        words(2, ("b", 16, 1.3, 1.4), ("2", 20, 1.5, 1.7)),
        audio(0.6, b"\x02\x00"),
    )


def test_after_a_line_of_code_it_goes_on_from_before_the_code_with_the_next_line() -> None:
    asked = first_line_of_code()

    again = texts(asked.asking())
    told = again_to_the_second_line(asked)

    assert again == [CODE]
    assert [type(event) for event in told] == [SegmentSpoken, WordsSpoken, Audio]
    # Of 0.2 s between the lines, 0.1 s was delivered.
    assert told[0].start_s == pytest.approx(1.1)  # type: ignore[union-attr]
    assert told[1].words[0].start_s == pytest.approx(1.2)  # type: ignore[union-attr]
    assert told[2].pcm == bytes(round(0.1 * SECOND)) + b"\x02\x00" * round(0.6 * RATE)  # type: ignore[union-attr]


def test_after_a_line_of_code_that_is_cut_elsewhere_the_second_time_it_goes_on_with_the_next_word() -> None:
    asked = first_line_of_code()
    asked.asking()

    told = hear(
        asked,
        segment(0, "Look. ```\na = 1\nb = 2", 0, 0.0),
        words(
            0, ("Look", 0, 0.0, 0.4), ("a", 10, 0.6, 0.7), ("1", 14, 0.8, 1.0), ("b", 16, 1.3, 1.4), ("2", 20, 1.5, 1.7)
        ),
        audio(1.8),
    )

    assert [word.text for event in told if isinstance(event, WordsSpoken) for word in event.words] == ["b", "2"]
    assert seconds(told) == pytest.approx(0.7)  # from 1.1 s on: of the silence after the line, 0.1 s was delivered


def test_after_the_last_line_of_code_nothing_is_heard_twice() -> None:
    asked = first_line_of_code("Look. ```\na = 1\n```")
    asked.say(End("1"))

    again = texts(asked.asking())
    told = hear(
        asked,
        segment(0, "Look.", 0, 0.0),
        words(0, ("Look", 0, 0.0, 0.4)),
        audio(0.6),
        segment(1, "a = 1", 10, 0.6),
        words(1, ("a", 10, 0.6, 0.7), ("1", 14, 0.8, 1.0)),
        audio(0.6),
        complete(),
    )

    assert again == ["Look. ```\na = 1\n```"]
    assert [type(event) for event in told] == [SynthesisComplete]
    assert asked.ended
    assert not asked.lost_its_place


def test_white_space_inside_of_code_is_held_until_there_is_another_line() -> None:
    asked = first_line_of_code("Look. ```\na = 1\n")

    before = asked.asking()
    after = texts(asked.say(Text(text="b = 2\n```", request_id="1")))

    assert before == []
    assert after == ["Look. ```\na = 1\nb = 2\n```"]
    assert seconds(again_to_the_second_line(asked)) == pytest.approx(0.7)


def test_how_much_of_code_that_is_said_again_was_heard_is_unknown_until_it_goes_on() -> None:
    asked = first_line_of_code()
    asked.asking()
    before = asked.played_in_attempt(0.9)
    again_to_the_second_line(asked)

    assert before is None
    assert asked.played_in_attempt(1.1) == pytest.approx(1.2)


def test_text_that_comes_after_the_end_is_none_of_it() -> None:
    asked = utterance("One two.")
    asked.say(End("1"))
    asked.say(Text(text=" Three.", request_id="1"))  # the server refuses it

    assert texts(asked.asking()) == ["One two."]
