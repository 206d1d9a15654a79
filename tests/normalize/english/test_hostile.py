import time

import pytest

from primavoce.normalize.draft import HELD, Draft
from primavoce.normalize.english import RULES
from primavoce.normalize.languages.en import TONGUE

REPEATS = [
    "1",
    "1,",
    "1.",
    "1:",
    "1/",
    "1-",
    "1–",
    "1 - ",
    "1,111,",
    "(555) ",
    "+1 (",
    "555-01",
    "4242 ",
    "a.",
    "A.",
    "A1",
    "A-",
    "IVX",
    "Chapter I, ",
    "MCM",
    "Henry ",
    "Main St. ",
    "Dr. ",
    "etc. ",
    "etc.)",
    "etc. )",
    "No. ",
    "§",
    "May ",
    "May 4, ",
    "4 May ",
    "Mon-",
    "Jan.-",
    "2024-",
    "2024-05-03T",
    "1990–",
    "in 2000 ",
    "(2024",
    "’90s",
    "FY24-",
    "Q3 ",
    "300 BC",
    "1/2 ",
    "1½ ",
    "1 1/2",
    "$5-",
    "5%-",
    "5km-",
    "9am-",
    "10k ",
    "3x3x",
    "1 × ",
    "x^",
    "x² ",
    "10^",
    "1e-",
    "<=",
    ">= ",
    "= ",
    "((((",
    "[[[[",
    "****",
    "$$$$",
    "    ",
    "\u00a0",
    ".",
    "-",
    '"',
    "v1.",
    "1.0.0-rc.",
    "Python 3.",
    "C++",
    "JSON/",
    "AA/",
    "CO₂",
    "w/",
    "1st-",
    "room ",
    "order number ",
    "GPT-4-",
    "A, ",
    "A or ",
    "a = ",
    "H2",
    "C6H12(",
    "0x1",
    "5h ",
    "1h1",
    "12' x ",
    '2"x',
    '1" ',
    "40°42'",
    "221B Baker ",
    "40 W 23rd ",
    "P.O. Box ",
    "5(a)(",
    "§ 1983",
    "John 3:16-",
    "UTC+",
    "350F/",
    "1:23.",
    "3.5/5",
    ".5",
    "!a ",
    "$a",
    "n:a",
    " -ab",
    "ab12-",
    "1a2b3c4",
    "No. 21-1234 ",
    "a $5 ",
    "sin(",
    "P(A|",
    "x**",
    "mol⁻¹",
    "CA 9",
    HELD,
    f"{HELD}-",
    f"{HELD} ",
]


@pytest.mark.parametrize("repeat", REPEATS)
def test_no_rule_takes_more_than_linear_time(repeat: str) -> None:
    text = (repeat * 4_000)[:4_000]

    assert slowest(text) < (1.0, "")


@pytest.mark.parametrize("repeat", ["1,", "a.", "1:1:", "((((", "$$$$", "1/2 "])
def test_a_text_as_long_as_can_be_takes_seconds_at_most(repeat: str) -> None:
    """Half a second on a quiet machine; what takes the square of the length would take minutes."""
    text = (repeat * 40_000)[:40_000] + "!"

    assert slowest(text) < (5.0, "")


def slowest(text: str) -> tuple[float, str]:
    """Return the most seconds that a rule needs for ``text``, and which it is; `HELD` stands for something settled."""
    return max((seconds(rule, text), rule.__name__) for rule in RULES)


def seconds(rule, text: str) -> float:
    draft = Draft(text)
    draft.settle_spans([(at, at + 1, "y") for at, char in enumerate(text) if char == HELD])
    start = time.process_time()
    rule(draft, TONGUE)
    return time.process_time() - start
