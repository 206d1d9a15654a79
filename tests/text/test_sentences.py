"""Sentences in text that is still being written."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from primavoce.text import Sentence, SentenceStream
from primavoce.text.sentences import LONGEST_LINE
from primavoce.text.view import REACH

FILES = [Path(__file__).parents[1] / "data" / name for name in ("sentences.jsonl", "sentences_more.jsonl")]
CASES = [json.loads(line) for file in FILES for line in file.read_text("utf-8").splitlines()]
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
    + ["[", "](", "a.b)", "<br>", "</b>", "| - |", "--", "==", "~~~\n", "> ", "no. ", "torch.T", "ii. ", "라"]
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
        found = split(deltas, case["lang"])
        assert words(found) == case["sentences"], case.get("why")
        assert [one.kind for one in found] == case.get("kinds", [one.kind for one in found])


@settings(max_examples=300)
@given(st.sampled_from(CASES), st.lists(st.integers(0, 10**6), max_size=10))
def test_each_case_is_cut_as_it_should_be_wherever_the_deltas_end(case: dict, places: list[int]) -> None:
    assert words(split(cut("".join(case["deltas"]), places), case["lang"])) == case["sentences"]


@settings(max_examples=150)
@given(st.lists(st.sampled_from(CASES), min_size=2, max_size=4), st.lists(st.integers(0, 10**6), max_size=10))
def test_cases_one_after_the_other_are_independent_of_the_cuts(cases: list[dict], places: list[int]) -> None:
    text = " ".join("".join(case["deltas"]) for case in cases)
    language = cases[0]["lang"]

    assert split(cut(text, places), language) == split([text], language) == split(list(text), language)


def test_no_two_cases_have_the_same_name() -> None:
    names = [case["id"] for case in CASES]

    assert sorted(names) == sorted(set(names))


@settings(max_examples=200)
@given(TEXTS, st.lists(st.integers(0, 10**6), max_size=10), st.sampled_from([None, "en", "it", "de", "zh", "tlh"]))
def test_cutting_the_text_differently_never_changes_the_sentences(
    text: str, places: list[int], language: str | None
) -> None:
    assert split(cut(text, places), language) == split([text], language) == split(list(text), language)


@settings(max_examples=200)
@given(TEXTS)
def test_every_letter_and_digit_is_in_exactly_one_sentence(text: str) -> None:
    sentences = split(list(text))

    assert all(text[found.start : found.end] == found.text for found in sentences)
    assert all(one.end <= two.start for one, two in zip(sentences, sentences[1:], strict=False))
    spoken = "".join(found.text for found in sentences)
    assert [char for char in spoken if char.isalnum()] == [char for char in text if char.isalnum()]


@settings(max_examples=100)
@given(TEXTS, st.lists(st.integers(0, 10**6), max_size=10))
def test_pauses_lose_and_double_nothing(text: str, places: list[int]) -> None:
    stream = SentenceStream()

    found = [one for delta in cut(text, places) for one in stream.push(delta) + stream.idle()] + stream.flush()

    assert all(text[one.start : one.end] == one.text for one in found)
    spoken = "".join(one.text for one in found)
    assert [char for char in spoken if char.isalnum()] == [char for char in text if char.isalnum()]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("One moment.", "One moment."),
        ("Is it? ", "Is it?"),
        ("No.", "No."),
        ("He said “no.”", "He said “no.”"),
        ("(Doors stay shut.", "(Doors stay shut."),
        ("**Note.", "**Note."),
        ("Hmm...", "Hmm..."),
        ("Is it 5?", "Is it 5?"),
        ("好的！", "好的！"),
        ("“走吧。", "“走吧。"),
        ("Here are three:\n", "Here are three:"),
        ("- buy milk\n", "- buy milk"),
        ("```\ncode\n```", "```\ncode\n```"),
    ],
)
def test_a_pause_releases_a_sentence_that_lacks_only_the_proof(text: str, sentence: str) -> None:
    stream = SentenceStream()

    assert stream.push(text) == []
    assert [found.text for found in stream.idle()] == [sentence]
    assert stream.idle() == []
    assert words(stream.push("\nAnd more. ") + stream.flush()) == ["And more."]


@pytest.mark.parametrize(
    "text",
    [
        "It costs 3.",
        "In 1982. ",
        "Please ask Dr.",
        "We close at 6 p.m.",
        "My name is Ana K.",
        "See No. ",
        "and then",
        "One. (",
        "Call `app.",
        "```\ncode.",
        "```\ncode.\n",
        "# Why?",
        "| Tea. ",
        "...",
        "",
    ],
)
def test_a_pause_releases_nothing_that_may_go_on(text: str) -> None:
    stream = SentenceStream("en")

    assert stream.push(text) == []
    assert stream.idle() == []


@pytest.mark.parametrize("late", ["”", "!!", " 🎉", ")", "。"])
def test_marks_that_come_after_a_pause_are_not_said_alone(late: str) -> None:
    stream = SentenceStream()
    stream.push("He said “no!")
    stream.idle()

    assert stream.push(late) + stream.flush() == []


def test_offsets_go_on_after_a_pause() -> None:
    text = ["One moment.", "” Two more. Th", "ree."]
    stream = SentenceStream()

    found = stream.push(text[0]) + stream.idle() + stream.push(text[1]) + stream.push(text[2]) + stream.flush()

    assert ["".join(text)[one.start : one.end] for one in found] == ["One moment.", "Two more.", "Three."]


def test_flush_begins_afresh() -> None:
    stream = SentenceStream()
    stream.push("**Left (over “")
    stream.flush()

    assert stream.push("One. Two") == [Sentence("One.", 0, 4, "prose")]


@pytest.mark.parametrize(
    ("before", "deciding"),
    [
        ("今天下雨了", "。"),
        ("यह घर है", "।"),
        ("یہ گھر ہے", "۔"),
        ("“走吧。", "”他"),
        ("真的？", "好"),
        ("One.", " T"),
        ("One.", "\n\n"),
        ("One:\n", "-" + " "),
        ("# Title", "\n"),
        ("| a |", "\n"),
        ("```\na\n```", "\n"),
        ("¿Qué?", " ¡"),
        ("He is Dr. No.", " H"),
        ("It holds names, etc. Nothing", " "),
    ],
)
def test_a_sentence_comes_out_with_the_character_that_decides(before: str, deciding: str) -> None:
    stream = SentenceStream()

    assert stream.push(before + deciding[:-1]) == []
    assert len(stream.push(deciding[-1])) == 1


def test_an_unpaired_quote_does_not_hold_the_stream() -> None:
    stream = SentenceStream()

    assert words(stream.push("He said “yes. Then he left. N")) == ["He said “yes.", "Then he left."]


def test_a_stray_backtick_holds_the_stream_only_within_reach() -> None:
    stream = SentenceStream()

    assert words(stream.push("Press ` twice. Then go. " + "on and " * 20)) == ["Press ` twice."]


@pytest.mark.parametrize("opening", ["| ", "# "])
def test_a_line_without_end_is_read_as_prose(opening: str) -> None:
    stream = SentenceStream()

    found = stream.push(opening + "Words and words. " * (LONGEST_LINE // 10))

    assert {one.kind for one in found} == {"prose"}


def test_kinds_tell_structure() -> None:
    text = "# Title\nSome text.\n- an item. Its rest\n| a | b |\n|---|---|\n| 1 | 2 |\n```py\nx = 1.5\n```\nEnd."

    assert [found.kind for found in split([text])] == [
        "heading", "prose", "item", "item", "row", "row", "fence", "prose",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "unit", ["word e.g. 3.5 a.b ", "! ", ". ", "“", "`a ", "A. ", "Hi? \n\n", "。", "「。」と", "x.[1", " ", "a"]
)
def test_twice_the_text_takes_twice_the_steps(unit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    step, steps = SentenceStream._step, [0]

    def counted(stream: SentenceStream, *, more: bool) -> list[Sentence] | None:
        steps[0] += 1
        return step(stream, more=more)

    monkeypatch.setattr(SentenceStream, "_step", counted)
    split(list((unit * 2_000)[:2_000]))
    half, steps[0] = steps[0], 0
    split(list((unit * 4_000)[:4_000]))

    assert half < steps[0] <= 2.2 * half
    assert steps[0] <= 3 * 4_000


@pytest.mark.parametrize("mark", [".", "\n", "`", "Dr.", "One.\n"])
def test_a_step_reads_no_further_than_its_reach(mark: str) -> None:
    stream = SentenceStream()
    stream.push("One" + mark + " " * (REACH + len(mark)))

    assert stream._scan == len(stream._text)


def test_what_is_settled_is_not_kept() -> None:
    stream = SentenceStream()

    for _ in range(100):
        stream.push("A sentence like others. ")

    assert len(stream._text) < 100
