import pytest

from primavoce.normalize.english.codes import lettered, long_codes, numbered
from primavoce.normalize.english.mathematics import mathematics, powers
from primavoce.normalize.english.phones import phones
from primavoce.normalize.english.versions import versions


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("+1 (415) 555-0132", "plus one, four one five, five five five, zero one three two"),
        ("+14155550132", "plus one, four one five, five five five, zero one three two"),
        ("415-555-0132", "four one five, five five five, zero one three two"),
        ("(415) 555-0132", "four one five, five five five, zero one three two"),
        ("415.555.0132", "four one five, five five five, zero one three two"),
        ("020 7946 0958", "zero two zero, seven nine four six, zero nine five eight"),
        ("+39 06 1234 5678", "plus three nine, zero six, one two three four, five six seven eight"),
        ("555-0132 x12", "five five five, zero one three two, extension one two"),
        ("1-800-FLOWERS", "one, eight hundred, FLOWERS"),
        ("call 911", "call nine one one"),
        ("call us at 234-5678", "call us at two three four, five six seven eight"),
    ],
)
def test_phone_numbers_are_read_figure_by_figure(read, written: str, said: str) -> None:
    assert read(written, phones) == said


@pytest.mark.parametrize(
    "written",
    ["+5", "+1,000", "100-2000", "911", "a Porsche 911", "1.234.567", "2024-05-03", "12-34", "0.5", "05 06", "3 + 4"],
)
def test_other_figures_are_no_phone_numbers(read, written: str) -> None:
    assert read(written, phones) == written


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("4242 4242 4242 4242", "four two four two, four two four two, four two four two, four two four two"),
        ("123-45-6789", "one two three, four five, six seven eight nine"),
        ("order #48213", "order number four eight two one three"),
        ("Order number 48213", "Order number four eight two one three"),
        ("1234567890", "one two three four, five six seven eight, nine zero"),
        ("007", "zero zero seven"),
        ("CA 90210", "CA nine zero two one zero"),
        ("10-2-1", "ten, two, one"),
    ],
)
def test_long_codes_are_read_in_groups(read, written: str, said: str) -> None:
    assert read(written, long_codes) == said


@pytest.mark.parametrize(
    "written", ["order 12", "order 2000 units", "123456789", "$1234567890", "1,234,567,890", "0.05", "0", "12:05"]
)
def test_numbers_are_no_codes(read, written: str) -> None:
    assert read(written, long_codes) == written


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("room 204", "room two oh four"),
        ("flight BA 2490", "flight BA twenty-four ninety"),
        ("HTTP 404", "HTTP four oh four"),
        ("error 500", "error five hundred"),
        ("ISO 8601", "ISO eighty-six oh one"),
        ("Boeing 737", "Boeing seven thirty-seven"),
        ("room 12", "room 12"),
        ("bus 200 people", "bus two hundred people"),
        ("area 200 meters", "area 200 meters"),
    ],
)
def test_rooms_flights_and_errors_are_read_in_pairs(read, written: str, said: str) -> None:
    assert read(written, numbered) == said


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("GPT-4", "GPT four"),
        ("B12", "B twelve"),
        ("A7", "A. seven"),
        ("A-380", "A. three eighty"),
        ("GPT-4o", "GPT four O"),
        ("Qwen2.5-7B", "Qwen two point five seven B"),
        ("B-12-x", "B twelve-x"),
        ("b12", "b12"),
        ("B12a", "B12a"),
        ("$B12", "$B12"),
    ],
)
def test_letters_with_a_number_are_read_and_the_letter_a_is_no_article(read, written: str, said: str) -> None:
    assert read(written, lettered) == said


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("v2.0.1", "version two point zero point one"),
        ("2.0.1", "two point zero point one"),
        ("Python 3.12", "Python three point twelve"),
        ("Python 3.11+", "Python three point eleven or later"),
        ("1.0.0-rc.1", "one point zero point zero release candidate one"),
        ("0.1.0a3", "zero point one point zero alpha three"),
        ("1.2.3+build.5", "one point two point three plus build five"),
        ("Ubuntu 22.04", "Ubuntu twenty-two point oh four"),
        ("Node 20.x", "Node twenty point X"),
        ("v2", "version two"),
        ("GPT-3.5", "GPT three point five"),
        ("2024.1.15", "twenty twenty-four point one point fifteen"),
    ],
)
def test_versions_are_read_field_by_field(read, written: str, said: str) -> None:
    assert read(written, versions) == said


@pytest.mark.parametrize("written", ["3.12", "1.5%", "3.12 km", "Python", "V8", "ipv6", "$1.2.3", "1,2,3", "Go 5"])
def test_decimals_are_no_versions(read, written: str) -> None:
    assert read(written, versions) == written


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("2 + 2 = 4", "2 plus 2 equals 4"),
        ("2+2=4", "2 plus 2 equals 4"),
        ("5-3=2", "5 minus 3 equals 2"),
        ("10 - 3", "10 minus 3"),
        ("5 × 3", "5 times 3"),
        ("5 × 3 cm", "5 by 3 cm"),
        ("1920x1080", "nineteen twenty by ten eighty"),
        ("4x6 photo", "4 by 6 photo"),
        ("10 ÷ 2", "10 divided by 2"),
        ("10 / 2", "10 divided by 2"),
        ("x < 5", "x is less than 5"),
        (">= 3", "greater than or equal to 3"),
        ("a != b", "a does not equal b"),
        ("2 * 3", "2 times 3"),
        ("2π", "2 pi"),
    ],
)
def test_signs_between_operands_are_words(read, written: str, said: str) -> None:
    assert read(written, mathematics) == said


@pytest.mark.parametrize(
    "written", ["C++", "->", "=>", "-5 °C", "a-b", "<b>", "well-known", "key=", "x-ray", "5 - people", "* item"]
)
def test_signs_without_operands_are_left(read, written: str) -> None:
    assert read(written, mathematics) == written


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("x²", "x squared"),
        ("10^6", "10 to the power of six"),
        ("2^n", "2 to the power of n"),
        ("10^{-3}", "10 to the power of minus three"),
        ("10⁻⁶", "10 to the power of minus six"),
        ("1e-6", "1 times 10 to the power of minus six"),
        ("6.02e23", "6.02 times 10 to the power of twenty-three"),
        ("3 × 10^8", "3 times 10 to the power of eight"),
        ("√2", "the square root of 2"),
        ("±5", "plus or minus 5"),
        ("f(x)", "f of x"),
        ("CO₂", "CO two"),
        ("5 m²", "5 m²"),
        ("20 km²", "20 km²"),
        ("1e6b7", "1e6b7"),
        ("f(xy)", "f(xy)"),
    ],
)
def test_powers_are_read_and_square_units_left(read, written: str, said: str) -> None:
    assert read(written, powers) == said
