import logging
import sys
from collections.abc import Sequence

import pytest

from primavoce.errors import LanguageUnavailable, PhonemesFailed, UnknownLanguage
from primavoce.phonemes.phonemizer import Phonemizer
from primavoce.phonemes.words import Given, Sound


def test_no_text_gives_no_phonemes(phonemizer: Phonemizer) -> None:
    assert phonemizer.phonemize("", "it") == ""
    assert phonemizer.phonemize(" \n ", "it") == ""


def test_a_short_form_of_a_language_is_understood(phonemizer: Phonemizer) -> None:
    assert phonemizer.phonemize("ciao", "IT_it") == phonemizer.phonemize("ciao", "it")


def test_a_language_that_kokoro_lacks_is_refused(phonemizer: Phonemizer) -> None:
    with pytest.raises(UnknownLanguage):
        phonemizer.phonemize("Guten Tag", "de")


def test_a_language_to_preload_is_checked_at_once() -> None:
    with pytest.raises(UnknownLanguage):
        Phonemizer(preload=["de"])


@pytest.mark.parametrize(
    ("language", "missing", "extra"),
    [
        ("ja", ("primavoce.phonemes.japanese", "fugashi"), "ja"),
        ("zh", ("primavoce.phonemes.mandarin", "jieba"), "zh"),
        ("it", ("primavoce.phonemes.espeak", "phonemizer"), "engine"),
        ("en-us", ("primavoce.phonemes.english", "spacy"), "engine"),
    ],
)
def test_a_language_whose_packages_are_missing_names_its_extra(
    monkeypatch: pytest.MonkeyPatch, language: str, missing: tuple[str, str], extra: str
) -> None:
    for module in missing:
        monkeypatch.setitem(sys.modules, module, None)

    with pytest.raises(LanguageUnavailable) as caught:
        Phonemizer().phonemize("…", language)

    assert (caught.value.language, caught.value.extra) == (language, extra)


def test_a_library_that_fails_on_a_text_fails_the_sentence() -> None:
    def pronounce(text: str, given: Sequence[Given] = ()) -> list[Sound]:
        raise IndexError(text)

    phonemizer = Phonemizer()
    phonemizer._languages["it"] = pronounce

    with pytest.raises(PhonemesFailed) as caught:
        phonemizer.phonemize("un segreto", "it")

    assert isinstance(caught.value.__cause__, IndexError)
    assert "segreto" not in str(caught.value)


def test_a_library_that_fails_to_load_fails_the_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def build(self: Phonemizer, language: str) -> None:
        raise OSError(language)

    monkeypatch.setattr(Phonemizer, "_build", build)

    with pytest.raises(PhonemesFailed) as caught:
        Phonemizer(preload=["it"])

    assert isinstance(caught.value.__cause__, OSError)


def test_dropped_symbols_are_logged_without_the_text(phonemizer: Phonemizer, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, logger="primavoce.phonemes")

    phonemizer.phonemize("¿Qué secreto? ¿No?", "es")

    (record,) = [record for record in caplog.records if record.name == "primavoce.phonemes"]
    assert record.levelno == logging.DEBUG
    assert record.getMessage().endswith(": ¿")
    assert "secreto" not in caplog.text


@pytest.mark.parametrize(
    ("phonemes", "tidied"),
    [("a , b", "a, b"), ("“ a ” b", "“a” b"), ("( a )", "(a)"), ("  a   b ", "a b"), ("a — b", "a — b")],
)
def test_spaces_stand_where_the_model_learnt_them(phonemes: str, tidied: str) -> None:
    phonemizer = Phonemizer()
    phonemizer._languages["it"] = lambda _text, given=(): [Sound(phonemes, 0, 1)]

    assert phonemizer.phonemize("x", "it") == tidied


@pytest.mark.parametrize(
    ("text", "spans"),
    [("uno due", [(0, 3), (4, 7)]), ("\n uno \t due ", [(2, 5), (8, 11)]), ("", []), (" \n", [])],
)
def test_spans_are_those_of_the_text_that_was_given(
    phonemizer: Phonemizer, text: str, spans: list[tuple[int, int]]
) -> None:
    assert [(word.start, word.end) for word in phonemizer.pronounce(text, "it").words] == spans


def test_given_pronunciations_come_in_any_order_and_with_spaces_around(phonemizer: Phonemizer) -> None:
    words = phonemizer.pronounce("uno  due tre", "it", given=[(4, 9, "d  we"), (0, 3, " ˈun\n")]).words

    assert [(word.start, word.end, word.phonemes) for word in words[:2]] == [(0, 3, "ˈun"), (5, 8, "d we")]
    assert len(words) == 3


@pytest.mark.parametrize("phonemes", ["", "  ", "¿❓"])
def test_a_given_pronunciation_without_a_symbol_of_the_alphabet_is_none(phonemizer: Phonemizer, phonemes: str) -> None:
    assert phonemizer.pronounce("uno", "it", given=[(0, 3, phonemes)]) == phonemizer.pronounce("uno", "it")


@pytest.mark.parametrize("given", [[(0, 3, "a"), (2, 5, "b")], [(-1, 2, "a")], [(5, 9, "a")], [(3, 2, "a")]])
def test_given_stretches_that_overlap_or_lie_outside_are_refused(
    phonemizer: Phonemizer, given: list[tuple[int, int, str]]
) -> None:
    with pytest.raises(ValueError, match="overlaps or is outside"):
        phonemizer.pronounce("uno due", "it", given=given)
