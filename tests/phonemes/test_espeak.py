import logging

import pytest
from phonemizer.backend import EspeakBackend

from primavoce.phonemes.alphabet import SYMBOLS
from primavoce.phonemes.phonemizer import Phonemizer


@pytest.mark.parametrize(
    ("language", "text", "phonemes"),
    [
        ("es", "¿Qué hora es? ¡Son las tres!", "kˈe ˈoɾa ˈes? sˈon las tɾˈes!"),
        ("es", "(casi) «dijo» – no.", "(kˈasi) “dˈixo” — nˈo."),
        ("fr", "« Bonjour », dit-elle !", "“bɔ̃ʒˈuʁ”, dˈitˈɛl!"),
        ("hi", "नमस्ते। ठीक है।", "nəmˈʌsteː. ʈʰˈiːk hɛː."),
        ("it", "«Va bene», disse (piano).", "“vˈa bˈɛne”, dˈiSe (pjˈano)."),
        ("pt-br", "Não, você não está.", "nˈɐ̃ʊ̃, vosˌe nˌɐ̃ʊ̃ estˌa."),
    ],
)
def test_a_language_is_pronounced_with_its_marks(
    phonemizer: Phonemizer, language: str, text: str, phonemes: str
) -> None:
    assert phonemizer.phonemize(text, language) == phonemes


@pytest.mark.parametrize("language", ["es", "fr", "hi", "it", "pt-br"])
def test_only_the_alphabet_comes_out(phonemizer: Phonemizer, language: str) -> None:
    phonemes = phonemizer.phonemize("12:30 [x] {y} <z> §5 100 € 你好 😀 «a» ¡b! Microsoft 20 %", language)

    assert phonemes
    assert set(phonemes) <= SYMBOLS.keys()


@pytest.mark.parametrize("text", ["uno  due\n\ntre", "\n uno due\ttre \n"])
def test_white_space_of_any_kind_is_one_space(phonemizer: Phonemizer, text: str) -> None:
    assert phonemizer.phonemize(text, "it") == phonemizer.phonemize("uno due tre", "it")


def test_nothing_is_printed_or_logged_above_debug(
    phonemizer: Phonemizer, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)

    EspeakBackend("fr-fr")  # somebody else's, which sets the logger's level again
    phonemizer.phonemize("J'ai 99 francs – non. Le week-end, show.", "fr")

    assert capfd.readouterr() == ("", "")
    assert [record for record in caplog.records if record.levelno > logging.DEBUG] == []
