import pytest

from primavoce.normalize import quantities
from primavoce.normalize.languages import tongue_for
from primavoce.normalize.numbers import Figure
from primavoce.normalize.quantities import Quantity


@pytest.mark.parametrize(
    ("before", "words"),
    [
        ("", "da cinque a dieci"),
        ("in", "cinque dieci"),
        ("tra", "cinque e dieci"),
        ("da", "cinque a dieci"),
    ],
)
def test_a_range_suits_the_word_before_it(before: str, words: str) -> None:
    quantity = Quantity(Figure("5"), Figure("10"), "", before)

    assert quantities.said(quantity, "", tongue_for("it")) == words


def test_numbers_that_fall_are_a_score() -> None:
    assert quantities.said(Quantity(Figure("3"), Figure("2"), "", ""), "", tongue_for("it")) == "tre a due"


@pytest.mark.parametrize(
    ("language", "written", "expected"),
    [
        ("it", "k", (Figure("5000"), "")),
        ("it", " mln", (Figure("5"), "milioni")),
        ("en-us", "bn", (Figure("5"), "billion")),
        ("hi", " करोड़", (Figure("5"), "करोड़")),
    ],
)
def test_thousands_are_multiplied_out_and_larger_magnitudes_named(
    language: str, written: str, expected: tuple[Figure, str]
) -> None:
    assert quantities.scaled(Figure("5"), written, tongue_for(language)) == expected
