"""The order of a deployment's steps, and what the stacks are told."""

import importlib
from pathlib import Path
from types import ModuleType

import pytest

from primavoce.aws import fleet, machines
from primavoce.aws.measured import MOST_SESSIONS
from primavoce.aws.names import Names
from primavoce.aws.planning import MOST_INSTANCES
from primavoce.aws.steps import (
    BY_CLOUDFORMATION,
    KEYS,
    LOOKED_UP,
    MODEL,
    OPTIONS,
    TARGETS,
    Choices,
    Step,
    Target,
    context_of,
    context_pairs,
    steps_of,
)
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
    assert context_of(Names(), CHOICES, fleet={}) == {"name": "primavoce", "instance_type": "ml.g5.xlarge"}


def test_a_stack_without_instances_is_told_of_none() -> None:
    assert context_of(Names(), CHOICES) == {"name": "primavoce"}


def test_the_capacity_is_told_by_a_path_that_holds_in_every_folder() -> None:
    choices = Choices(instance_type="ml.g5.xlarge", checkout=Path("/checkout"), capacity=Path("capacity.json"))

    told = context_of(Names(), choices)["capacity"]

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

    there = fleet.Fleet(1, 2, 3, 4).context()
    context = context_of(Names("demo"), choices, speech_image=digest, agent_image=digest, fleet=there)
    told = infra.Settings.from_context(context)

    assert (told.name, told.speech_image, told.agent_image, told.scaling) == ("demo", digest, digest, False)
    assert (told.deployed_min, told.deployed_max, told.deployed_running, told.deployed_sessions) == (1, 2, 3, 4)
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


def test_every_key_of_the_stacks_is_an_option_looked_up_or_to_be_said_with_c(infra: ModuleType) -> None:
    assert OPTIONS.keys() | set(LOOKED_UP) <= infra.READERS.keys()
    deployed = {each for each in infra.READERS if each.startswith("deployed_")}
    assert set(LOOKED_UP) == deployed == set(fleet.Fleet().context())


def test_what_stacks_and_commands_both_know_is_the_same(infra: ModuleType) -> None:
    assert (infra.INSTANCE_TYPE, infra.GPU_FAMILIES) == (machines.PATTERN, machines.GPU_FAMILIES)
    assert infra.ARM == machines.ARM
    assert infra.MOST == MOST_INSTANCES == MOST_SESSIONS
    assert (infra.Settings().instance_type, infra.Settings().model) == (machines.INSTANCE_TYPE, MODEL)
    naming = importlib.import_module("primavoce_infra.naming")
    assert naming.VARIANT == fleet.VARIANT


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
    assert context_pairs("-c", ["scaling=false", "alarm_email=b=c"]) == (("scaling", "false"), ("alarm_email", "b=c"))


def test_a_key_that_the_stacks_dont_have_is_told_with_those_that_they_have() -> None:
    with pytest.raises(InvalidSetting, match=r"^--context: scalling is no key of the stacks; known: .*scaling"):
        context_pairs("--context", ["scalling=false"])
    # CDK's own keys are left to it.
    assert context_pairs("--context", ["@aws-cdk/core:x=true"]) == (("@aws-cdk/core:x", "true"),)


def test_the_keys_of_the_stacks_are_these(infra: ModuleType) -> None:
    assert {*KEYS, *OPTIONS, *LOOKED_UP} == infra.READERS.keys()
    assert not {*KEYS} & {*OPTIONS, *LOOKED_UP}


@pytest.mark.parametrize("text", ["scaling", "=false", ""])
def test_what_is_no_key_and_value_is_told(text: str) -> None:
    with pytest.raises(InvalidSetting, match="KEY=VALUE"):
        context_pairs("--context", [text])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("name=other", "name has an option of its own: say --name"),
        ("instance_type=ml.c7i.xlarge", "instance_type has an option of its own: say --instance-type"),
        ("capacity=relative.json", "capacity has an option of its own: say --capacity"),
        ("model=amazon.nova-lite-v1:0", "model has an option of its own: say --model"),
        ("speech_image=old", "speech_image has an option of its own: say --speech-image"),
        ("agent_image=old", "agent_image has an option of its own: say --agent-image"),
        ("deployed_min=0", "deployed_min is looked up in the account; --shrink"),
        ("deployed_sessions=0", "deployed_sessions is looked up in the account; --shrink"),
    ],
)
def test_what_the_command_decides_by_is_no_key_that_goes_past_it(text: str, told: str) -> None:
    with pytest.raises(InvalidSetting, match=rf"^--context: {told}"):
        context_pairs("--context", ["scaling=false", text])


def test_what_goes_on_when_the_program_is_left_is_what_the_account_does() -> None:
    assert {Step.SPEECH, Step.RUNTIME} <= BY_CLOUDFORMATION
    assert not {Step.BUILD_SPEECH, Step.PUSH_AGENT, Step.VERIFY_SPEECH, Step.GATE} & BY_CLOUDFORMATION
