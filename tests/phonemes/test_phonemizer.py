import logging
import sys

import pytest

from primavoce.errors import LanguageUnavailable, PhonemesFailed, UnknownLanguage
from primavoce.phonemes.phonemizer import Phonemizer


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
    def pronounce(text: str) -> str:
        raise IndexError(text)

    phonemizer = Phonemizer()
    phonemizer._pronounce["it"] = pronounce

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
    phonemizer._pronounce["it"] = lambda _text: phonemes

    assert phonemizer.phonemize("x", "it") == tidied
