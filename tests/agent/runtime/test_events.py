import pytest
from hypothesis import given
from hypothesis import strategies as st

from primavoce.agent.runtime.events import MAX_EVENT_BYTES, PassingEvents
from primavoce.errors import RuntimeFailed

ANSWER = (
    b'data: {"type":"agent_start","request_id":"one","mode":"stream"}\n\n'
    b":\n\n"
    b'data: {"type":"text_delta","request_id":"one","seq":0,"text":"a\\n\\nb"}\n\n'
    b'data: {"type":"agent_end","request_id":"one"}\n\n'
)


def passing() -> PassingEvents:
    return PassingEvents(not_understood="it makes no sense")


@given(st.lists(st.integers(min_value=0, max_value=len(ANSWER)), max_size=20))
def test_however_it_is_cut_an_answer_passes_as_it_came(cuts: list[int]) -> None:
    events, places = passing(), [0, *sorted(cuts), len(ANSWER)]

    passed = [events.push(ANSWER[start:end]) for start, end in zip(places, places[1:], strict=False)]

    assert b"".join(passed) == ANSWER
    assert all(part == b"" or part.endswith(b"\n\n") for part in passed)


@pytest.mark.parametrize("ending", ["agent_end", "cancelled", "error"])
def test_an_answer_has_ended_when_one_of_its_endings_is_whole(ending: str) -> None:
    events = passing()

    events.push(b'data: {"type":"agent_start"}\n\ndata: {"type":"%s"}\n' % ending.encode())
    before = events.ended
    events.push(b"\n")

    assert (before, events.ended) == (False, True)


def test_lines_may_end_in_other_ways() -> None:
    events = passing()

    assert events.push(b'data: {"type":"agent_end"}\r\n\r\nda') == b'data: {"type":"agent_end"}\r\n\r\n'
    assert events.ended


@pytest.mark.parametrize(
    "block",
    [
        b"data: hello\n\n",
        b'data: "hello"\n\n',
        b'data: {"type": 1}\n\n',
        b"x" * (MAX_EVENT_BYTES + 1),
        b"data: " + b"x" * (MAX_EVENT_BYTES + 1) + b"\n\n",
    ],
    ids=["words", "a string", "a number", "endless", "long"],
)
def test_what_is_no_event_of_an_agent_isnt_passed_on(block: bytes) -> None:
    with pytest.raises(RuntimeFailed, match="it makes no sense"):
        passing().push(block)
