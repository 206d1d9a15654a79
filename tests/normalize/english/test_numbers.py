import pytest

from primavoce.normalize.english.fractions import fractions
from primavoce.normalize.english.hours import hours
from primavoce.normalize.english.magnitudes import magnitudes
from primavoce.normalize.english.ordinals import ordinals
from primavoce.normalize.english.ranges import ranges
from primavoce.normalize.english.references import references
from primavoce.normalize.english.scores import scores


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("1/2", "one half"),
        ("3/4", "three quarters"),
        ("2/3", "two thirds"),
        ("2 1/2", "two and a half"),
        ("2-1/2", "two and a half"),
        ("1 1/8", "one and an eighth"),
        ("1½", "one and a half"),
        ("⅞", "seven eighths"),
        ("½ km", "half a kilometer"),
        ("3/4 lb.", "three quarters of a pound."),
        ("1½ ft. long", "one and a half feet long"),
        ("9/10 of us", "nine tenths of us"),
        ("9/10", "nine out of ten"),
        ("4/5 stars", "four out of five stars"),
        ("22/7", "twenty-two over seven"),
        ("24/7", "twenty-four seven"),
        ("50/50", "fifty-fifty"),
        ("1/5th", "one fifth"),
    ],
)
def test_fractions_and_parts_are_read(read, written: str, said: str) -> None:
    assert read(written, fractions) == said


@pytest.mark.parametrize(
    "written", ["and/or", "km/h", "1/2/3", "05/03", "3/0", "0/5", "a/2", "$1/2", "1/2.5", "192.168.0.0/24", "1/2x"]
)
def test_what_is_no_fraction_is_left(read, written: str) -> None:
    assert read(written, fractions) == written


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("7 a.m. sharp", "seven a.m. sharp"),
        ("at 6pm", "at six p.m."),
        ("at 6pm.", "at six PM."),
        ("at 6 p.m.", "at six PM."),
        ("12 AM", "twelve a.m."),
        ("7:30 pm", "7:30 pm"),
        ("13 pm", "13 pm"),
        ("I am 7. PM me", "I am 7. PM me"),
        ("6 am I", "six a.m. I"),
    ],
)
def test_whole_hours_are_read_and_others_left_to_the_clock(read, written: str, said: str) -> None:
    assert read(written, hours) == said


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("5–10", "5 to 10"),
        ("5-10", "5 to 10"),
        ("5 – 10", "5 to 10"),
        ("1,000-2,000", "1,000 to 2,000"),
        ("$5-10", "5 to $10"),
        ("$5–$10", "5 to $10"),
        ("$5k–$10k", "5k to $10k"),
        ("10%-20%", "10% to 20%"),
        ("5km-10km", "5km to 10km"),
        ("9am–5pm", "9am to 5pm"),
        ("7:30-9:00 pm", "7:30 to 9:00 pm"),
        ("1st–3rd", "1st to 3rd"),
        ("5-10-minute", "5 to 10-minute"),
        ("A–Z", "A-to-Z"),
    ],
)
def test_a_range_has_a_word_between_its_open_ends(read, written: str, said: str) -> None:
    assert read(written, ranges) == said


@pytest.mark.parametrize(
    "written",
    [
        "5 - 10",
        "-5",
        "London–Paris",
        "1-2-3",
        "covid-19",
        "T-shirt",
        "$5-€10",
        "5km-10mi",
        "3-D",
        "GPT-4-5",
        "A-B",
        "5-year",
    ],
)
def test_a_minus_a_code_and_a_pair_are_no_ranges(read, written: str) -> None:
    assert read(written, ranges) == written


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("16:9", "sixteen to nine"),
        ("3:1", "three to one"),
        ("1:100", "one to one hundred"),
        ("a ratio of 16:10", "a ratio of sixteen to ten"),
        ("a 21:10 display", "a twenty-one to ten display"),
        ("2-2", "two two"),
        ("16:10", "16:10"),
        ("at 7:30", "at 7:30"),
        ("12:30:15", "12:30:15"),
        ("ran it in 25:30", "ran it in twenty-five thirty"),
        ("a:1", "a:1"),
    ],
)
def test_ratios_are_told_from_times(read, written: str, said: str) -> None:
    assert read(written, scores) == said


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("pp. 12", "pages 12"),
        ("p. 3", "page 3"),
        ("No. 7", "Number 7"),
        ("nos. 3", "numbers 3"),
        ("vol. II", "volume II"),
        ("Fig. 3", "Figure 3"),
        ("§ 4.2", "section four point two"),
        ("§§3–5", "sections 3–5"),
        ("section 4.10", "section four point ten"),
        ("Table 2.1", "Table two point one"),
        ("I said no.", "I said no."),
        ("No. I won't", "No. I won't"),
        ("4.2 sections", "4.2 sections"),
    ],
)
def test_references_are_written_out(read, written: str, said: str) -> None:
    assert read(written, references) == said


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("10k users", "10 thousand users"),
        ("2.5M downloads", "2.5 million downloads"),
        ("7B parameters", "7 billion parameters"),
        ("5 to 10k", "5 to 10 thousand"),
        ("4K", "4 K"),
        ("he ran 10k.", "he ran 10 K."),
        ("1080p", "ten eighty P"),
        ("720p60", "seven twenty P sixty"),
        ("3x faster", "3 times faster"),
        ("10x", "10 X"),
        ("50+ people", "50 plus people"),
        ("$10k", "$10k"),
        ("Room 2B is", "Room 2B is"),
        ("5m", "5m"),
        ("10km", "10km"),
        ("0x10", "0x10"),
    ],
)
def test_sizes_cut_short_are_written_out(read, written: str, said: str) -> None:
    assert read(written, magnitudes) == said


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("1st", "first"),
        ("22ND", "twenty-second"),
        ("1,000th", "one thousandth"),
        ("112th", "one hundred twelfth"),
        ("1stly", "1stly"),
        ("x1st", "x1st"),
        ("5 th", "5 th"),
    ],
)
def test_ordinals_are_read(read, written: str, said: str) -> None:
    assert read(written, ordinals) == said
