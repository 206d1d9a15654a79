import time

import pytest

from primavoce.normalize.draft import HELD, Draft
from primavoce.normalize.english import RULES
from primavoce.normalize.languages.en import TONGUE

LENGTH = 40_000

REPEATS = [
    "1", "1,", "1.", "1:", "1/", "1-", "1 ", "1–", "1 - ", "1,111,", "0", "12-", "(555) ", "+1", "+1 (", "555-01", "4242 ",
    "a", "a.", "a/", "A", "A.", "A ", "Aa ", "A1", "A-", "IVX", "I ", "I, ", "Chapter I, ", "M", "MCM", "Henry ", "St. ",
    "Main St. ", "Dr. ", "e.g. ", "etc. ", "etc.)", "etc. )", "No. ", "§", "p. ", "May ", "May 4, ", "4 May ", "Mon-", "Mon. ",
    "Jan.-", "2024-", "2024-05-", "2024-05-03T", "1990–", "1990 to ", "in 2000 ", "(2024", "'9", "’90s", "FY24-", "Q3 ", "300 BC",
    "1/2 ", "½", "1½ ", "1 1/2", "$5-", "$1,000", "5%-", "5km-", "9am-", "9 a.m. ", "10k ", "1x", "3x3x", "1 × ", "1+", "+ ",
    "x^", "^2", "²", "x² ", "10^", "1e1", "1e-", "<", "<=", ">= ", "= ", "a = ", "a < ", "±", "√", "(", "((((", "[[[[", "****",
    "$$$$", "####", "____", "    ", "\u00a0", "\n", ".", "…", "-", "–", "'", "’", '"', "&", "@", "v1.", "v", "1.0.0-rc.", "+b.", "Python ",
    "Python 3.", "C++", "JSON", "JSON/", "AA/", "CO₂", "₂", "f(x)", "5!", "w/", "min. ", "1st-", "room ", "order # ", "order number ",
    "GPT-4-", "CA 9", "Super Bowl ", "type I ", "US ", "PLEASE", HELD, f"{HELD}-", f"{HELD} ",
]  # fmt: skip


@pytest.mark.parametrize("repeat", REPEATS)
def test_every_rule_reads_hostile_text_in_linear_time(repeat: str) -> None:
    text = (repeat * LENGTH)[:LENGTH]

    slowest = max((seconds(rule, text), rule.__name__) for rule in RULES)

    assert slowest[0] < 1.0, slowest[1]


@pytest.mark.parametrize("repeat", ["1,", "a.", "1:1:", "((((", "1-", "$$$$", "A1", "May 4, ", "1/2 ", "etc. "])
def test_a_mark_at_the_end_makes_no_hostile_text_slower(repeat: str) -> None:
    text = (repeat * LENGTH)[:LENGTH] + "!"

    assert max(seconds(rule, text) for rule in RULES) < 1.0


def seconds(rule, text: str) -> float:
    draft = Draft(text.replace(HELD, "x"))
    draft.settle_spans([(at, at + 1, "y") for at, char in enumerate(text) if char == HELD])
    start = time.process_time()
    rule(draft, TONGUE)
    return time.process_time() - start
