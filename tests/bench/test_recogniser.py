"""How far what was understood is from what was said."""

import pytest

from primavoce.bench.recogniser import word_errors, words_of


@pytest.mark.parametrize(
    ("spoken", "heard", "errors", "words"),
    [
        ("All done.", "all done", 0, 2),
        ("I'm on it.", "I’m on it!", 0, 3),
        ("Your balance is forty-two euros.", "Your balance is 42 euros.", 0, 6),
        ("The train leaves from platform four.", "The train leaves from platform 4.", 0, 6),
        ("She paid 17 dollars.", "She paid $17.", 0, 4),
        ("Turn left at the second light.", "Turn left at the second night.", 1, 6),
        ("One moment.", "", 2, 2),
        ("One moment.", "one single moment", 1, 2),
        ("Let me check.", "Let check me", 2, 3),
        ("Your balance is forty-two euros.", "no", 6, 6),
        ("", "Thank you.", 2, 0),
    ],
)
def test_errors_are_words_changed_added_and_left_out(spoken: str, heard: str, errors: int, words: int) -> None:
    assert word_errors(spoken, heard) == (errors, words)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("It’s 1,000 %", "it's one thousand percent"),
        ("2.5 — “half”", "two point five half"),
        ("At 9:05, or 14:30.", "at nine five or fourteen thirty"),
        ("$48.20 or $1,500", "forty eight point two dollars or one thousand five hundred dollars"),
        ("Well-known: 21-22.", "well known twenty one twenty two"),
        ("…", ""),
    ],
)
def test_words_are_compared_as_they_sound(text: str, words: str) -> None:
    assert words_of(text) == words.split()
