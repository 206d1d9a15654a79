import pytest

from primavoce.phonemes.words import Given, Sound
from primavoce.phonemes.written import Written


def test_an_edit_stands_for_what_it_replaced() -> None:
    edited = Written.unchanged("ab 12% c").edited([(0, 1, ""), (3, 6, "twelve percent")])

    assert edited.text == "b twelve percent c"
    assert edited.origin(2, 8) == (3, 6)
    assert edited.origin(9, 16) == (3, 6)
    assert edited.origin(0, 1) == (1, 2)
    assert edited.origin(17, 18) == (7, 8)


def test_edits_of_edits_lead_back_to_the_first_text() -> None:
    twice = Written.unchanged("a  bcd").edited([(1, 3, " ")]).edited([(0, 1, "xy"), (3, 3, "-")])

    assert twice.text == "xy b-cd"
    assert twice.origin(0, 2) == (0, 1)
    assert twice.origin(3, 6) == (3, 5)


@pytest.mark.parametrize(("start", "end", "stretch"), [(0, 1, "a"), (3, 5, "b-c"), (0, 6, "a b-cd"), (5, 6, "d")])
def test_a_stretch_is_found_in_the_edited_text(start: int, end: int, stretch: str) -> None:
    edited = Written.unchanged("a  bcd").edited([(1, 3, " ")]).edited([(3, 3, "-")])

    (found,) = edited.carried([Given(start, end, "x")])

    assert edited.text[found.start : found.end].strip("-") == stretch
    assert edited.origin(found.start, found.end) == (start, end)


def test_sounds_are_taken_back_to_what_was_written() -> None:
    edited = Written.unchanged("a  bc").edited([(1, 3, " ")])

    assert edited.origins([Sound("x", 2, 4), Sound(" ", 2, 2)]) == [Sound("x", 3, 5), Sound(" ", 3, 3)]
