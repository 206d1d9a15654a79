import pytest

from primavoce.normalize import normalize


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("$48.20", "forty-eight dollars and twenty cents"),
        ("US$5", "five dollars"),
        ("$1", "one dollar"),
        ("$0.99", "ninety-nine cents"),
        ("$1,250.50", "one thousand two hundred fifty dollars and fifty cents"),
        ("€3.5", "three euros and fifty cents"),
        ("£1.01", "one pound and one penny"),
        ("20 EUR", "twenty euros"),
        ("CHF 15", "fifteen Swiss francs"),
        ("¥500", "five hundred yen"),
        ("R$ 10", "ten reais"),
        ("$2.5 million", "two point five million dollars"),
        ("$3bn", "three billion dollars"),
        ("-$5", "minus five dollars"),
        ("$5–10", "five to ten dollars"),
        ("€3/kg", "three euros per kilogram"),
        ("$20/month", "twenty dollars per month"),
    ],
)
def test_a_price_is_read_with_its_currency(written: str, read: str) -> None:
    assert normalize(f"It is {written} now.", "en-us").text == f"It is {read} now."


@pytest.mark.parametrize(
    ("language", "written", "read"),
    [
        ("it", "3,50 €", "tre euro e cinquanta"),
        ("it", "€3.5", "tre euro e cinquanta"),
        ("it", "1 €", "un euro"),
        ("it", "£1", "una sterlina"),
        ("it", "0,99 €", "novantanove centesimi"),
        ("it", "3,05 €", "tre euro e cinque centesimi"),
        ("it", "1.250,00 €", "milleduecentocinquanta euro"),
        ("it", "1.250,50 euro", "milleduecentocinquanta virgola cinquanta euro"),
        ("it", "5k€", "cinquemila euro"),
        ("it", "3 mln di euro", "tre milioni di euro"),
        ("it", "2,5 mln di €", "due virgola cinque milioni di euro"),
        ("it", "1.000.000 €", "un milione di euro"),
        ("it", "20 €/mese", "venti euro al mese"),
        ("it", "3 €/kg", "tre euro al chilo"),
        ("it", "5-10 €", "da cinque a dieci euro"),
        ("it", "tra 5-10 €", "tra cinque e dieci euro"),
        ("it", "-5 €", "meno cinque euro"),
        ("es", "3,50 €", "tres euros con cincuenta"),
        ("es", "21 €", "veintiún euros"),
        ("es", "£200", "doscientas libras"),
        ("es", "$3bn", "tres mil millones de dólares"),
        ("fr", "3,50 €", "trois euros cinquante"),
        ("fr", "1,5 million €", "un virgule cinq million d'euros"),
        ("fr", "£1", "une livre"),
        ("pt-br", "R$ 3,50", "três reais e cinquenta centavos"),
        ("pt-br", "R$ 1", "um real"),
        ("pt-br", "£2", "duas libras"),
        ("pt-br", "R$ 2,5 milhões", "dois vírgula cinco milhões de reais"),
        ("hi", "₹1,250.50", "1250 रुपये 50 पैसे"),
        ("hi", "$5", "5 डॉलर"),
        ("ja", "$48.20", "48ドル20セント"),
        ("zh", "¥500", "500元"),
        ("zh", "$48.20", "48.2美元"),
    ],
)
def test_each_language_says_a_price_its_own_way(language: str, written: str, read: str) -> None:
    assert normalize(written, language).text == read


@pytest.mark.parametrize("text", ["the dollar is strong", "EUR is a code", "a CAD drawing"])
def test_a_currency_without_a_figure_is_left(text: str) -> None:
    assert normalize(text, "en-us").text == text
