"""The context, the capacity's file, and the names that `primavoce aws` uses too."""

import json
from dataclasses import fields
from pathlib import Path

import pytest

import primavoce
from primavoce.aws import account_checks
from primavoce.aws import names as command_names
from primavoce.aws.fleet import Fleet
from primavoce.aws.planning import Wish, plan
from primavoce.aws.prices import Price
from primavoce.aws.steps import Choices, context_of
from primavoce_infra.bedrock import GEOGRAPHIES
from primavoce_infra.capacity import Capacity
from primavoce_infra.invalid import InvalidContext
from primavoce_infra.naming import Names
from primavoce_infra.settings import Settings

pytestmark = pytest.mark.infra

NOTHING = Path("/nonexistent")
README = Path(__file__).parents[2] / "infra" / "README.md"
PLANNED = {"sessions_per_instance": 40, "min_instances": 1, "max_instances": 63, "target_sessions": 32}


def settings(**context: object) -> Settings:
    return Settings.from_context(context, NOTHING)


def test_without_a_context_there_is_a_small_deployment_with_a_gpu() -> None:
    assert settings() == Settings()
    assert Settings().has_gpu
    assert Settings().capacity == Capacity()


def test_cdks_own_keys_are_left_alone() -> None:
    assert (
        Settings.from_context({"@aws-cdk/core:x": True, "aws:cdk:enable-asset-metadata": True}, NOTHING) == Settings()
    )


@pytest.mark.parametrize("given", ["120", 120])
def test_numbers_come_as_text_or_as_numbers(given: object) -> None:
    assert settings(idle_timeout_s=given).idle_timeout_s == 120


@pytest.mark.parametrize("given", ["false", "False", False])
def test_so_do_yes_and_no(given: object) -> None:
    assert settings(scaling=given).scaling is False


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("instance_typ", "ml.g5.xlarge"),
        ("instance_type", "g5.xlarge"),
        ("instance_type", "ml.c7g.xlarge"),
        ("instance_type", "ml.g5g.xlarge"),
        ("name", "Primavoce"),
        ("name", "two--hyphens"),
        ("name", "ends-"),
        ("name", "a" * 33),
        ("name", "a-" * 31 + "a"),
        ("name", "primavoce-speech"),
        ("speech_image", "registry.example.com/speech:1"),
        ("speech_image", "sha256:abc"),
        ("model", "arn:aws:bedrock:us-east-1:123:inference-profile/us.model"),
        ("model", "no-maker"),
        ("model_data", "/v1/"),
        ("idle_timeout_s", "59"),
        ("idle_timeout_s", True),
        ("idle_timeout_s", "5 minutes"),
        ("retention_days", "31"),
        ("scaling", "no"),
        ("alarm_email", "nobody"),
        ("capacity", 5),
    ],
)
def test_what_cant_be_used_is_refused_with_its_key(key: str, value: object) -> None:
    with pytest.raises(InvalidContext, match=rf"^{key} "):
        settings(**{key: value})


@pytest.mark.parametrize("instance_type", ["ml.g5.xlarge", "ml.g6e.2xlarge", "ml.p4d.24xlarge"])
def test_a_gpu_is_known_by_its_family(instance_type: str) -> None:
    assert settings(instance_type=instance_type).has_gpu


def test_a_processor_is_no_gpu() -> None:
    assert not settings(instance_type="ml.c7i.xlarge").has_gpu


def written(folder: Path, content: object, name: str = "capacity.json") -> Path:
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def test_capacity_is_what_the_planner_wrote(tmp_path: Path) -> None:
    wish = Wish(sessions=2000, sessions_per_instance=40, instance_type="ml.g5.xlarge")
    path = written(tmp_path, plan(wish, Price(1.0, "a list")).capacity_json())

    assert settings(capacity=str(path)).capacity == Capacity(**PLANNED, instance_type="ml.g5.xlarge")


def test_capacity_beside_cdk_json_is_read_unless_another_is_named(tmp_path: Path) -> None:
    written(tmp_path, PLANNED)
    other = written(tmp_path, {**PLANNED, "max_instances": 7}, "other.json")

    assert Settings.from_context({}, tmp_path).capacity.max_instances == 63
    assert Settings.from_context({"capacity": str(other)}, tmp_path).capacity.max_instances == 7


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("{", "it isn't JSON"),
        ([], "must be an object"),
        ({}, "must have sessions_per_instance"),
        ({**PLANNED, "min_instances": 0}, "must have min_instances"),
        ({**PLANNED, "max_instances": "9"}, "must have max_instances"),
        ({**PLANNED, "max_instances": 10_001}, "must have max_instances: a whole number from 1 to 10000"),
        ({**PLANNED, "target_sessions": True}, "must have target_sessions"),
        ({**PLANNED, "min_instances": 64}, "more min_instances than max_instances"),
        ({**PLANNED, "target_sessions": 2000}, "which is of one instance"),
    ],
)
def test_capacity_that_makes_no_sense_is_refused(tmp_path: Path, content: object, told: str) -> None:
    with pytest.raises(InvalidContext, match=told):
        settings(capacity=str(written(tmp_path, content)))


def test_capacity_that_isnt_there_is_refused() -> None:
    with pytest.raises(InvalidContext, match="No such file"):
        settings(capacity=str(NOTHING / "capacity.json"))


def test_capacity_of_another_machine_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, {**PLANNED, "instance_type": "ml.g5.xlarge"})

    with pytest.raises(InvalidContext, match=r"was measured on ml\.g5\.xlarge, and says nothing of ml\.c7i\.xlarge"):
        settings(capacity=str(path), instance_type="ml.c7i.xlarge")


def test_a_machine_that_isnt_named_is_the_one_that_the_capacity_was_measured_on(tmp_path: Path) -> None:
    path = written(tmp_path, {**PLANNED, "instance_type": "ml.c7i.xlarge"})

    assert settings(capacity=str(path)).instance_type == "ml.c7i.xlarge"
    assert Settings.from_context({}, tmp_path).instance_type == "ml.c7i.xlarge"


def test_a_capacity_of_a_machine_that_no_image_runs_on_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, {**PLANNED, "instance_type": "ml.c7g.xlarge"})

    with pytest.raises(InvalidContext, match=r"capacity ml\.c7g\.xlarge has an Arm processor"):
        settings(capacity=str(path))


@pytest.mark.parametrize(("least", "most"), [(0, 0), (1, 2), (0, 2)])
def test_a_fleet_that_stays_as_large_may_be_deployed_again(least: int, most: int) -> None:
    assert settings(deployed_min=least, deployed_max=str(most)).capacity == Capacity()


@pytest.mark.parametrize("scaling", [True, False])
@pytest.mark.parametrize(
    ("least", "most", "each", "told"),
    [
        (2, 2, 0, "2 to 2:"),
        (1, 3, 4, "1 to 3:"),
        (0, 9, 0, "1 to 9:"),
        (1, 1, 9, "1 to 1 with 9 sessions each, here 4:"),
        (1, 2, 5, "1 to 2 with 5 sessions each, here 4:"),
    ],
)
def test_a_fleet_that_would_become_smaller_is_left_alone(
    least: int, most: int, each: int, told: str, *, scaling: bool
) -> None:
    fleet = {"deployed_min": least, "deployed_max": most, "deployed_sessions": each, "scaling": scaling}

    with pytest.raises(
        InvalidContext, match=rf"^capacity of 1 to 2 instances is less than what is deployed, {told}.*--shrink"
    ):
        settings(**fleet)


def test_fewer_instances_that_take_as_many_sessions_are_no_smaller_fleet() -> None:
    assert settings(deployed_min=2, deployed_max=4, deployed_sessions=2).capacity == Capacity()


def test_instances_that_run_by_hand_are_left_alone_unless_nothing_scales() -> None:
    with pytest.raises(InvalidContext, match="less than what is deployed, 1 to 9"):
        settings(deployed_running=9)
    assert settings(deployed_running=9, scaling="false").capacity == Capacity()


def test_inference_profiles_are_known_by_the_same_places() -> None:
    assert account_checks.GEOGRAPHIES == GEOGRAPHIES


@pytest.mark.parametrize("prefix", ["primavoce", "still-life"])
@pytest.mark.parametrize("name", ["agent_stack", "endpoint", "runtime", "speech_stack", "weights_stack"])
def test_the_command_and_the_stacks_mean_the_same_names(prefix: str, name: str) -> None:
    assert getattr(Names(prefix), name) == getattr(command_names.Names(prefix), name)


@pytest.mark.parametrize("part", ["agent", "speech"])
def test_so_they_do_with_repositories(part: str) -> None:
    assert getattr(Names("tiny"), f"{part}_repository") == command_names.Names("tiny").repository(part)


def test_the_command_tells_the_stacks_what_they_know() -> None:
    choices = Choices(
        instance_type="ml.c7i.xlarge", checkout=NOTHING, model="amazon.nova-lite-v1:0", context=(("scaling", "false"),)
    )

    fleet = Fleet(1, 2).context()
    told = context_of(command_names.Names("tiny"), choices, speech_image="sha256:" + "5" * 64, fleet=fleet)

    assert Settings.from_context(told, NOTHING).name == "tiny"


def test_images_are_of_this_version_unless_named() -> None:
    assert Settings().speech_image == Settings().agent_image == primavoce.__version__


def test_the_readme_has_a_line_for_each_key_with_its_default() -> None:
    lines = README.read_text().splitlines()
    for each in fields(Settings):
        default = getattr(Settings(), each.name)
        told = {"": "|", "True": "`true` |"}.get(str(default), f"`{default}` |")
        if each.name == "capacity":
            told = "`capacity.json`, if it is there |"
        assert any(line.startswith(f"| `{each.name}` | {told}") for line in lines), each.name
