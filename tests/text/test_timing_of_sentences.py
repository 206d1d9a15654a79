"""How long a sentence that is complete is kept: characters past its end, and what a pause releases."""

from statistics import median

import pytest

from primavoce.text import SentenceStream

PROSE = (
    "The ferry leaves at nine from the old pier. It takes forty minutes if the sea is calm, but bring a coat anyway! "
    "Will it rain? Nobody knows. Dr. Okafor says the price, about $3.50, includes the trip back. “Is that so?” he "
    "asked. “It is.” We paid at 6 p.m. and left. Take vitamin C. It helps. The museum opened in 1904. Trams ran past "
    "it. Open `main.py` first. Then run it (twice if you like). All done! 🎉 Anything else? No. That is all."
)
DEVANAGARI = "बारिश हो रही है। छाता लो। घर आओ।"


def waited(text: str, language: str) -> dict[str, int]:
    """Return for each sentence but the last how many characters came after it before it came out."""
    stream = SentenceStream(language)
    return {
        sentence.text: seen - sentence.end for seen, char in enumerate(text, start=1) for sentence in stream.push(char)
    }


def test_a_sentence_of_prose_comes_out_with_the_first_letter_after_it() -> None:
    waits = waited(PROSE, "en")

    assert len(waits) == 17
    assert median(waits.values()) == 2  # the space and a letter
    assert {sentence: wait for sentence, wait in waits.items() if wait > 2} == {
        # An opening quote before the letter; or a letter of another kind, which takes one more to know it by.
        "Dr. Okafor says the price, about $3.50, includes the trip back.": 3,
        "“Is that so?” he asked.": 3,
    }


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("zh", "今天下雨了。我们改天去吧。好。"),
        ("ja", "雨が降った。傘がない。朝です｡起きて｡"),
        ("hi", DEVANAGARI),
        ("ur", "یہ گھر ہے۔ وہ کہاں ہے۔ ٹھیک۔"),
        ("am", "ሰላም። ደህና ነኝ። እሺ።"),
        ("my", "ကောင်းပါတယ်။ သွားမယ်။"),
        ("hy", "Անձրև է։ Տանը։"),
    ],
)
def test_full_stops_that_mean_nothing_else_end_a_sentence_at_once(language: str, text: str) -> None:
    assert set(waited(text, language).values()) == {0}


@pytest.mark.parametrize(
    ("language", "text"), [("zh", "真的吗？走吧！好的！完"), ("ar", "كيف حالك؟ وأنت؟ ن"), ("am", "ና፧ እሺ")]
)
def test_marks_that_often_come_in_twos_wait_for_the_next_letter(language: str, text: str) -> None:
    assert max(waited(text, language).values()) <= 2


@pytest.mark.parametrize(
    ("text", "language", "waits"),
    [
        ("## A heading\nText", "en", 1),  # the line break
        ("- an item\n- another", "en", 3),  # the next marker
        ("| a | b |\n| c", "en", 1),
        ("a | b\nText", "en", 2),  # it isn't a table's rule
        ("Title\n====\nText", "en", 6),  # the underline
        ("One line.\n\nMore", "en", 2),
        ("```\na. B\n```\nText", "en", 1),
        ("Compra pane, olio, ecc. Poi torna.", "it", 5),  # a whole word decides
    ],
)
def test_structure_is_known_by_its_first_characters(text: str, language: str, waits: int) -> None:
    assert next(iter(waited(text, language).values())) == waits


@pytest.mark.parametrize(
    ("text", "released"),
    [
        ("Let me look that up.", "Let me look that up."),
        ("One moment...", "One moment..."),
        ("Give me a sec.", "Give me a sec."),  # a word like others before anything but a number
        ("The answer is no.", "The answer is no."),
        ("It won't.", "It won't."),
        ("Take vitamin C.", "Take vitamin C."),
        ("Open a new tab.", "Open a new tab."),
        ("Call it **done.**", "Call it **done.**"),
        ("All set! 🎉", "All set! 🎉"),
        ("Read [this.](https://example.com)", "Read [this.](https://example.com)"),
        ("¿Vienes?", "¿Vienes?"),
        ("真的吗？", "真的吗？"),
        ("- buy milk.", "- buy milk."),
        ("| a | b |\n|---|---|\n| c | d |\nThat is all.", "That is all."),
        # The rest may go on: with digits, with a name, with the item, with the line.
        ("It costs 3.", None),
        ("It was built in 1904.", None),
        ("3.", None),
        ("**2.**", None),
        ("Ask Prof.", None),
        ("We like pens, paper, etc.", None),
        ("It belongs to Acme Inc.", None),
        ("Sold by Ana K.", None),
        ("She lives in the U.S.", None),
        ("See No.", None),
        ("Doors open at 9 a.m.", None),
        ("Use e.g.", None),
        ("Q.", None),
        ("no stop yet", None),
        ("Run `app.", None),
        ("See [the docs.", None),
        ("## Why? Because.", None),
        ("| a | b.", None),
        ("```\nend.", None),
        ("...", None),
    ],
)
def test_a_pause_releases_what_is_complete_but_for_the_proof(text: str, released: str | None) -> None:
    stream = SentenceStream("en")
    stream.push(text)

    assert [sentence.text for sentence in stream.idle()] == ([] if released is None else [released])
