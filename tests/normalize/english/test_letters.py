import pytest

from primavoce.normalize import normalize
from primavoce.normalize.draft import Draft
from primavoce.normalize.english.letters import lone_letters
from primavoce.normalize.labels import spelled
from primavoce.normalize.languages.en import TONGUE
from primavoce.phonemes.phonemizer import Phonemizer


@pytest.fixture(scope="module")
def phonemizer() -> Phonemizer:
    return Phonemizer()


@pytest.mark.parametrize(
    ("text", "said"), [("uk", "U.K"), ("a", "A."), ("7f", "seven F"), ("3a", "three A."), ("abc", "A.B.C"), ("x", "X")]
)
def test_letters_are_spelled_with_periods_between(text: str, said: str) -> None:
    assert spelled(text, TONGUE) == said


@pytest.mark.parametrize(
    ("written", "names"),
    [
        ("Set a_b.", "ˈA bˈi"),
        ("Choose A or B.", "ˈA ɔɹ bˈi"),
        ("If A is true, stop.", "ɪf ˈA ɪz"),
        ("Room A7.", "ˈA sˈɛvən"),
        ("example.co.uk", "kˈO dˈɑt jˌukˈA"),
        ("The letter a.", "lˈɛTəɹ ˈA"),
        ("x = a + 2", "ˈikwᵊlz ˈA plˈʌs"),
        ("Vitamin C, plan B", "sˈi, plˈæn bˈi"),
        ("Train on 8 A100s.", "ˈA wˈʌn hˈʌndɹədz"),
    ],
)
def test_a_letter_that_is_a_name_is_said_by_its_name(written: str, names: str, phonemizer: Phonemizer) -> None:
    assert names.lower() in phonemizer.phonemize(normalize(written, "en-us").text, "en-us").lower()


@pytest.mark.parametrize(
    "written",
    [
        "A man came.",
        "Once Upon A Time",
        "A tale of two cities",
        "a b-tree",
        "An A-level student",
        'He said "A man came."',
    ],
)
def test_an_article_stays_one(written: str, read) -> None:
    assert read(written, lone_letters) == written


def test_a_letter_at_the_end_of_a_sentence_has_one_period() -> None:
    draft = Draft("Seat 4a.")
    draft.settle_spans([(6, 7, "A.")])

    assert draft.spoken().text == "Seat 4 A."
