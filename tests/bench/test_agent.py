"""The comparison of an agent's modes."""

import os
import sys
from pathlib import Path

import msgspec
import pytest

from primavoce.bench.agent import (
    BASELINES,
    GOALS,
    MODES,
    AgentChoice,
    agent_for,
    interruption_of,
    measure_agent,
    ratios_of,
    run_agent,
)
from primavoce.bench.agent_listening import AnswerHeard
from primavoce.bench.agent_visits import AgentAddress, Asked, Interrupted
from primavoce.bench.spread import Spread
from primavoce.errors import ExtraMissing, InvalidSetting
from tests.bench.agents import running_agent, two_sentences

pytestmark = pytest.mark.anyio


def answer(first_audio_s: float, first_sound_s: float) -> AnswerHeard:
    return AnswerHeard(0.1, 0.5, first_audio_s, first_sound_s, 20.0, 30.0, 0.0, "af_heart", "Yes.")


async def test_the_modes_take_turns_and_every_second_round_goes_backwards(serving) -> None:
    prompts: list[str] = []

    async def echo(prompt: str):
        prompts.append(prompt)
        async for piece in two_sentences(prompt):
            yield piece

    async with serving() as speech, running_agent(speech.address, echo) as address:
        found = await measure_agent(AgentAddress(address), Asked("Well?"), trials=2, note=lambda _: None)

    assert list(found.modes) == list(MODES)
    assert all(figures.characters == (45, 45) for figures in found.modes.values())
    assert found.same_text
    assert found.voice == "af_heart"
    assert len(prompts) == 1 + 2 * len(MODES) + 2  # one to warm up, and the interruptions
    assert {ratio.n for ratio in found.ratios.values()} == {2}
    assert found.modes["batch"].first_audio_s.min >= found.modes["batch"].text_complete_s.min


async def test_texts_that_differ_are_noticed(serving) -> None:
    prompts: list[str] = []

    async def longer_each_time(prompt: str):
        prompts.append(prompt)
        yield "Yes. " * len(prompts)

    async with serving() as speech, running_agent(speech.address, longer_each_time) as address:
        found = await measure_agent(AgentAddress(address), Asked("Well?"), trials=1, note=lambda _: None)

    assert not found.same_text
    assert [figures.characters for figures in found.modes.values()] == [(10,), (15,), (20,)]


def test_a_ratio_is_of_two_answers_of_one_round() -> None:
    heard = {
        "stream": [answer(1.0, 2.0), answer(2.0, 2.0), answer(4.0, 2.0)],
        "batch": [answer(10.0, 20.0), answer(10.0, 20.0), answer(100.0, 20.0)],
        "text_complete": [answer(5.0, 8.0)] * 3,
    }

    ratios = ratios_of(heard)

    assert ratios == {
        "batch_to_stream_first_audio": Spread(10.0, 5.0, 25.0, 3),
        "batch_to_stream_first_sound": Spread(10.0, 10.0, 10.0, 3),
        "text_complete_to_stream_first_audio": Spread(2.5, 1.25, 5.0, 3),
        "text_complete_to_stream_first_sound": Spread(4.0, 4.0, 4.0, 3),
    }
    assert tuple(GOALS) == BASELINES


def test_interruptions_that_met_no_answer_do_not_count() -> None:
    found = interruption_of([Interrupted(0.0, 0.002), Interrupted(0.01, 0.02)])

    assert found is not None
    assert (found.last_audio_s.max, found.cancelled_s.median, found.cancelled_s.n) == (0.01, 0.011, 2)
    assert interruption_of([]) is None


@pytest.mark.parametrize(
    ("choice", "name"),
    [
        (AgentChoice(url="http://127.0.0.1:1", model="scripted"), "--model"),
        (AgentChoice(url="http://127.0.0.1:1", tokens_per_s=30.0), "--tokens-per-s"),
        (AgentChoice(model="local", first_token_s=0.0), "--first-token-s"),
    ],
)
def test_choices_that_do_not_go_together_are_refused(choice: AgentChoice, name: str) -> None:
    with pytest.raises(InvalidSetting, match=name):
        choice.check()


@pytest.mark.parametrize("missing", ["strands", "bedrock_agentcore"])
def test_an_agent_of_our_own_needs_the_extra_and_another_does_not(
    missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)

    with pytest.raises(ExtraMissing, match="'agent'"):
        AgentChoice().check()
    AgentChoice(url="http://127.0.0.1:1").check()


@pytest.mark.parametrize(
    ("choice", "command"),
    [
        (AgentChoice(), "bench scripted-agent --tokens-per-s 30.0 --first-token-s 0.35"),
        (AgentChoice(tokens_per_s=50.0, first_token_s=0.0),
         "bench scripted-agent --tokens-per-s 50.0 --first-token-s 0.0"),
        (AgentChoice(model="ollama:small"), "agent --model ollama:small --host 127.0.0.1 --port 0"),
    ],
)  # fmt: skip
def test_a_script_has_a_set_pace_and_any_other_model_is_started_as_people_start_it(
    choice: AgentChoice, command: str
) -> None:
    assert " ".join(choice.command()) == command


async def test_an_agent_that_runs_already_is_visited_where_it_is() -> None:
    async with agent_for({}, AgentChoice(url="http://127.0.0.1:1", api_key="k"), note=lambda _: None) as agent:
        assert agent == AgentAddress("http://127.0.0.1:1", "k")


@pytest.mark.agent
@pytest.mark.model
@pytest.mark.timeout(600)
async def test_the_real_agent_says_the_same_each_time_and_is_heard_soonest_streaming(weights_path: Path) -> None:
    choice = AgentChoice(tokens_per_s=60.0, first_token_s=0.1)

    report = await run_agent(os.environ, choice, trials=1, note=lambda _: None)
    told = msgspec.json.decode(msgspec.json.encode(report))

    assert told["same_text"]
    first = {mode: figures["first_audio_s"]["median"] for mode, figures in told["modes"].items()}
    assert first["stream"] < first["text_complete"] < first["batch"]
    assert (told["benchmark"], told["model"], told["tokens_per_s"], told["speech"]) == (
        "agent",
        "scripted",
        60,
        "local",
    )
    assert told["interruption"]["cancelled_s"]["n"] == 1
    assert len(told["model_digest"]) == 64
    assert {"strands-agents", "bedrock-agentcore", "onnxruntime"} <= told["versions"].keys()
