import logging
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from primavoce.phonemes.alphabet import SYMBOLS
from primavoce.phonemes.phonemizer import Phonemizer

pytestmark = pytest.mark.model


@pytest.mark.parametrize(
    ("text", "phonemes"),
    [
        ("I read it yesterday.", "ˌI ɹˈɛd ɪt jˈɛstəɹdˌA."),
        ("I will read it.", "ˌI wɪl ɹˈid ɪt."),
    ],
)
def test_the_part_of_speech_decides_how_a_word_sounds(phonemizer: Phonemizer, text: str, phonemes: str) -> None:
    assert phonemizer.phonemize(text, "en-us") == phonemes


@pytest.mark.parametrize(
    ("text", "sounds"),
    [
        ("Dr. Smith met Mrs. Jones.", ["dˈɑktəɹ smˈɪθ", "mˈɪsɪz ʤˈOnz."]),
        ("It costs $3.50.", ["θɹˈi dˈɑləɹz ænd fˈɪfti sˈɛnts."]),
        ("In 1984, the 2nd time.", ["nˌIntˈin ˈATi fˈɔɹ,", "ðə sˈɛkənd tˈIm."]),
        ("It fell by 12%.", ["twˈɛlv pəɹsˈɛnt."]),
        ("1,234 people", ["wˈʌn θˈWzᵊnd tˈu hˈʌndɹəd θˈɜɹTi fˈɔɹ"]),
        ("Call 1234567890123456.", ["wˈʌn tˈu θɹˈi fˈɔɹ fˈIv sˈɪks"]),
    ],
)
def test_titles_and_numbers_are_said_as_words(phonemizer: Phonemizer, text: str, sounds: list[str]) -> None:
    phonemes = phonemizer.phonemize(text, "en-us")

    assert [sound for sound in sounds if sound not in phonemes] == []


@pytest.mark.parametrize(
    ("text", "american", "british"),
    [("bath", "bˈæθ", "bˈɑːθ"), ("tomato", "təmˈATO", "təmˈɑːtQ"), ("schedule", "skˈɛʤˌul", "ʃˈɛdjuːl")],
)
def test_british_and_american_differ(phonemizer: Phonemizer, text: str, american: str, british: str) -> None:
    assert phonemizer.phonemize(text, "en-us") == american
    assert phonemizer.phonemize(text, "en-gb") == british


def test_a_pronunciation_given_in_the_text_is_used(phonemizer: Phonemizer) -> None:
    assert phonemizer.phonemize("[Kokoro](/kˈOkəɹO/) speaks.", "en-us") == "kˈOkəɹO spˈiks."


def test_a_link_is_said_by_its_text(phonemizer: Phonemizer) -> None:
    assert phonemizer.phonemize("[Kokoro](/kˈOkəɹO/)", "en-us") != phonemizer.phonemize("here", "en-us")
    assert phonemizer.phonemize("[here](https://example.com)", "en-us") == phonemizer.phonemize("here", "en-us")


@pytest.mark.parametrize("text", ["zxqvw", "你好", "😀", "❓", "brrgtx", "\u0e2a\u0e27"])
def test_an_unknown_word_never_becomes_the_unknown_mark(phonemizer: Phonemizer, text: str) -> None:
    assert "❓" not in phonemizer.phonemize(f"It said {text} today.", "en-us")


def test_quotes_of_other_languages_are_kept_as_quotes(phonemizer: Phonemizer) -> None:
    assert phonemizer.phonemize("« no »", "en-us") == "“nˈO”"


@pytest.mark.timeout(20)
@pytest.mark.parametrize("text", ["a1" * 1000, "1" * 5000, "'" * 2000, "[a" * 1000, "-" * 5000, "1," * 1000])
def test_a_word_without_end_takes_seconds_and_not_minutes(phonemizer: Phonemizer, text: str) -> None:
    assert set(phonemizer.phonemize(text, "en-us")) <= SYMBOLS.keys()


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(alphabet=st.sampled_from("aI The19.,-$£%'’()[]/#_½٣²é你😀—…“:@^\u200b\u0301\n"), max_size=30))
def test_any_text_gives_phonemes_of_the_alphabet(phonemizer: Phonemizer, text: str) -> None:
    assert set(phonemizer.phonemize(text, "en-us")) <= SYMBOLS.keys()


@pytest.fixture(scope="module")
def without_espeak() -> Phonemizer:
    """English as it is where espeak, which is copyleft, was left out."""
    with pytest.MonkeyPatch.context() as patch:
        for module in ("primavoce.phonemes.espeak", "misaki.espeak", "phonemizer", "espeakng_loader"):
            patch.setitem(sys.modules, module, None)
        return Phonemizer(preload=["en-us"])


@pytest.mark.parametrize(
    ("text", "phonemes"),
    [
        ("zxqvw", "zˌiˌɛkskjˌuvˌidˈʌbᵊlju"),
        ("GPT-4", "ʤˌipˌitˈi fˈɔɹ"),
        ("café", "kæfˈA"),
        ("I read it yesterday.", "ˌI ɹˈɛd ɪt jˈɛstəɹdˌA."),
    ],
)
def test_unknown_words_are_spelled_without_espeak(without_espeak: Phonemizer, text: str, phonemes: str) -> None:
    assert without_espeak.phonemize(text, "en-us") == phonemes


def test_a_word_of_no_latin_letter_is_passed_over_without_espeak(without_espeak: Phonemizer) -> None:
    assert without_espeak.phonemize("It said 你好 today.", "en-us") == "ˌɪt sˈɛd tədˈA."


def test_a_sentence_that_misaki_fails_on_is_said_word_by_word_without_espeak(
    without_espeak: Phonemizer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("misaki.en.G2P.retokenize", fail)

    phonemes = without_espeak.phonemize("Hello, [world](/x/) 3.", "en-us")

    assert phonemes == "həlˈO, wˈɜɹld θɹˈi."


def test_a_number_that_misaki_fails_on_is_said_all_the_same(
    phonemizer: Phonemizer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    phonemizer.phonemize("warm", "en-us")
    monkeypatch.setattr("misaki.en.Lexicon.get_number", fail)

    phonemes = phonemizer.phonemize("I have 3 secrets.", "en-us")

    assert phonemes == "ˌI hæv θɹˈi sˈikɹəts."
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert "ValueError" in caplog.text
    assert "secrets" not in caplog.text


def test_a_sentence_that_misaki_fails_on_is_said_by_espeak(
    phonemizer: Phonemizer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    phonemizer.phonemize("warm", "en-us")
    monkeypatch.setattr("misaki.en.G2P.retokenize", fail)

    phonemes = phonemizer.phonemize("Three cats, one secret.", "en-us")

    assert phonemes == "θɹˈi kˈæts, wˈʌn sˈikɹᵻt."
    assert "secret" not in caplog.text


def test_nothing_is_printed(phonemizer: Phonemizer, capfd: pytest.CaptureFixture[str]) -> None:
    phonemizer.phonemize("warm", "en-us")
    from misaki import en

    en.print("a cry of misaki's")
    phonemizer.phonemize("-. 1.2.3 $.. 你好 zxqvw", "en-us")

    assert capfd.readouterr() == ("", "")


def test_loading_english_reaches_for_no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("socket.socket.connect", fail)
    monkeypatch.setattr("socket.getaddrinfo", fail)
    monkeypatch.setattr("spacy.cli.download", fail)

    phonemizer = Phonemizer(preload=["en-gb"])

    assert phonemizer.phonemize("no", "en-gb") == "nˈQ"


def fail(*_arguments: object, **_options: object) -> None:
    raise ValueError("a failure on purpose")


@pytest.mark.model
@pytest.mark.parametrize(
    "text", ["in the U.S.", "vitamin C.", "at 6 p.m.", "He said “A.P.I.”", "in the U.S.)", "It is."]
)
def test_a_sentence_that_ends_in_an_abbreviation_has_its_full_stop(text: str) -> None:
    assert Phonemizer().phonemize(text, "en-us").rstrip("”)").count(".") == 1


@pytest.mark.model
@pytest.mark.parametrize("text", ["in the U.S. today", "Stop!", "Well…", "no stop"])
def test_no_other_sentence_gets_one(text: str) -> None:
    assert "." not in Phonemizer().phonemize(text, "en-us")
