"""Deployments: their steps in order, repeated after failures, and never an agent on what doesn't speak."""

from collections.abc import Callable
from pathlib import Path

import pytest

from primavoce.aws.deploying import Deployment
from primavoce.aws.steps import Choices, Step, Target
from primavoce.aws.waiting import Waiting
from primavoce.errors import EndpointNotVerified, StepFailed
from tests.aws.world import NAMES, World, digest_of

pytestmark = [pytest.mark.aws]


def run(
    world: World,
    target: Target,
    *,
    speaks: Callable[[], bool] = lambda: True,
    answers: Callable[[], bool] = lambda: True,
    **choices: object,
) -> list[Step]:
    """Deploy, and return the steps that were begun."""
    begun: list[Step] = []

    def insist(holds: bool) -> None:
        if not holds:
            raise StepFailed("verifying", "it is silent")

    deployment = Deployment(
        world.account(),
        world,
        NAMES,
        Choices(instance_type="ml.g5.xlarge", checkout=Path("/checkout"), **choices),  # type: ignore[arg-type]
        Waiting(sleep=lambda _: None),
        verify_speech=lambda _: insist(speaks()),
        verify_agent=lambda _: insist(answers()),
        on_step=lambda step, *_: begun.append(step),
    )
    try:
        deployment.run(target)
    finally:
        world.begun = begun
    return begun


def test_all_goes_from_nothing_to_a_verified_agent() -> None:
    world = World()

    run(world, "all")

    assert [argv[2] for argv in world.ran("cdk", "deploy")] == [
        "primavoce-weights",
        "primavoce-speech",
        "primavoce-agent",
    ]
    assert world.tags == {"primavoce:verified": f"config-1@{digest_of('1' * 20)}"}


def test_the_stacks_get_the_digest_of_what_was_pushed_and_not_a_tag_that_may_move() -> None:
    world = World()

    run(world, "speech")

    [_, speech] = world.ran("cdk", "deploy")
    assert f"speech_image={digest_of('1' * 20)}" in speech


def test_an_endpoint_that_doesnt_speak_is_not_marked_and_gets_no_agent() -> None:
    world = World()

    with pytest.raises(StepFailed, match="it is silent"):
        run(world, "all", speaks=lambda: False)

    assert world.tags == {}
    assert "primavoce-agent" not in world.stacks
    with pytest.raises(EndpointNotVerified, match="primavoce aws verify --part speech"):
        run(world, "agent")
    assert world.begun == [Step.GATE]
    assert not world.ran("docker", "buildx", "build", "--platform", "linux/arm64")


def test_an_agent_without_an_endpoint_is_told_what_comes_first() -> None:
    world = World()

    with pytest.raises(EndpointNotVerified, match="primavoce aws deploy speech"):
        run(world, "agent")

    assert world.commands == []


def test_a_changed_endpoint_is_verified_again_and_an_unchanged_one_is_not() -> None:
    world, verified = World(), []

    def speaks() -> bool:
        verified.append(world.endpoint["config"])
        return True

    run(world, "speech", speaks=speaks)
    run(world, "speech", speaks=speaks)
    world.image_id = f"sha256:{'2' * 64}"
    run(world, "speech", speaks=speaks)

    assert verified == ["config-1", "config-2"]


@pytest.mark.parametrize(
    "failing",
    [
        "cdk deploy primavoce-weights",
        "docker buildx build --platform linux/amd64",
        "docker push",
        "cdk deploy primavoce-speech",
        "docker buildx build --platform linux/arm64",
        "cdk deploy primavoce-agent",
    ],
)
def test_after_a_failure_the_same_command_gets_there(failing: str) -> None:
    world = World(failing=failing)
    with pytest.raises(StepFailed):
        run(world, "all")

    world.failing = ""
    run(world, "all")

    assert set(world.stacks) == set(NAMES.stacks)
    assert len(world.ran("docker", "push")) == (3 if failing == "docker push" else 2)


def test_what_was_pushed_before_is_not_pushed_again() -> None:
    world = World()

    run(world, "speech")
    run(world, "speech")

    assert len(world.ran("docker", "push")) == 1


def test_an_image_that_is_given_is_looked_up_and_deployed_by_its_digest() -> None:
    world = World(images={"primavoce/speech": {"old"}, "primavoce/agent": set()})

    run(world, "speech", speech_image="old")

    assert not world.ran("docker")
    assert f"speech_image={digest_of('old')}" in world.ran("cdk", "deploy")[-1]
    with pytest.raises(StepFailed, match="primavoce/speech has no image other"):
        run(world, "speech", speech_image="other")


def test_a_runtime_that_fails_tells_agentcores_reason() -> None:
    world = World()
    run(world, "speech")
    world.runtime_status = "CREATE_FAILED"

    with pytest.raises(StepFailed, match="the image is for amd64"):
        run(world, "agent")


def test_an_agent_that_doesnt_answer_as_it_should_is_told() -> None:
    world = World()

    with pytest.raises(StepFailed, match="it is silent"):
        run(world, "all", answers=lambda: False)
