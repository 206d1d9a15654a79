import pytest

from primavoce.normalize import normalize


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("14:45", "fourteen forty-five"),
        ("9:05", "nine oh five"),
        ("9:00", "nine o'clock"),
        ("14:00", "fourteen hundred"),
        ("00:00", "midnight"),
        ("7:30 pm", "seven thirty p.m."),
        ("7:30 p.m.", "seven thirty p.m."),
        ("1:02:03", "one hour, two minutes, three seconds"),
    ],
)
def test_a_time_of_day_is_read_as_people_say_it(written: str, read: str) -> None:
    assert normalize(f"by {written} today", "en-us").text == f"by {read} today"


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("alle 14:45", "alle quattordici e quarantacinque"),
        ("alle 9:05", "alle nove e cinque"),
        ("ore 9:00", "ore nove"),
        ("alle 14.30", "alle quattordici e trenta"),
        ("ore 14.30", "ore quattordici e trenta"),
        ("Alle 1:30", "All'una e trenta"),
        ("alle 00:00", "a mezzanotte"),
        ("dalle 9:00 alle 18:30", "dalle nove alle diciotto e trenta"),
        ("9:00-13:00", "dalle nove alle tredici"),
        ("il treno 14:45", "il treno quattordici e quarantacinque"),
    ],
)
def test_an_italian_time_agrees_with_the_word_before_it(written: str, read: str) -> None:
    assert normalize(written, "it").text == read


def test_what_only_looks_like_an_italian_time_is_a_number() -> None:
    assert normalize("versione 14.30", "it").text == "versione quattordici punto trenta"


@pytest.mark.parametrize(
    ("language", "written", "read"),
    [
        ("es", "a las 14:45", "a las catorce y cuarenta y cinco"),
        ("es", "a la 1:30", "a la una y treinta"),
        ("es", "las 21:00", "las veintiuna"),
        ("fr", "à 14h30", "à quatorze heures trente"),
        ("fr", "21h", "vingt et une heures"),
        ("fr", "1h", "une heure"),
        ("pt-br", "às 14:45", "às catorze e quarenta e cinco"),
        ("pt-br", "às 14h", "às catorze horas"),
        ("hi", "14:45", "14 बजकर 45 मिनट"),
        ("hi", "9:30 बजे", "साढ़े 9 बजे"),
        ("ja", "14:45", "14時45分"),
        ("zh", "9:05", "9点零5分"),
    ],
)
def test_each_language_says_the_time_its_own_way(language: str, written: str, read: str) -> None:
    assert normalize(written, language).text == read


@pytest.mark.parametrize(
    ("language", "written", "read"),
    [
        ("en-us", "Meet at 14:45: bring it.", "Meet at fourteen forty-five: bring it."),
        ("it", "Alle 14:45: art. 5", "Alle quattordici e quarantacinque: articolo cinque"),
        ("en-us", "Now 14:45:", "Now fourteen forty-five:"),
    ],
)
def test_a_time_before_a_colon_is_a_time(language: str, written: str, read: str) -> None:
    assert normalize(written, language).text == read
