import pytest

from primavoce.normalize.english.abbreviations import abbreviations, slashes
from primavoce.normalize.english.acronyms import acronyms
from primavoce.normalize.english.measures import measures
from primavoce.normalize.english.roman import roman


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("Henry VIII", "Henry the eighth"),
        ("George V", "George the fifth"),
        ("Queen Elizabeth I was", "Queen Elizabeth the first was"),
        ("Charles I's", "Charles the first's"),
        ("Pope Leo X", "Pope Leo the tenth"),
        ("World War II", "World War two"),
        ("Chapter IV", "Chapter four"),
        ("Act V", "Act five"),
        ("Part I", "Part one"),
        ("type II", "type two"),
        ("type I diabetes", "type one diabetes"),
        ("Chapters I–IV", "Chapters one to four"),
        ("Parts I, II and III", "Parts one, two and three"),
        ("Super Bowl LVIII", "Super Bowl fifty-eight"),
        ("William Short III", "William Short the third"),
        ("play Rocky IV", "play Rocky four"),
        ("MCMXCIV", "nineteen ninety-four"),
    ],
)
def test_numerals_are_read_after_what_takes_one(read, written: str, said: str) -> None:
    assert read(written, roman) == said


@pytest.mark.parametrize(
    "written",
    [
        "I",
        "V",
        "X",
        "MIX",
        "CIVIL",
        "DC",
        "CV",
        "LCD",
        "CD",
        "Vitamin C",
        "Plan C",
        "Malcolm X",
        "the part I like",
        "Part I like",
        "With James I left",
        "Use VI",
        "Start IV fluids",
        "VI",
        "XXL",
        "level MIX",
        "IIII",
        "Chapter IIII",
        "Type C",
        "II",
    ],
)
def test_letters_by_themselves_are_no_numerals(read, written: str) -> None:
    assert read(written, roman) == written


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("e.g. tea", "for example tea"),
        ("E.g., tea", "For example, tea"),
        ("i.e. tea", "that is tea"),
        ("pens, etc.", "pens, et cetera."),
        ("pens, etc. and", "pens, et cetera and"),
        ("pens, etc. We", "pens, et cetera. We"),
        ("(pens, etc.)", "(pens, et cetera.)"),
        ("cats vs. dogs", "cats versus dogs"),
        ("cats vs dogs", "cats versus dogs"),
        ("Dr. Okafor", "Doctor Okafor"),
        ("Dr Okafor", "Doctor Okafor"),
        ("Elm Dr.", "Elm Drive."),
        ("St. John", "Saint John"),
        ("Main St.", "Main Street."),
        ("12 Main St. Springfield", "12 Main Street Springfield"),
        ("In St. Louis", "In Saint Louis"),
        ("Fifth Ave. is", "Fifth Avenue is"),
        ("Acme Inc.", "Acme Incorporated."),
        ("Acme Inc. said", "Acme Incorporated said"),
        ("Acme, Ltd. is", "Acme, Limited is"),
        ("Bob Jr. is", "Bob Junior is"),
        ("the dept. is", "the department is"),
        ("Roe v. Wade", "Roe versus Wade"),
    ],
)
def test_abbreviations_are_written_out_and_the_last_period_stays(read, written: str, said: str) -> None:
    assert read(written, abbreviations) == said


@pytest.mark.parametrize(
    "written",
    ["Mr. Hale", "co. of", "an inc. of", "the inn", "vsync", "etcd", "I asked the Dr.", "etc/hosts", "St", "max"],
)
def test_other_words_are_left(read, written: str) -> None:
    assert read(written, abbreviations) == written


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("w/o milk", "without milk"),
        ("w/ milk", "with milk"),
        ("w/milk", "with milk"),
        ("c/o Jane", "care of Jane"),
        ("and/or", "and or"),
        ("N/A", "not applicable"),
        ("a/b", "a/b"),
        ("sw/o", "sw/o"),
    ],
)
def test_words_cut_by_a_slash_are_written_out(read, written: str, said: str) -> None:
    assert read(written, slashes) == said


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("5 ft. long", "5 feet long"),
        ("5 lbs", "5 pounds"),
        ("1 lb", "1 pound"),
        ("2 hrs", "2 hours"),
        ("10-min walk", "10-minute walk"),
        ("3 in. wide", "3 inches wide"),
        ("3 in the", "3 in the"),
        ("5 mi", "5 mi"),
        ("5 ft².", "5 ft²."),
        ("lbs", "lbs"),
    ],
)
def test_units_cut_short_are_written_out_after_a_number(read, written: str, said: str) -> None:
    assert read(written, measures) == said


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("JSON", "Jason"),
        ("JSON's", "Jason's"),
        ("IPv6", "I P version six"),
        ("OAuth2", "oh auth two"),
        ("C++", "C plus plus"),
        (".NET", "dot net"),
        ("401(k)", "four oh one K"),
        ("i18n", "internationalization"),
        ("COVID-19", "Covid nineteen"),
        ("3D", "three D"),
        ("TELL US NOW", "TELL us NOW"),
        ("UNSUBSCRIBE", "unsubscribe"),
        ("TCP/IP", "TCP IP"),
    ],
)
def test_acronyms_that_would_be_said_wrongly_are_written_as_they_sound(read, written: str, said: str) -> None:
    assert read(written, acronyms) == said


@pytest.mark.parametrize(
    "written",
    [
        "API",
        "APIs",
        "CEO's",
        "NASA",
        "the US is",
        "US",
        "IT",
        "iOS",
        "PhD",
        "DO NOT",
        "JSONPath",
        "LGBTQIA",
        "MCMXCIV",
        "HTTPS",
    ],
)
def test_acronyms_that_are_said_rightly_are_left(read, written: str) -> None:
    assert read(written, acronyms) == written
