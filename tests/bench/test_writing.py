"""Text as an agent writes it."""

from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primavoce.bench.texts import read_texts
from primavoce.bench.writing import answers, tokens, write

TEXT = "One two four. Five six seven eight."


class Time:
    """Passes only when somebody sleeps."""

    def __init__(self) -> None:
        self.now_s = 50.0

    def clock(self) -> float:
        return self.now_s

    async def sleep(self, seconds: float) -> None:
        self.now_s += seconds


@given(st.text())
def test_joined_tokens_are_the_text(text: str) -> None:
    assert "".join(tokens(text)) == text


def test_a_token_has_four_characters() -> None:
    assert tokens("0123456789") == ["0123", "4567", "89"]


@pytest.mark.anyio
async def test_each_token_comes_at_its_time() -> None:
    time = Time()

    written = write(TEXT, lambda *_: None, language="en-us", tokens_per_s=10, clock=time.clock, sleep=time.sleep)
    times = [(token, round(time.now_s - 50.0, 6)) async for token in written]

    assert times[:3] == [("One ", 0.0), ("two ", 0.1), ("four", 0.2)]
    assert len(times) == 9


@pytest.mark.anyio
async def test_a_token_that_is_taken_late_makes_no_later_one_late() -> None:
    time = Time()
    times = []

    async for _ in write(TEXT, lambda *_: None, language="en-us", tokens_per_s=10, clock=time.clock, sleep=time.sleep):
        times.append(round(time.now_s - 50.0, 6))
        if len(times) == 2:
            time.now_s += 0.15

    assert times[:5] == [0.0, 0.1, 0.25, 0.3, 0.4]


@pytest.mark.anyio
async def test_a_sentence_is_certain_with_the_token_after_its_end_and_the_last_at_the_end() -> None:
    time = Time()
    known = []

    written = write(
        TEXT, lambda end, at_s: known.append((end, round(at_s - 50.0, 6))), language="en-us", tokens_per_s=10,
        clock=time.clock, sleep=time.sleep,
    )  # fmt: skip
    async for _ in written:
        pass

    assert [end for end, _ in known] == [13, 35]
    # ". Fi" is the fourth token, at 0.3 s; the last is the ninth.
    assert [at_s for _, at_s in known] == [0.3, 0.8]


def test_the_same_seed_writes_the_same_answers_and_another_one_others() -> None:
    texts = read_texts()

    first, again, other = (list(islice(answers(texts, seed=seed), 20)) for seed in (1, 1, 2))

    assert first == again
    assert first != other


def test_answers_differ_in_length_and_begin_with_a_sentence_of_middling_length() -> None:
    texts = read_texts()

    found = list(islice(answers(texts, seed=0), 50))

    assert len({len(answer) for answer in found}) > 10
    assert all(answer.startswith(texts.isolated) for answer in found)
    assert all(3 <= len([sentence for sentence in (*texts.isolated, *texts.by_length) if sentence in answer]) <= 5
               for answer in found)  # fmt: skip
