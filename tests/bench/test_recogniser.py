"""How far what was understood is from what was said."""

import pytest

from primavoce.bench.recogniser import word_errors


@pytest.mark.parametrize(
    ("spoken", "heard", "errors"),
    [
        ("All done.", "all done", 0),
        ("I'm on it.", "I’m on it!", 0),
        ("Your balance is forty-two euros.", "Your balance is 42 euros.", 0),
        ("The train leaves from platform four.", "The train leaves from platform 4.", 0),
        ("Turn left at the second light.", "Turn left at the second night.", 1),
        ("One moment.", "", 2),
        ("One moment.", "one single moment", 1),
        ("Let me check.", "Let check me", 2),
    ],
)
def test_words_count_as_they_sound(spoken: str, heard: str, errors: int) -> None:
    assert word_errors(spoken, heard)[0] == errors


def test_the_words_that_were_spoken_are_counted() -> None:
    assert word_errors("Your balance is forty-two euros.", "no") == (6, 6)
