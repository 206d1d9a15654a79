import pytest

from primavoce.normalize.english.years import business_years, decades, eras, year_ranges, years


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("in 1982", "in nineteen eighty-two"),
        ("in 1066", "in ten sixty-six"),
        ("since 2008.", "since two thousand eight."),
        ("by 2010,", "by twenty ten,"),
        ("summer 2024", "summer twenty twenty-four"),
        ("the summer of 1500", "the summer of fifteen hundred"),
        ("(1984)", "(nineteen eighty-four)"),
        ("2020 was odd", "twenty twenty was odd"),
        ("the 2016 Olympics", "the twenty sixteen Olympics"),
        ("the 2008 crisis", "the two thousand eight crisis"),
        ("from 2010 to 2020 sales", "from twenty ten to twenty twenty sales"),
        ("mid-2008", "mid-two thousand eight"),
        ("in 1990, 1994 and 1998", "in nineteen ninety, nineteen ninety-four and nineteen ninety-eight"),
    ],
)
def test_a_number_in_the_place_of_a_year_is_read_as_one(read, written: str, said: str) -> None:
    assert read(written, years) == said


@pytest.mark.parametrize(
    "written",
    [
        "1500 people",
        "2000 rows",
        "In 1500 different places",
        "costs 1999 yen",
        "about 2000",
        "more than 2000",
        "a total of 1999",
        "page 1984",
        "line 2010",
        "a 2000-page book",
        "1999 km",
        "2000 MB",
        "2000%",
        "$2000",
        "1,982",
        "1982.5",
        "12:1982",
        "x = 1999",
        "2048",
        "the total was 2001",
        "sold 2001 copies",
        "A2024",
    ],
)
def test_a_count_a_label_and_a_size_are_no_years(read, written: str) -> None:
    assert read(written, years) == written


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("1990–95", "nineteen ninety to ninety-five"),
        ("2001-05", "two thousand one to oh five"),
        ("1990-1995", "nineteen ninety to nineteen ninety-five"),
        ("2023/24", "twenty twenty-three to twenty-four"),
        ("2024-05", "May twenty twenty-four"),
    ],
)
def test_a_span_of_years_is_read_with_both_ends(read, written: str, said: str) -> None:
    assert read(written, year_ranges) == said


@pytest.mark.parametrize(
    "written", ["1500–2000 people", "2024/7", "1990-80", "page 1200-1300", "1990–95%", "2024-05-03"]
)
def test_a_span_of_something_else_is_left(read, written: str) -> None:
    assert read(written, year_ranges) == written


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("the 1990s", "the nineteen nineties"),
        ("the 1800s", "the eighteen hundreds"),
        ("the 2010s", "the twenty tens"),
        ("the '80s", "the eighties"),
        ("the ’60s", "the sixties"),
        ("in her 30s", "in her thirties"),
        ("early 90s", "early nineties"),
        ("in '05", "in oh five"),
    ],
)
def test_decades_and_short_years_are_read_as_words(read, written: str, said: str) -> None:
    assert read(written, decades) == said


@pytest.mark.parametrize("written", ["wait 90s", "$80s", "it's '12'", "25s", "5'10"])
def test_seconds_and_quoted_figures_are_no_decades(read, written: str) -> None:
    assert read(written, decades) == written


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("300 BC", "three hundred BC"),
        ("44 B.C. ended", "forty-four BC ended"),
        ("in 44 B.C.", "in forty-four BC."),
        ("AD 79", "AD seventy-nine"),
        ("10,000 BCE", "ten thousand BCE"),
        ("1066 AD", "ten sixty-six AD"),
    ],
)
def test_an_era_makes_any_number_a_year(read, written: str, said: str) -> None:
    assert read(written, eras) == said


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("FY2024", "fiscal year twenty twenty-four"),
        ("FY24-25", "fiscal year twenty twenty-four to twenty-five"),
        ("Q3 2024", "Q three twenty twenty-four"),
        ("Q4'23", "Q four twenty twenty-three"),
        ("H1", "H one"),
        ("H3", "H3"),
        ("Q5", "Q5"),
    ],
)
def test_business_years_and_their_parts_are_read(read, written: str, said: str) -> None:
    assert read(written, business_years) == said
