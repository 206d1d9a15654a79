import logging
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primavoce.normalize.draft import HELD, Draft, Settled


def test_what_nobody_rewrites_maps_to_itself() -> None:
    spoken = Draft("Ciao, bella.").spoken()

    assert spoken.text == "Ciao, bella."
    assert spoken.starts == tuple(range(12))
    assert spoken.ends == tuple(range(1, 13))


def test_a_settled_word_stands_for_all_that_it_was_written_as() -> None:
    draft = Draft("Pay $5 now")

    draft.say(re.compile(r"\$(\d)"), lambda match: "five dollars")

    spoken = draft.spoken()
    assert spoken.text == "Pay five dollars now"
    assert spoken.origin(4, 16) == (4, 6)
    assert spoken.origin(17, 20) == (7, 10)


def test_no_rule_looks_into_what_is_settled() -> None:
    draft = Draft("a 5 b 6")
    draft.say(re.compile("5"), lambda match: "6 7")

    draft.say(re.compile(r"\d"), lambda match: "six")

    assert draft.spoken().text == "a 6 7 b six"


def test_a_match_that_reaches_over_something_settled_is_left_alone() -> None:
    draft = Draft("(5)")
    draft.say(re.compile("5"), lambda match: "five")

    draft.rewrite(re.compile(r"\(.*\)"), lambda match: "")

    assert draft.spoken().text == "(five)"


def test_a_rewritten_stretch_stays_open_to_later_rules() -> None:
    draft = Draft("x")
    draft.rewrite(re.compile("x"), lambda match: "5")

    draft.say(re.compile("5"), lambda match: "five")

    spoken = draft.spoken()
    assert spoken.text == "five"
    assert spoken.origin(0, 4) == (0, 1)


def test_what_is_dropped_is_logged_with_its_reason_and_without_its_words(caplog: pytest.LogCaptureFixture) -> None:
    draft = Draft("keep SECRET")

    with caplog.at_level(logging.DEBUG, "primavoce.normalize"):
        draft.drop(re.compile("SECRET"), "a test's")

    assert draft.spoken().text == "keep"
    assert "6 characters (a test's)" in caplog.text
    assert "SECRET" not in caplog.text


def test_settled_words_are_parted_from_their_neighbours() -> None:
    draft = Draft("5km to go")

    draft.say(re.compile(r"\d"), lambda match: "five")

    assert draft.spoken().text == "five km to go"


def test_a_vowel_sign_at_a_words_end_is_a_part_of_the_word() -> None:
    draft = Draft("2किलो")

    draft.say(re.compile(r"\d"), lambda match: "दो")

    assert draft.spoken().text == "दो किलो"


def test_chinese_words_are_not_parted_by_spaces() -> None:
    draft = Draft("买3个")

    draft.say(re.compile(r"\d"), lambda match: "三")

    assert draft.spoken().text == "买三个"


@pytest.mark.parametrize(
    ("written", "said", "at"),
    [
        ("wait ~ here", "wait here", 5),
        ("wait ~.", "wait.", 5),
        ("wait~here", "wait here", 4),
        ("~here", "here", 0),
        ("here ~", "here", 4),
        ("~", "", 0),
    ],
)
def test_silence_leaves_no_stray_space(written: str, said: str, at: int) -> None:
    draft = Draft(written)

    draft.pause(re.compile("~"), lambda match: 0.5)

    spoken = draft.spoken()
    assert spoken.text == said
    assert [(pause.at, pause.seconds) for pause in spoken.pauses] == [(at, 0.5)]


def test_what_is_said_ends_before_silence_and_space() -> None:
    draft = Draft("a 5 ~ ")
    draft.say(re.compile("5"), lambda match: "five")
    draft.pause(re.compile("~"), lambda match: 1.0)

    assert draft.said_end() == 3


def test_the_mark_of_what_is_settled_is_not_taken_from_the_writer() -> None:
    assert Draft(f"a{HELD}b").spoken().text == "a b"


def test_edits_settle_and_replace_in_one_go() -> None:
    draft = Draft("one two three")

    draft.edit([(0, 3, Settled("1")), (4, 7, ""), (8, 8, "and "), (8, 13, Settled("three", phonemes="θɹi"))])

    spoken = draft.spoken()
    assert spoken.text == "1 and three"
    assert [(given.start, given.end, given.phonemes) for given in spoken.phonemes] == [(6, 11, "θɹi")]


@given(
    st.text(alphabet="ab 1.,", max_size=40), st.lists(st.sampled_from(["say", "rewrite", "drop", "pause"]), max_size=5)
)
def test_offsets_grow_and_stay_within_what_was_written(written: str, steps: list[str]) -> None:
    draft = Draft(written)

    for at, step in enumerate(steps):
        pattern = re.compile(["a+", "1", "b1?", r"\.", ","][at])
        if step == "say":
            draft.say(pattern, lambda match: "two words")
        elif step == "rewrite":
            draft.rewrite(pattern, lambda match: "1a")
        elif step == "drop":
            draft.drop(pattern, "a test's")
        else:
            draft.pause(pattern, lambda match: 1.0)

    spoken = draft.spoken()
    assert len(spoken.text) == len(spoken.starts) == len(spoken.ends)
    assert list(spoken.starts) == sorted(spoken.starts)
    assert all(0 <= start <= end <= len(written) for start, end in zip(spoken.starts, spoken.ends, strict=True))
    assert spoken.text == " ".join(spoken.text.split())
    assert all(0 <= pause.at <= len(spoken.text) for pause in spoken.pauses)
