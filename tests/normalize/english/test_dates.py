import pytest

from primavoce.normalize.english.dates import date_times, dates, days, months


@pytest.mark.parametrize(
    ("written", "american", "british"),
    [
        ("3/5/2024", "March fifth, twenty twenty-four", "the third of May, twenty twenty-four"),
        ("03/05/24", "March fifth, twenty twenty-four", "the third of May, twenty twenty-four"),
        ("12/25", "December twenty-fifth", "the twenty-fifth of December"),
        ("05/03", "May third", "the fifth of March"),
        ("25/12/2024", "December twenty-fifth, twenty twenty-four", "the twenty-fifth of December, twenty twenty-four"),
        ("12/25/2024", "December twenty-fifth, twenty twenty-four", "the twenty-fifth of December, twenty twenty-four"),
        ("2024-05-03", "May third, twenty twenty-four", "the third of May, twenty twenty-four"),
        ("3.5.2024", "May third, twenty twenty-four", "the third of May, twenty twenty-four"),
    ],
)
def test_a_date_in_figures_is_read_in_the_order_of_the_country(read, written: str, american: str, british: str) -> None:
    assert read(written, dates) == american
    assert read(written, dates, tag="en-gb") == british


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("May 4", "May fourth"),
        ("May 4th, 2024", "May fourth, twenty twenty-four"),
        ("Jan. 5", "January fifth"),
        ("Dec 25 1999", "December twenty-fifth, nineteen ninety-nine"),
        ("4 May 1982", "the fourth of May, nineteen eighty-two"),
        ("the 4th of May", "the fourth of May"),
        ("March 3-5, 2024", "March third to fifth, twenty twenty-four"),
        ("May 30–June 2", "May thirtieth to June second"),
        ("on 12 Sept.", "on the twelfth of September."),
    ],
)
def test_a_date_with_its_month_is_read_in_the_order_it_has(read, written: str, said: str) -> None:
    assert read(written, dates) == said


@pytest.mark.parametrize(
    "written",
    [
        "1/2 cup",
        "9/11",
        "24/7",
        "13/13/2024",
        "3.5.24",
        "2.0.1",
        "10-2-11",
        "May I",
        "March on",
        "May 50",
        "2024-13-01",
        "10.0.0.1",
        "1/2/3/4",
        "5/6",
        "Figure 4 May",
    ],
)
def test_what_only_looks_like_a_date_is_left(read, written: str) -> None:
    assert read(written, dates) == written


def test_fractions_are_dates_after_a_word_that_leads_to_one(read) -> None:
    assert read("due 3/5", dates) == "due March fifth"
    assert read("on 3/5 of them", dates) == "on 3/5 of them"


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("2024-05-03T14:45Z", "2024-05-03 at 14:45 UTC"),
        ("2024-05-03T14:45:00+02:00", "2024-05-03 at 14:45 UTC plus 2"),
        ("2024-05-03t09:30:15-0530", "2024-05-03 at 09:30 and 15 seconds UTC minus 5 hours 30"),
        ("2024-05-03T14:45:30.250Z", "2024-05-03 at 14:45 and 30.250 seconds UTC"),
    ],
)
def test_the_time_of_a_date_is_left_to_the_clock_and_nothing_is_lost(read, written: str, said: str) -> None:
    assert read(written, date_times) == said


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("Mon., 5", "Monday, 5"),
        ("Mon–Fri", "Monday to Friday"),
        ("Sat/Sun", "Saturday or Sunday"),
        ("on Tues. we", "on Tuesday we"),
        ("by Thurs.", "by Thursday."),
        ("on Sun.", "on Sunday."),
        ("The sun sat", "The sun sat"),
        ("The Sun.", "The Sun."),
        ("Sun Microsystems", "Sun Microsystems"),
        ("Wed", "Wed"),
    ],
)
def test_days_are_written_out_unless_they_may_be_words(read, written: str, said: str) -> None:
    assert read(written, days) == said


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("May 2024", "May twenty twenty-four"),
        ("Jan-Mar 2024", "January to March twenty twenty-four"),
        ("Sept. was", "September was"),
        ("in Sept.", "in September."),
        ("Oct–Dec", "October to December"),
        ("Mar.", "Mar."),
        ("May 2024-05", "May 2024-05"),
    ],
)
def test_months_are_written_out(read, written: str, said: str) -> None:
    assert read(written, months) == said
