"""What holds of every file of calibration texts, whatever its language."""

from importlib.resources import files

import pytest

TEXTS = {
    file.name.removesuffix(".txt"): file.read_text(encoding="utf-8")
    for file in files("primavoce.calibration").joinpath("texts").iterdir()
}
LANGUAGES = ("en", "es", "fr", "hi", "it", "ja", "pt", "zh")
DENSE = ("ja", "zh")
"""Languages written without spaces, where a character says as much as several letters."""


def texts_in(language: str) -> list[str]:
    """The texts of a language's file, one a line."""
    return TEXTS[language].removesuffix("\n").split("\n")


def test_each_spoken_language_has_its_texts() -> None:
    assert sorted(TEXTS) == sorted(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_a_hundred_texts_and_none_twice(language: str) -> None:
    texts = texts_in(language)
    assert len(texts) == 100
    assert len(set(texts)) == 100


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_one_clean_line_that_ends_as_a_sentence(language: str) -> None:
    assert [text for text in texts_in(language) if text != text.strip() or text[-1:] not in tuple(".!?…।。！？")] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_numbers_are_written_as_words(language: str) -> None:
    assert [text for text in texts_in(language) if any(character.isdigit() for character in text)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_texts_reach_from_short_answers_to_long_sentences(language: str) -> None:
    lengths = [len(text) for text in texts_in(language)]
    short, long = (7, 70) if language in DENSE else (20, 200)
    assert sum(length < short for length in lengths) >= 20
    assert max(lengths) >= long
