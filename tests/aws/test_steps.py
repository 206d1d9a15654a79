"""The order of a deployment's steps, and what the stacks are told."""

import importlib
from pathlib import Path
from types import ModuleType

import pytest

from primavoce.aws.names import Names
from primavoce.aws.steps import TARGETS, Choices, Step, Target, context_of, context_pairs, steps_of
from primavoce.errors import InvalidSetting

CHOICES = Choices(instance_type="ml.g5.xlarge", checkout=Path("/checkout"))
INFRA = Path(__file__).parents[2] / "infra" / "src"


@pytest.fixture
def infra(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The stacks' own settings, which need no CDK."""
    monkeypatch.syspath_prepend(str(INFRA))
    return importlib.import_module("primavoce_infra.settings")


@pytest.mark.parametrize("target", TARGETS)
def test_no_agent_is_built_or_deployed_before_the_gate(target: Target) -> None:
    steps = steps_of(target, CHOICES)

    for step in (Step.BUILD_AGENT, Step.PUSH_AGENT, Step.AGENT, Step.VERIFY_AGENT):
        if step in steps:
            assert steps.index(Step.GATE) < steps.index(step)


def test_all_is_the_speech_verified_and_then_the_agent() -> None:
    both = steps_of("all", CHOICES)

    assert both == steps_of("speech", CHOICES) + steps_of("agent", CHOICES)
    assert both.index(Step.WEIGHTS) < both.index(Step.PUSH_SPEECH) < both.index(Step.SPEECH)
    assert both.index(Step.ENDPOINT) < both.index(Step.VERIFY_SPEECH) < both.index(Step.GATE)


def test_an_image_that_is_given_is_not_built() -> None:
    given = Choices(instance_type="ml.g5.xlarge", checkout=Path("/checkout"), speech_image="sha256:1")

    assert Step.BUILD_SPEECH not in steps_of("all", given)
    assert Step.BUILD_AGENT in steps_of("all", given)


def test_the_stacks_are_told_only_what_was_chosen() -> None:
    assert context_of(Names(), CHOICES, speech_image=None, agent_image=None) == {
        "name": "primavoce",
        "instance_type": "ml.g5.xlarge",
    }


def test_the_capacity_is_told_by_a_path_that_holds_in_every_folder() -> None:
    choices = Choices(instance_type="ml.g5.xlarge", checkout=Path("/checkout"), capacity=Path("capacity.json"))

    told = context_of(Names(), choices, speech_image=None, agent_image=None)["capacity"]

    assert Path(told).is_absolute()


def test_all_that_the_stacks_are_told_are_keys_that_they_know(infra: ModuleType, tmp_path: Path) -> None:
    capacity = tmp_path / "capacity.json"
    capacity.write_text(
        '{"sessions_per_instance": 50, "min_instances": 1, "max_instances": 9, "target_sessions": 40,'
        ' "instance_type": "ml.g5.xlarge"}'
    )
    choices = Choices(
        instance_type="ml.g5.xlarge",
        checkout=tmp_path,
        capacity=capacity,
        model="us.amazon.nova-lite-v1:0",
        context=(("scaling", "false"),),
    )
    digest = f"sha256:{'0' * 64}"

    told = infra.Settings.from_context(context_of(Names("demo"), choices, speech_image=digest, agent_image=digest))

    assert (told.name, told.speech_image, told.agent_image, told.scaling) == ("demo", digest, digest, False)
    assert told.capacity.target_sessions == 40


def test_what_is_planned_is_what_the_stacks_read(infra: ModuleType, tmp_path: Path) -> None:
    from primavoce.aws.planning import Wish, plan
    from primavoce.aws.prices import Price

    found = plan(Wish(sessions=2000, sessions_per_instance=50, instance_type="ml.g5.xlarge"), Price(1.0, "given"))
    file = tmp_path / "capacity.json"
    file.write_text(found.capacity_json())

    read = infra.Capacity.from_file(file)

    assert (read.sessions_per_instance, read.min_instances, read.max_instances) == (50, 1, 50)
    assert (read.target_sessions, read.instance_type) == (40, "ml.g5.xlarge")


@pytest.mark.parametrize("prefix", ["primavoce", "my-demo"])
def test_the_names_are_those_that_the_stacks_give(infra: ModuleType, prefix: str) -> None:
    naming = importlib.import_module("primavoce_infra.naming")
    ours, theirs = Names(prefix), naming.Names(prefix)

    assert ours.stacks == (theirs.weights_stack, theirs.speech_stack, theirs.agent_stack)
    assert (ours.endpoint, ours.runtime) == (theirs.endpoint, theirs.runtime)
    assert ours.repository("speech") == theirs.speech_repository
    assert ours.repository("agent") == theirs.agent_repository
    assert theirs.endpoint_log_group in ours.log_group_prefixes


def test_keys_and_values_are_split_at_the_first_sign() -> None:
    assert context_pairs("-c", ["scaling=false", "a=b=c"]) == (("scaling", "false"), ("a", "b=c"))


@pytest.mark.parametrize("text", ["scaling", "=false", ""])
def test_what_is_no_key_and_value_is_told(text: str) -> None:
    with pytest.raises(InvalidSetting, match="KEY=VALUE"):
        context_pairs("--context", [text])
