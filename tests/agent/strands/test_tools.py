from datetime import UTC, datetime, tzinfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strands import Agent

from primavoce.agent.strands.scripted_model import Call, Cue, Say, ScriptedModel
from primavoce.agent.strands.tools import MAX_EXPRESSION, calculate, example_tools, tell_time

pytestmark = pytest.mark.agent


def at_noon(zone: tzinfo | None) -> datetime:
    return datetime(2026, 3, 9, 12, 5, tzinfo=UTC).astimezone(zone or UTC)


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("1 + 2 * 3", "7"),
        (" (1 + 2) * 3 ", "9"),
        ("10 / 4", "2.5"),
        ("6 / 3", "2"),
        ("7 // 2", "3"),
        ("7 % 4", "3"),
        ("-3 - -5", "2"),
        ("2 ** 10", "1024"),
        ("2^10", "1024"),
        ("2 ** -1", "0.5"),
        ("0.1 + 0.2", "0.3"),
        ("3 × 4 ÷ 2 − 1", "5"),
        ("1,000 * 3", "3000"),
        ("2 ** 0.5", "1.414213562"),
        ("10 ** 60", str(10**60)),
    ],
)
def test_an_expression_has_its_value(expression: str, value: str) -> None:
    assert calculate(expression) == value


@pytest.mark.parametrize(
    ("expression", "why"),
    [
        ("1 / 0", "divided by zero"),
        ("0 ** -1", "divided by zero"),
        ("9 ** 9 ** 9", "too large"),
        ("9.0 ** 999", "too large"),
        ("(-8) ** (1 / 3)", "no real number"),
        ("1e60 * 1e60", "too large"),
        ("9" * 100, "too large"),
        ("1" * (MAX_EXPRESSION + 1), f"at most {MAX_EXPRESSION} characters"),
        ("(" * 150, "no arithmetic"),
        ("(" * 99 + "1" + ")" * 99, None),
        ("-" * 198 + "1", None),
        ("", "no arithmetic"),
        ("1 +", "no arithmetic"),
        ("two", "only numbers"),
        ("__import__('os').getcwd()", "only numbers"),
        ("(1).real", "only numbers"),
        ("[1][0]", "only numbers"),
        ("True + 1", "only numbers"),
        ("1j", "only numbers"),
        ("'a' * 3", "only numbers"),
        ("1 if 2 else 3", "only numbers"),
        ("1 < 2", "only numbers"),
        ("1 << 200", "only numbers"),
        ("(lambda: 1)()", "only numbers"),
        ("1; 2", "no arithmetic"),
        ("x := 3", "no arithmetic"),
    ],
)
def test_what_cannot_be_worked_out_says_why(expression: str, why: str | None) -> None:
    if why is None:
        assert calculate(expression) == "1"
        return
    with pytest.raises(ValueError, match=why.replace("+", "\\+")):
        calculate(expression)


@given(st.text(alphabet="0123456789.+-*/%()e ^", max_size=40))
def test_whatever_is_asked_there_is_a_value_or_a_reason(expression: str) -> None:
    try:
        value = calculate(expression)
    except ValueError:
        return
    assert len(value) < 80


@pytest.mark.parametrize(
    ("zone", "told"),
    [
        ("", "Monday, 9 March 2026, 12:05"),
        ("Asia/Tokyo", "Monday, 9 March 2026, 21:05"),
        ("Pacific/Auckland", "Tuesday, 10 March 2026, 01:05"),
    ],
)
def test_the_clock_tells_the_day_and_the_time_in_a_zone(zone: str, told: str) -> None:
    assert tell_time(zone, at_noon) == told


@pytest.mark.parametrize("zone", ["Nowhere/Else", "../../etc/passwd", "/etc/localtime", "Europe", "\0"])
def test_a_zone_that_there_is_not_is_told(zone: str) -> None:
    with pytest.raises(ValueError, match="no such time zone"):
        tell_time(zone, at_noon)


@pytest.mark.anyio
async def test_an_agent_is_told_why_a_tool_failed_and_goes_on() -> None:
    cues: list[Cue] = []

    def play(cue: Cue) -> list[Say | Call]:
        cues.append(cue)
        if not cue.results:
            return [Call("calculator", {"expression": "1/0"}), Call("clock", {"timezone": "Asia/Tokyo"})]
        return [Say("Well.")]

    model = ScriptedModel(play, first_token_s=0.0, tokens_per_s=1e9)
    agent = Agent(model=model, tools=example_tools(now=at_noon), callback_handler=None)

    await agent.invoke_async("Go on")

    assert cues[0].tools == {"clock", "calculator"}
    assert sorted(cues[1].results) == ["Error: nothing can be divided by zero", "Monday, 9 March 2026, 21:05"]
