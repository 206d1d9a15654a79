import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primavoce.normalize import normalize, numbers
from primavoce.normalize.languages import tongue_for
from primavoce.normalize.numbers import Figure


@pytest.mark.parametrize(
    ("language", "written", "figure"),
    [
        ("it", "1.250", Figure("1250")),
        ("it", "1.250,50", Figure("1250", "50")),
        ("it", "1 250", Figure("1250")),
        ("it", "3,5", Figure("3", "5")),
        ("it", "3.5", Figure("3", "5", foreign=True)),
        ("it", "0.500", Figure("0", "500", foreign=True)),
        ("en-us", "1,250.50", Figure("1250", "50")),
        ("en-us", "3.500", Figure("3", "500")),
        ("en-us", "1.250.000", Figure("1250000")),
        ("hi", "1,00,000", Figure("100000")),
        ("hi", "५०", Figure("50")),
        ("it", "1.2.3", None),
        ("en-us", "3,4,5", None),
    ],
)
def test_marks_between_digits_mean_what_they_mean_in_the_language(
    language: str, written: str, figure: Figure | None
) -> None:
    assert numbers.read(written, tongue_for(language)) == figure


@pytest.mark.parametrize(
    ("language", "written", "read"),
    [
        ("en-us", "1,250", "one thousand two hundred fifty"),
        ("en-gb", "1,250", "one thousand two hundred and fifty"),
        ("en-us", "3.5", "three point five"),
        ("en-us", "-5", "minus five"),
        ("it", "1.250", "milleduecentocinquanta"),
        ("it", "3,5", "tre virgola cinque"),
        ("it", "3,14", "tre virgola quattordici"),
        ("it", "3,05", "tre virgola zero cinque"),
        ("it", "Python 3.12", "Pàiton tre punto dodici"),
        ("it", "3.5.1", "tre punto cinque punto uno"),
        ("it", "123", "centoventitré"),
        ("it", "-5", "meno cinque"),
        ("it", "007", "zero zero sette"),
        ("it", "4839201", "quattro otto tre nove due zero uno"),
        ("it", "2000000", "due milioni"),
        ("it", "24/7", "ventiquattro ore su ventiquattro, sette giorni su sette"),
        ("it", "GPT-4", "GPT quattro"),
        ("it", "9/10", "nove su dieci"),
        ("it", "3/4", "tre quarti"),
        ("es", "31.000", "treinta y un mil"),
        ("es", "3,5", "tres coma cinco"),
        ("fr", "1 250", "mille deux cent cinquante"),
        ("fr", "3,14", "trois virgule quatorze"),
        ("pt-br", "1984", "mil novecentos e oitenta e quatro"),
        ("hi", "5-10", "5 से 10"),
        ("hi", "-5", "माइनस 5"),
        ("ja", "1,250", "1250"),
        ("zh", "5-10", "5到10"),
    ],
)
def test_a_number_is_read_in_the_languages_words(language: str, written: str, read: str) -> None:
    assert normalize(written, language).text == read


@given(st.integers(min_value=0, max_value=10**15 - 1))
def test_no_digit_is_left_in_an_italian_cardinal(value: int) -> None:
    words = numbers.cardinal(value, tongue_for("it"))

    assert words
    assert not any(char.isdigit() for char in words)


@pytest.mark.parametrize("language", ["en-us", "it", "fr", "hi"])
@pytest.mark.parametrize(
    "unit", ["1", "1,", "1.", "1 ", "1:", "1-", "111 ", "1 111 ", "12 34 ", "0", "1'", "٣", "1/", "1€", "$1,"]
)
def test_hostile_repeats_take_no_longer_than_their_length(unit: str, language: str) -> None:
    text = (unit * 40_000)[:10_000]
    started = time.process_time()

    normalize(text, language)

    assert time.process_time() - started < 8
