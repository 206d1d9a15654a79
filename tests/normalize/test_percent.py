import pytest

from primavoce.normalize import normalize


@pytest.mark.parametrize(
    ("language", "written", "read"),
    [
        ("en-us", "5%", "five percent"),
        ("en-us", "3.5 %", "three point five percent"),
        ("en-us", "5-10%", "five to ten percent"),
        ("en-us", "−3 %", "minus three percent"),
        ("en-us", "2‰", "two per mille"),
        ("it", "5%", "cinque per cento"),
        ("it", "1,25%", "uno virgola venticinque per cento"),
        ("it", "+15%", "più quindici per cento"),
        ("it", "tra 5-10%", "tra cinque e dieci per cento"),
        ("fr", "3 %", "trois pour cent"),
        ("es", "25 %", "veinticinco por ciento"),
        ("pt-br", "15%", "quinze por cento"),
        ("hi", "15%", "15 प्रतिशत"),
        ("ja", "5%", "5パーセント"),
        ("zh", "5%", "百分之5"),
        ("zh", "-5%", "负百分之5"),
    ],
)
def test_a_percentage_is_read_in_the_languages_words(language: str, written: str, read: str) -> None:
    assert normalize(written, language).text == read


def test_a_percent_sign_by_itself_has_its_name() -> None:
    assert normalize("il % di grassi", "it").text == "il per cento di grassi"
