import logging
import time

import pytest

from primavoce.normalize import normalize


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("~5 persone", "circa cinque persone"),
        (">5 persone", "più di cinque persone"),
        ("x >= 5", "x maggiore o uguale a cinque"),
        ("3 + 4 = 7", "tre più quattro uguale sette"),
        ("2 × 5", "due per cinque"),
        ("10 − 4", "dieci meno quattro"),
        ("x²", "x al quadrato"),
        ("A → B", "A, B"),
        ("R&D", "R e D"),
        ("#1", "numero uno"),
        ("C++", "C più più"),
        ("rosso/verde/blu", "rosso, verde, blu"),
        ("§ 5", "paragrafo cinque"),
        ("5 cm x 3 cm", "cinque centimetri per tre centimetri"),
    ],
)
def test_a_symbol_is_read_by_its_name(written: str, read: str) -> None:
    assert normalize(f"Ecco {written}.", "it").text == f"Ecco {read}."


@pytest.mark.parametrize(
    ("written", "read"), [("５ｋｍ", "cinque chilometri"), ("ﬁne", "fine"), ("so\u00adle", "sole")]
)
def test_ornamental_and_invisible_forms_are_plain_text(written: str, read: str) -> None:
    assert normalize(written, "it").text == read


@pytest.mark.parametrize("symbol", ["█", "╬", "\uf8ff", "☂", "®", "™"])
def test_what_nobody_can_read_is_dropped_with_a_reason(symbol: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)

    read = normalize(f"prima {symbol} dopo", "it").text

    if symbol != "®":
        assert read == "prima dopo"
        assert "not read" in caplog.text
    assert symbol not in read


def test_letters_of_other_scripts_are_left() -> None:
    assert normalize("la parola дом", "it").text == "la parola дом"


@pytest.mark.parametrize("language", ["en-us", "it", "hi"])
@pytest.mark.parametrize(
    "unit", ["→", "+", "<", "(", "[", "*", "$", "=", "~", "a/", "²", "- ", "\ue000", "|", "°", "½"]
)
def test_hostile_repeats_take_no_longer_than_their_length(unit: str, language: str) -> None:
    text = (unit * 40_000)[:10_000]
    started = time.process_time()

    normalize(text, language)

    assert time.process_time() - started < 8
