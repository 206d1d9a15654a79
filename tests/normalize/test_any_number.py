"""No number, however long or odd, makes a rule fail; in any language."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from primavoce.languages import LANGUAGES
from primavoce.normalize import normalize

figures = st.one_of(
    st.from_regex(r"[0-9]{1,40}([.,][0-9]{1,6})?", fullmatch=True),
    st.sampled_from(["1.0", "1,0", "2.00", "10.0", "0", "000", "9" * 35, "1" * 5000, "1." * 50 + "1", "٣٫٥", "１２"]),
)
around = st.sampled_from(
    [
        "{}",
        "{} km",
        "${}",
        "{} €",
        "{}%",
        "-{}",
        "v{}",
        "{}:{}",
        "{}-{}",
        "{}/{}",
        "{}°C",
        "n. {}",
        "{}.",
        "{}th",
        "{}e",
    ]
)


@settings(max_examples=300)
@given(st.sampled_from(sorted(LANGUAGES)), around, figures)
def test_a_number_is_read_in_every_language(language: str, form: str, figure: str) -> None:
    assert normalize(form.replace("{}", figure), language).text


@pytest.mark.parametrize("language", sorted(LANGUAGES))
@pytest.mark.parametrize(
    "written", ["2.0", "1,0 km", "3.0%", "1,00 €", "$" + "9" * 35, "9" * 100 + " km", "$" + "1" * 5000 + ".50"]
)
def test_zeros_after_the_point_and_endless_numbers_are_read(language: str, written: str) -> None:
    assert normalize(written, language).text
