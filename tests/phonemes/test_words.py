import pytest

from primavoce.phonemes.words import Pronunciation, Sound, Word, words_of


def test_phonemes_are_lead_words_and_what_follows_them() -> None:
    pronunciation = Pronunciation("“", (Word("a", ", ", 0, 1), Word("b", ".”", 3, 4)))

    assert pronunciation.phonemes == "“a, b.”"


@pytest.mark.parametrize(
    ("text", "sounds", "words"),
    [
        ("ab, c", [("aˈ", 0, 2), (", ", 2, 2), ("k", 4, 5)], [("ab", "aˈ", ", "), ("c", "k", "")]),
        # Marks and spaces are taken off, in the phonemes and in the text.
        ("(ab) c", [("(a) ", 0, 5), ("k", 5, 6)], [("ab", "a", ") "), ("c", "k", "")]),
        ("a. c", [("a.", 0, 2), (" ", 2, 2), ("k", 3, 4)], [("a", "a", ". "), ("c", "k", "")]),
        ("Dr. c", [("dɔk", 0, 3), (" ", 3, 3), ("k", 4, 5)], [("Dr.", "dɔk", " "), ("c", "k", "")]),
        # What isn't said goes to the word that it is written together with, or to none.
        ("$5 x", [("", 0, 1), ("f", 1, 2), (" ", 2, 2), ("k", 3, 4)], [("$5", "f", " "), ("x", "k", "")]),
        ("5€", [("f", 0, 1), ("", 1, 2)], [("5€", "f", "")]),
        ("5 你 x", [("f ", 0, 1), ("你 ", 2, 3), ("k", 4, 5)], [("5", "f", " "), ("x", "k", "")]),
        ("你 x", [("你", 0, 1), (" ", 1, 1), ("k", 2, 3)], [("x", "k", "")]),
        # What touches or overlaps is one word.
        ("C++ a", [("s", 0, 1), ("p", 1, 3), (" ", 3, 3), ("a", 4, 5)], [("C++", "sp", " "), ("a", "a", "")]),
        ("12% a", [("b ", 0, 3), ("k ", 0, 3), ("a", 4, 5)], [("12%", "b k", " "), ("a", "a", "")]),
        ("a b c", [("a", 4, 5), (" ", 5, 5), ("b", 0, 1), (" ", 1, 1), ("k", 2, 3)], [("a b c", "a b k", "")]),
        ("a", [("¿", 0, 1)], []),
    ],
)  # fmt: skip
def test_sounds_become_words(text: str, sounds: list[tuple[str, int, int]], words: list[tuple[str, str, str]]) -> None:
    pronunciation = words_of([Sound(*sound) for sound in sounds], text)

    assert [(text[word.start : word.end], word.phonemes, word.after) for word in pronunciation.words] == words


def test_nothing_is_joined_to_what_is_given() -> None:
    sounds = [Sound("a", 0, 1), Sound("ɡi.", 1, 2, given=True), Sound("b", 2, 3), Sound("", 3, 4)]

    assert words_of(sounds, "agb$").words == (Word("a", "", 0, 1), Word("ɡi.", "", 1, 2), Word("b", "", 2, 4))


def test_marks_without_a_word_are_the_lead() -> None:
    assert words_of([Sound(" ... ", 0, 0)], "...") == Pronunciation("...", ())
