"""Text as it comes, and the sentences in it."""

from hypothesis import given
from hypothesis import strategies as st

from primavoce.protocol.incoming import SLICE, IncomingText


def sentences(*deltas: str) -> list[str]:
    text = IncomingText("en-us")
    found = []
    for delta in deltas:
        text.push(delta)
        found += text.take()
    text.end()
    while not text.exhausted:
        text.advance()
        found += text.take()
    return [sentence.text for sentence in found]


@given(st.lists(st.sampled_from(["Hello there. ", "It is ", "3", ".", "5 ", "km. ", "\n", "Dr. ", "Who? ", "x" * 700])))
def test_how_a_text_is_cut_into_deltas_makes_no_difference(deltas: list[str]) -> None:
    assert sentences(*deltas) == sentences("".join(deltas))


def test_a_long_text_is_looked_at_a_slice_at_a_time() -> None:
    text = IncomingText("en-us")

    text.push("One two three. " * 1000)
    at_once = sum(len(sentence.text) for sentence in text.take())

    assert at_once <= SLICE
    assert text.advance()


def test_an_empty_delta_leaves_nothing_behind() -> None:
    text = IncomingText("en-us")

    for delta in ("One", "", "", "."):
        text.push(delta)

    assert text._text == ["One", "."]
    assert text.text == "One."


def taken(text: IncomingText) -> list[str]:
    found = text.take()
    while text.advance():
        found += text.take()
    return [sentence.text for sentence in [*found, *text.take()]]


def test_a_pause_after_a_long_text_releases_its_end_once_it_was_looked_at() -> None:
    text = IncomingText("en-us")
    text.push("One two three. " * 100 + "Let me look.")

    text.idle()

    assert taken(text) == [*["One two three."] * 100, "Let me look."]
    assert not text.complete


def test_a_pause_that_is_over_releases_nothing() -> None:
    text = IncomingText("en-us")
    text.push("One two three. " * 100 + "Let me look.")

    text.idle()
    text.push("com now. So")

    assert taken(text)[-1] == "Let me look.com now."


def test_a_text_that_is_complete_has_something_to_do_until_all_of_it_was_taken() -> None:
    text = IncomingText("en-us")
    assert not text.startable

    text.push("One.")
    text.end()
    assert (text.startable, text.exhausted) == (True, False)

    text.take()
    assert text.exhausted
