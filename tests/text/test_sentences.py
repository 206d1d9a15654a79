"""Sentences in text that is still being written."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from primavoce.text import Sentence, SentenceStream
from primavoce.text.boundary import at_mark

CASES = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "data" / "sentences.jsonl").read_text("utf-8").splitlines()
]
ALPHABET = st.sampled_from(
    [
        "a",
        "b ",
        "Dr",
        "The ",
        "He ",
        ".",
        ". ",
        "! ",
        "?",
        "...",
        "\n",
        "\n\n",
        "\r\n",
        " ",
        "“",
        "”",
        '"',
        "'",
        "(",
        ")",
    ]
    + ["**", "`", "```", "```\n", "# ", "- ", "1. ", "| ", "|\n", "3", ".5", "$", "https://a.b/", "@", "e.g. ", "p.m. "]
    + [
        "今天",
        "。",
        "！",
        "」",
        "「",
        "ไทย",
        "हाँ",
        "।",
        "نعم",
        "؟",
        "é",
        "e\u0301",
        "🎉",
        "👩\u200d💻",
        "…",
        ";",
        ":",
        "«",
        "»",
    ]
)
TEXTS = st.lists(ALPHABET, max_size=40).map("".join)


def split(deltas: list[str], language: str | None = None) -> list[Sentence]:
    stream = SentenceStream(language)
    return [found for delta in deltas for found in stream.push(delta)] + stream.flush()


def words(sentences: list[Sentence]) -> list[str]:
    return [" ".join(found.text.split()) for found in sentences]


def cut(text: str, places: list[int]) -> list[str]:
    at = [0, *sorted(place % (len(text) + 1) for place in places), len(text)]
    return [text[start:end] for start, end in zip(at, at[1:], strict=False)]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_each_case_is_cut_as_it_should_be_however_it_arrives(case: dict) -> None:
    whole = "".join(case["deltas"])

    for deltas in (case["deltas"], list(whole), [whole]):
        assert words(split(deltas, case["lang"])) == case["sentences"], case["why"]


@settings(max_examples=200, deadline=None)
@given(TEXTS, st.lists(st.integers(0, 10**6), max_size=10), st.sampled_from([None, "en", "it", "de", "zh", "tlh"]))
def test_cutting_the_text_differently_never_changes_the_sentences(
    text: str, places: list[int], language: str | None
) -> None:
    assert split(cut(text, places), language) == split([text], language) == split(list(text), language)


@settings(max_examples=200, deadline=None)
@given(TEXTS)
def test_every_letter_and_digit_is_in_exactly_one_sentence(text: str) -> None:
    sentences = split(list(text))

    assert all(text[found.start : found.end] == found.text for found in sentences)
    assert all(one.end <= two.start for one, two in zip(sentences, sentences[1:], strict=False))
    spoken = "".join(found.text for found in sentences)
    assert [char for char in spoken if char.isalnum()] == [char for char in text if char.isalnum()]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [("One moment.", "One moment."), ("Is it? ", "Is it?"), ("He said “no.”", "He said “no.”"), ("好的！", "好的！")],
)
def test_a_pause_releases_a_sentence_that_lacks_only_the_proof(text: str, sentence: str) -> None:
    stream = SentenceStream()

    assert words(stream.push(text) + stream.idle()) == [sentence]
    assert words(stream.push(" And more. ") + stream.flush()) == ["And more."]


@pytest.mark.parametrize("text", ["It costs 3.", "Please ask Dr.", "My name is Ana K.", "and then", "```\ncode."])
def test_a_pause_releases_nothing_that_may_go_on(text: str) -> None:
    stream = SentenceStream("en")

    assert stream.push(text) == []
    assert stream.idle() == []


def test_offsets_go_on_after_a_pause() -> None:
    text = ["One moment.", " Two more. Th", "ree."]
    stream = SentenceStream()

    found = stream.push(text[0]) + stream.idle() + stream.push(text[1]) + stream.push(text[2]) + stream.flush()

    assert ["".join(text)[one.start : one.end] for one in found] == ["One moment.", "Two more.", "Three."]


def test_flush_begins_afresh() -> None:
    stream = SentenceStream()
    stream.push("**Left (over “")
    stream.flush()

    assert stream.push("One. Two") == [Sentence("One.", 0, 4, "prose")]


def test_an_unpaired_quote_does_not_hold_the_stream() -> None:
    stream = SentenceStream()

    assert words(stream.push("He said “yes. Then he left. Nobody spoke. A")) != []


def test_kinds_tell_structure() -> None:
    text = "# Title\nSome text.\n- an item\n| a | b |\n|---|---|\n| 1 | 2 |\n```py\nx = 1.5\n```\nEnd."

    assert [found.kind for found in split([text])] == ["heading", "prose", "item", "row", "row", "fence", "prose"]


def test_text_without_a_mark_takes_linear_work(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = [0]

    def counted(*arguments, **options):
        calls[0] += 1
        return at_mark(*arguments, **options)

    monkeypatch.setattr("primavoce.text.sentences.at_mark", counted)
    counts = []
    for size in (5_000, 10_000):
        calls[0] = 0
        split(list("word e.g. word 3.5 a.b " * (size // 23)))
        counts.append(calls[0])

    assert 0 < counts[1] <= 2.2 * counts[0]


@pytest.mark.parametrize(
    ("language", "text", "sentences"),
    [
        ("it", "Il dott. Rossi è qui. Vieni!", ["Il dott. Rossi è qui.", "Vieni!"]),
        ("it", "La sig.ra Bianchi legge l'art. 5. Poi esce.", ["La sig.ra Bianchi legge l'art. 5.", "Poi esce."]),
        ("it", "Disse: «Va bene.» Poi uscì.", ["Disse: «Va bene.»", "Poi uscì."]),
        ("fr", "M. Dupont est là. « Oui. » Il part.", ["M. Dupont est là.", "« Oui. »", "Il part."]),
        ("es", "La Dra. Vega vive en la pág. 3. Fin.", ["La Dra. Vega vive en la pág. 3.", "Fin."]),
        ("hi", "यह घर है। वह क्या है?", ["यह घर है।", "वह क्या है?"]),
        ("ur", "یہ گھر ہے۔ وہ کیا ہے؟ ہاں۔", ["یہ گھر ہے۔", "وہ کیا ہے؟", "ہاں۔"]),
        ("th", "สวัสดีครับ วันนี้อากาศดี", ["สวัสดีครับ วันนี้อากาศดี"]),
        ("ja", "「行く。」と言った。本当？", ["「行く。」と言った。", "本当？"]),
        ("pt-BR", "O Sr. Lima saiu. E tu?", ["O Sr. Lima saiu.", "E tu?"]),
    ],
)
def test_other_languages_keep_their_own_dots(language: str, text: str, sentences: list[str]) -> None:
    assert words(split(list(text), language)) == sentences
