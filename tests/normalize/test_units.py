import pytest

from primavoce.normalize import normalize


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("5km", "five kilometers"),
        ("1 km", "one kilometer"),
        ("20 kg", "twenty kilograms"),
        ("3.5 m²", "three point five square meters"),
        ("100 km/h", "one hundred kilometers per hour"),
        ("16 GB", "sixteen gigabytes"),
        ("250 ms", "two hundred fifty milliseconds"),
        ("100 Mbps", "one hundred megabits per second"),
        ("5 ft 3 in", "five feet three inches"),
        ("5'3\"", "five feet three inches"),
        ("3×4 m", "three by four meters"),
        ("20°C", "twenty degrees Celsius"),
        ("−5 °F", "minus five degrees Fahrenheit"),
        ("5°", "five degrees"),
        ("5–10 km", "five to ten kilometers"),
    ],
)
def test_a_measure_is_read_with_its_units_name(written: str, read: str) -> None:
    assert normalize(f"about {written}, roughly", "en-us").text == f"about {read}, roughly"


@pytest.mark.parametrize(
    ("language", "written", "read"),
    [
        ("it", "1 h", "un'ora"),
        ("it", "1 t", "una tonnellata"),
        ("it", "3,5 m²", "tre virgola cinque metri quadrati"),
        ("it", "50 mq", "cinquanta metri quadrati"),
        ("it", "100 km/h", "cento chilometri orari"),
        ("it", "1.000.000 km", "un milione di chilometri"),
        ("it", "100 Mbps", "cento megabit al secondo"),
        ("it", "per 20-25 min.", "per venti venticinque minuti."),
        ("it", "½ kg", "mezzo chilogrammo"),
        ("it", "3/4 l", "tre quarti di litro"),
        ("it", "180 °C", "centottanta gradi"),
        ("es", "200 t", "doscientas toneladas"),
        ("es", "21 °C", "veintiún grados"),
        ("fr", "16 Go", "seize gigaoctets"),
        ("fr", "1,5 km", "un virgule cinq kilomètre"),
        ("pt-br", "2 t", "duas toneladas"),
        ("hi", "25°C", "25 डिग्री सेल्सियस"),
        ("ja", "100km/h", "時速100キロメートル"),
        ("zh", "100km/h", "每小时100公里"),
    ],
)
def test_each_language_names_units_its_own_way(language: str, written: str, read: str) -> None:
    assert normalize(written, language).text == read


@pytest.mark.parametrize("text", ["I am in a lab", "us and them", "t is a letter"])
def test_an_abbreviation_without_a_figure_is_a_word(text: str) -> None:
    assert normalize(text, "en-us").text == text
