"""Words that a phonemiser says wrongly are spelled otherwise, last of all, and only what is read changes."""

import pytest

from primavoce.normalize import normalize
from tests.normalize.foreign import flagged


@pytest.mark.parametrize(
    ("language", "written", "read"),
    [
        ("it", "Mandami una email.", "Mandami una imèil."),
        ("it", "Google e GOOGLE", "Gùgol e Gùgol"),
        ("it", "l'email", "l'imèil"),
        ("it", "L'indirizzo IP", "L'indirizzo ài pì"),
        ("it", "Apri il file.", "Apri il fàil."),
        ("it", "le file di sedie", "le file di sedie"),  # rows
        ("es", "Está online.", "Está onláin."),
        ("fr", "le chat dort", "le chat dort"),  # a cat
        ("fr", "un week-end", "un ouikènde"),
        ("pt-br", "MI, DI e CV", "mi, di e cê vê"),  # espeak's Roman numerals
        ("hi", "USB, PDF और OTP", "यू एस बी, पी डी एफ़ और ओ टी पी"),
        ("hi", "Wi-Fi चालू करें", "वाई-फ़ाई चालू करें"),
    ],
)
def test_a_loan_is_spelled_as_it_is_said(language: str, written: str, read: str) -> None:
    assert normalize(written, language).text == read


def test_what_another_rule_has_said_is_spelled_too() -> None:
    assert normalize("info@google.com", "it").text == "info chiocciola gùgol punto com"


def test_a_respelled_word_leads_back_to_what_was_written() -> None:
    spoken = normalize("Una email ora.", "it")
    at = spoken.text.index("imèil")

    assert spoken.origin(at, at + len("imèil")) == (4, 9)


def test_given_phonemes_are_left() -> None:
    spoken = normalize("[email](/imˈɛil/)", "it")

    assert spoken.text == "email"
    assert [given.phonemes for given in spoken.phonemes] == ["imˈɛil"]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("it", "MI, DI, VI, CI, LI, mix, MIX, API, PDF, IVA, ISTAT, RAI, INPS, CPU, SMS, DNA, USB-C, HTML e WiFi"),
        ("es", "VI, MIL, DI, MI, DNI, USB, URL, ONU y PDF"),
        ("fr", "Le, de, me, ce, se, Ce, Des, Mes, Dès, Les, Mde, Me voici, CI, MIL, DI et MIX"),
        ("pt-br", "MIL, DICA, VIVI, USB, URL, CPF e PDF"),
    ],
)
def test_words_made_of_roman_letters_are_words(language: str, text: str) -> None:
    read = normalize(text, language).text

    assert [word.strip(",") for word in read.split()][:2] == [word.strip(",") for word in text.split()][:2]
    assert not any(word in read for word in ("esim", "ième", "cinq", "mille", "mil ", "quinient"))
    assert flagged(read, language) == []
