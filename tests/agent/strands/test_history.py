"""The history after interruptions: what was heard, in a shape from which a model can go on."""

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primavoce.agent.strands.history import UNANSWERED, UNHEARD, WrittenMessage, keep, mend, written

type Message = dict[str, Any]


def user(text: str) -> Message:
    return {"role": "user", "content": [{"text": text}]}


def assistant(*blocks: Any) -> Message:
    return {"role": "assistant", "content": [{"text": block} if isinstance(block, str) else block for block in blocks]}


def call(name: str = "t1") -> Message:
    return {"toolUse": {"toolUseId": name, "name": "clock", "input": {}}}


def result(name: str = "t1") -> Message:
    return {"role": "user", "content": [{"toolResult": {"toolUseId": name, "status": "success", "content": []}}]}


def texts_of(message: Message) -> list[str]:
    return [block["text"] for block in message["content"] if "text" in block]


def answer_of(history: list[Message], *, is_note: bool = False) -> list[WrittenMessage]:
    """What was written of the assistant's messages, when all that they hold was."""
    return [
        written(message, "".join(texts_of(message)), is_note=is_note)  # type: ignore[arg-type]
        for message in history
        if message["role"] == "assistant"
    ]


@pytest.mark.parametrize(
    ("characters", "kept"),
    [(0, UNHEARD), (-3, UNHEARD), (5, "Hello"), (6, "Hello "), (12, "Hello there."), (99, "Hello there.")],
)
def test_an_answer_is_cut_where_it_was_heard_until(characters: int, kept: str) -> None:
    history = [user("Hi"), assistant("Hello there.")]

    keep(answer_of(history), characters)

    assert history == [user("Hi"), assistant(kept)]


def test_it_may_be_cut_again_to_more_and_to_less() -> None:
    history = [user("Hi"), assistant("Hello there.")]
    answer = answer_of(history)

    for characters, kept in [(2, "He"), (0, UNHEARD), (7, "Hello t"), (12, "Hello there.")]:
        keep(answer, characters)

        assert history[1] == assistant(kept)


@pytest.mark.parametrize(
    ("characters", "first", "last"),
    [
        (0, [call()], [UNHEARD]),
        (9, ["Let me se", call()], [UNHEARD]),
        (11, ["Let me see.", call()], [UNHEARD]),
        (13, ["Let me see.", call()], ["It"]),
        (20, ["Let me see.", call()], ["It is one"]),
    ],
)
def test_a_tool_that_was_called_stays_with_its_result(characters: int, first: list[Any], last: list[Any]) -> None:
    history = [user("Time?"), assistant("Let me see.", call()), result(), assistant("It is one")]

    keep(answer_of(history), characters)

    assert history == [user("Time?"), assistant(*first), result(), assistant(*last)]


def test_what_was_thought_stays_and_is_no_part_of_what_was_written() -> None:
    thought = {"reasoningContent": {"reasoningText": {"text": "hm", "signature": "s"}}}
    history = [assistant(thought, "Yes indeed")]

    keep(answer_of(history), 3)

    assert history == [assistant(thought, "Yes")]


def test_a_text_with_citations_is_cut_to_plain_text_and_kept_when_whole() -> None:
    cited = {"citationsContent": {"citations": [{"title": "a"}], "content": [{"text": "It is so."}]}}
    answer = [written(message, "It is so.") for message in [assistant(cited)]]  # type: ignore[arg-type]

    keep(answer, 5)
    assert answer[0].message == assistant("It is")
    keep(answer, 9)
    assert answer[0].message == assistant(cited)


def test_what_a_guard_has_put_in_place_of_the_text_is_not_undone() -> None:
    history = [assistant("[removed]")]

    keep([written(history[0], "Something bad")], 4)  # type: ignore[arg-type]

    assert history == [assistant("[removed]")]


def test_a_note_that_an_answer_was_cancelled_gives_way_to_what_was_heard() -> None:
    history = [user("Hi"), assistant("Cancelled by user")]
    answer = [written(history[1], "Hello the", is_note=True)]  # type: ignore[arg-type]

    keep(answer, 5)
    assert history[1] == assistant("Hello")
    keep(answer, 0)
    assert history[1] == assistant(UNHEARD)
    keep(answer, 1000)
    assert history[1] == assistant("Hello the")


def test_white_space_is_nothing_heard() -> None:
    history = [assistant("  \n Hello")]

    keep(answer_of(history), 3)

    assert history == [assistant(UNHEARD)]


def test_an_answer_without_text_is_left_alone() -> None:
    history: list[Message] = [assistant()]

    keep(answer_of(history), 0)

    assert history == [assistant()]


@pytest.mark.parametrize("text", ["", "As far as this"])
@pytest.mark.parametrize(
    ("before", "between"),
    [
        ([user("Hi")], []),
        ([user("Hi"), assistant("Let me see.", call()), result()], []),
        (
            [user("Hi"), assistant("Let me see.", call())],
            [
                {
                    "role": "user",
                    "content": [
                        {"toolResult": {"toolUseId": "t1", "status": "error", "content": [{"text": UNANSWERED}]}}
                    ],
                }
            ],
        ),
    ],
)
def test_a_history_that_stopped_half_way_is_given_an_ending(
    before: list[Message], between: list[Message], text: str
) -> None:
    history = copy.deepcopy(before)

    added = mend(history, text)  # type: ignore[arg-type]
    assert added is not None
    keep([added], len(text))

    assert history == [*before, *between, assistant(text or UNHEARD)]


@pytest.mark.parametrize("history", [[], [user("Hi"), assistant("Hello")]])
def test_a_history_that_has_its_ending_is_left_alone(history: list[Message]) -> None:
    before = copy.deepcopy(history)

    assert mend(history, "") is None  # type: ignore[arg-type]
    assert history == before


TEXT = st.text(alphabet="ab \n.é", max_size=8)
BLOCKS = st.lists(st.one_of(TEXT.filter(bool).map(lambda text: {"text": text}), st.just("call")), max_size=4)


@st.composite
def conversations(draw: st.DrawFn) -> tuple[list[Message], list[WrittenMessage]]:
    """A prompt and an answer of several messages, all but the last of which call tools; cut off anywhere."""
    history = [user("Hi")]
    answer = []
    for number in range(draw(st.integers(1, 3))):
        blocks = [call(f"{number}-{n}") if b == "call" else b for n, b in enumerate(draw(BLOCKS))]
        message = assistant(*blocks)
        history.append(message)
        answer.append(written(message, "".join(texts_of(message))))  # type: ignore[arg-type]
        calls = [block["toolUse"]["toolUseId"] for block in blocks if "toolUse" in block]
        if not calls:
            break
        if draw(st.booleans()):
            history.append({"role": "user", "content": [result(each)["content"][0] for each in calls]})
        else:
            break
    lost = draw(TEXT)
    if (added := mend(history, lost)) is not None:  # type: ignore[arg-type]
        answer.append(added)
    return history, answer


@given(conversations(), st.lists(st.integers(-1, 40), min_size=1, max_size=3))
def test_whatever_was_heard_the_history_is_one_that_a_model_takes(
    conversation: tuple[list[Message], list[WrittenMessage]], heard: list[int]
) -> None:
    history, answer = conversation
    for characters in heard:
        keep(answer, characters)

        everything = "".join(each.text for each in answer)
        kept = "".join(text for message in history[1:] for text in texts_of(message) if text != UNHEARD)
        assert kept.split() == everything[: max(0, characters)].split()
        assert [message["role"] for message in history] == ["user", "assistant"] * (len(history) // 2)
        assert all(each.message["content"] or not each.text for each in answer)
        calls, results = [], []
        for message in history:
            calls += [block["toolUse"]["toolUseId"] for block in message["content"] if "toolUse" in block]
            results += [block["toolResult"]["toolUseId"] for block in message["content"] if "toolResult" in block]
        assert calls == results
