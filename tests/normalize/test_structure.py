import logging

import pytest

from primavoce.normalize.draft import Draft
from primavoce.normalize.options import ReadingOptions
from primavoce.normalize.structure import closed, kind_of, structure
from primavoce.normalize.tongue import Tongue
from primavoce.text import Kind

ITALIAN = Tongue(
    tag="it",
    locale="it",
    numerals="it",
    phrases={"code": "codice", "table": "tabella", "done": "fatto", "to_do": "da fare"},
)
WORDLESS = Tongue(tag="it", locale="it", numerals="it")
CHINESE = Tongue(tag="zh", locale="zh", numerals=None, phrases={"full_stop": "。", "comma": "，", "table": "表格"})
FENCE = "```python\nprint(1)\n\nx = 2;\n```"


def read(
    written: str,
    *,
    kind: Kind | None = None,
    after: Kind | None = None,
    options: ReadingOptions | None = None,
    tongue: Tongue = ITALIAN,
) -> str:
    draft = Draft(written)
    first = kind or kind_of(written)
    if structure(draft, tongue, first, after=after, options=options or ReadingOptions()) != "prose":
        closed(draft, tongue)
    return draft.spoken().text


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("## Inizio", "Inizio."),
        ("## Inizio ##", "Inizio."),
        ("# Perché?", "Perché?"),
        ("# In C#", "In C#."),
        ("## Inizio 🚀", "Inizio 🚀."),
        ("# Via! 🎉", "Via! 🎉"),
        ("# (nota)", "(nota)."),
        ("Titolo\n===", "Titolo."),
        ("Titolo\n---\nTesto", "Titolo. Testo"),
    ],
)
def test_a_heading_loses_its_hashes_and_the_voice_falls_after_it(written: str, said: str) -> None:
    assert read(written) == said


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("- pane", "pane."),
        ("* pane!", "pane!"),
        ("• pane", "pane."),
        ("1. Bolli.", "1: Bolli."),
        ("12) Bolli", "12: Bolli."),
        ("(3) Bolli", "3: Bolli."),
        ("a) uno", "A: uno."),
        ("(b) due", "B: due."),
        ("iv. quattro", "4: quattro."),
        ("XII. dodici", "12: dodici."),
        ("- [ ] pane", "da fare: pane."),
        ("- [x] pane", "fatto: pane."),
        ("1. [X] pane", "1: fatto: pane."),
        ("> - pane", "pane."),
        ("1. uno\n2. due", "1: uno. 2: due."),
    ],
)
def test_an_item_loses_its_bullet_and_keeps_its_number(written: str, said: str) -> None:
    assert read(written) == said


def test_a_second_sentence_of_an_item_has_no_marker_to_lose() -> None:
    assert read("Poi riposa.", kind="item") == "Poi riposa."


def test_a_number_that_begins_a_sentence_of_prose_is_no_marker() -> None:
    assert read("2. Versa.", kind="prose") == "2. Versa."


@pytest.mark.parametrize("kind", ["prose", "item"])
@pytest.mark.parametrize("written", ["(555) 123-4567 is it", "(02) 9374 4000", "p. 5 is torn"])
def test_a_phone_number_or_a_page_is_no_items_number(written: str, kind: Kind) -> None:
    assert read(written, kind=kind).rstrip(".") == written


@pytest.mark.parametrize(
    ("written", "said"), [(">= 3", ">= 3"), ("> 3", "> 3"), (">3 kg", ">3 kg"), ("> 3 are left", "3 are left")]
)
def test_a_comparison_is_no_quotation(written: str, said: str) -> None:
    assert read(written, kind="prose") == said


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("| Tè | 3 € |", "Tè, 3 €."),
        ("| Tè | | 3 € |", "Tè, 3 €."),
        ("|Tè|3 €", "Tè, 3 €."),
        ("| Buono! | 3 € |", "Buono! 3 €."),
        ("| Sì? |", "Sì?"),
        (r"| a \| b | c |", r"a \| b, c."),
        ("| | |", ""),
        ("> | Tè | 3 € |", "Tè, 3 €."),
    ],
)
def test_a_row_is_read_as_its_cells(written: str, said: str) -> None:
    assert read(written, kind="row", after="row") == said


def test_a_table_is_announced_at_its_first_row_alone() -> None:
    assert read("| Nome |", kind="row", after="prose") == "tabella: Nome."
    assert read("| Tè |", kind="row", after="row") == "Tè."
    assert read("| Nome | Euro |\n|---|--:|\n| Tè | 3 |") == "tabella: Nome, Euro. Tè, 3."
    assert read("Nome | Euro\n--- | ---\nTè | 3") == "tabella: Nome, Euro. Tè, 3."


def test_a_row_uses_the_marks_of_its_language() -> None:
    assert read("| 茶 | 水 |", kind="row", after="row", tongue=CHINESE) == "茶，水。"


def test_tables_can_be_announced_only_or_passed_over() -> None:
    announced, skipped = ReadingOptions(tables="announce"), ReadingOptions(tables="skip")

    assert read("| Tè |", after=None, options=announced) == "tabella."
    assert read("| Tè |", kind="row", after="row", options=announced) == ""
    assert read("| Tè |", options=skipped) == ""


@pytest.mark.parametrize(("code", "said"), [("announce", "codice."), ("skip", ""), ("read", "print(1). x = 2;.")])
def test_a_fence_is_announced_or_passed_over_or_read_by_the_line(code, said: str) -> None:
    assert read(FENCE, options=ReadingOptions(code=code)) == said.replace(";.", ";")


def test_a_fence_left_open_is_read_to_its_end() -> None:
    assert read("~~~\nx = 1", options=ReadingOptions(code="read")) == "x = 1."


def test_a_language_without_words_of_ours_borrows_none(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, "primavoce.normalize"):
        assert read(FENCE, tongue=WORDLESS) == ""
        assert read("| Tè |", tongue=WORDLESS) == "Tè."

    assert "no words for code" in caplog.text


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("Una frase", "Una frase"),
        ("> citata\n> ancora", "citata ancora"),
        (">> due volte", "due volte"),
        ("Uno\n\n---\n\nDue", "Uno. Due"),
        ("Uno\n***\nDue", "Uno. Due"),
        ("Un titolo\n\nUn testo.", "Un titolo. Un testo."),
        ("molto\nlungo", "molto lungo"),
        ("[1]: https://example.com", ""),
        ("[^1]: La nota.", "La nota."),
        ("> [!NOTE]\n> Leggi.", "Note: Leggi."),
        ("Vedi:\n- pane\nFine", "Vedi: pane. Fine"),
        ("Ecco\n```\nx\n```\nFine", "Ecco codice. Fine"),
        ("", ""),
    ],
)
def test_prose_loses_what_only_a_page_needs(written: str, said: str) -> None:
    assert read(written) == said


def test_offsets_lead_back_past_the_marker() -> None:
    draft = Draft("1. Bolli")

    structure(draft, ITALIAN, "item", after=None, options=ReadingOptions())

    spoken = draft.spoken()
    assert spoken.text == "1: Bolli"
    assert spoken.origin(0, 2) == (0, 2)
    assert spoken.origin(3, 8) == (3, 8)
