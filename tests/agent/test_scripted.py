import pytest
from hypothesis import given
from hypothesis import strategies as st

from primavoce.agent.answers import ANSWERS
from primavoce.agent.scripted import pieces, play, script
from primavoce.languages import LANGUAGES
from primavoce.text import SentenceStream


@given(st.text())
def test_tokens_joined_are_the_text(text: str) -> None:
    assert "".join(pieces(text)) == text


def test_tokens_come_at_the_rate_asked_for() -> None:
    tokens = script("word " * 600, tokens_per_s=30.0, first_token_s=0.5, seed=1)

    assert tokens[0].at_s == 0.5
    assert (len(tokens) - 1) / (tokens[-1].at_s - 0.5) == pytest.approx(30.0, rel=0.05)


def test_the_same_seed_gives_the_same_rhythm_and_another_another() -> None:
    assert script("One two three.", seed=1) == script("One two three.", seed=1)
    assert script("One two three.", seed=1) != script("One two three.", seed=2)


@pytest.mark.anyio
async def test_each_token_is_written_at_its_time_whatever_its_reader_takes() -> None:
    now = [0.0]
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        now[0] += seconds

    tokens = script("One two three four.", seed=3)
    times = []
    async for _ in play(tokens, clock=lambda: now[0], sleep=sleep):
        times.append(now[0])
        now[0] += 0.001  # what the reader takes is not added to the rhythm

    assert times == pytest.approx([token.at_s for token in tokens], abs=0.0011)


def test_there_is_an_answer_of_several_sentences_in_every_language() -> None:
    counts = {}
    for language, answer in ANSWERS.items():
        stream = SentenceStream(language)
        counts[language] = len(stream.push(answer) + stream.flush())

    assert set(counts) == set(LANGUAGES)
    assert all(4 <= count <= 5 for count in counts.values()), counts
