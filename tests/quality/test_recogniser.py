import pytest

from tests.quality.recogniser import Recogniser, normalised_words, word_errors

pytestmark = pytest.mark.quality


@pytest.mark.parametrize(
    ("reference", "hypothesis", "errors", "words"),
    [
        ("The cat sat.", "the cat sat", 0, 3),
        ("The cat sat.", "The bat sat.", 1, 3),
        ("The cat sat.", "The sat.", 1, 3),
        ("The cat sat.", "The black cat sat.", 1, 3),
        ("The cat sat.", "", 3, 3),
        ("", "Thank you.", 2, 0),
        ("She paid 17 dollars.", "She paid $17.", 0, 4),
        ("Twenty-one", "21", 0, 2),
    ],
)
def test_errors_are_words_changed_added_and_left_out(reference: str, hypothesis: str, errors: int, words: int) -> None:
    assert word_errors(reference, hypothesis) == (errors, words)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("It’s 1,000 %", ["it's", "one", "thousand", "percent"]),
        ("2.5 — “half”", ["two", "point", "five", "half"]),
        ("…", []),
    ],
)
def test_words_are_compared_as_they_sound(text: str, words: list[str]) -> None:
    assert normalised_words(text) == words


def test_nothing_is_heard_in_silence(recogniser: Recogniser) -> None:
    assert recogniser.transcribe(bytes(2 * 24_000), 24_000) == ""
