"""Deployments: their steps in order, repeated after failures, and never an agent on what doesn't speak."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from primavoce.aws import images
from primavoce.aws.deploying import Deployment
from primavoce.aws.steps import Choices, Step, Target
from primavoce.aws.waiting import Waiting
from primavoce.errors import AccountRefused, EndpointNotVerified, StepFailed
from tests.aws.world import NAMES, World, digest_of, refusal

pytestmark = [pytest.mark.aws]


def run(
    world: World,
    target: Target,
    *,
    speaks: Callable[[], bool] = lambda: True,
    answers: Callable[[], bool] = lambda: True,
    meanwhile: Callable[[Step], None] = lambda _: None,
    notes: Callable[[str], None] = lambda _: None,
    **choices: object,
) -> list[Step]:
    """Deploy, and return the steps that were begun."""
    begun: list[Step] = []

    def insist(holds: bool) -> None:
        if not holds:
            raise StepFailed("verifying", "it is silent")

    def on_step(step: Step, *_: int) -> None:
        begun.append(step)
        meanwhile(step)

    deployment = Deployment(
        world.account(),
        world,
        NAMES,
        Choices(**{"instance_type": "ml.g5.xlarge", "checkout": Path("/checkout"), **choices}),  # type: ignore[arg-type]
        Waiting(sleep=lambda _: None),
        verify_speech=lambda _: insist(speaks()),
        verify_agent=lambda _: insist(answers()),
        on_step=on_step,
        on_note=notes,
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
    assert world.kept == [(f"primavoce/{part}", digest_of("1" * 20)) for part in ("speech", "agent")]


def test_the_stacks_get_the_digest_of_what_was_pushed_and_not_a_tag_that_may_move() -> None:
    world = World()

    run(world, "speech")

    [_, speech] = world.ran("cdk", "deploy")
    assert f"speech_image={digest_of('1' * 20)}" in speech


def test_what_cant_be_kept_has_spoken_all_the_same_and_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def cant_be_kept(*_: object) -> None:
        raise AccountRefused("ecr:PutImage", "no")

    world, told = World(), []
    monkeypatch.setattr(images, "keep", cant_be_kept)

    run(world, "all", notes=told.append)

    assert world.tags
    for part, again in (("speech", "verify --part speech"), ("agent", "deploy agent")):
        (note,) = (each for each in told if f"primavoce/{part}@sha256:" in each)
        assert "doesn't allow ecr:PutImage" in note
        assert f"run `primavoce aws {again}` again" in note


def test_an_endpoint_that_doesnt_speak_is_not_marked_and_gets_no_agent() -> None:
    world = World()

    with pytest.raises(StepFailed, match="it is silent"):
        run(world, "all", speaks=lambda: False)

    assert (world.tags, world.kept) == ({}, [])
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


# --- what AWS takes back


@pytest.mark.parametrize(
    ("stack", "left"), [("primavoce-weights", []), ("primavoce-speech", [0]), ("primavoce-agent", [0, 1])]
)
def test_a_first_deployment_that_is_rolled_back_tells_the_cause_and_the_same_command_gets_there(
    stack: str, left: list[int]
) -> None:
    world = World(rolls_back={stack: "the quota is 0"})

    with pytest.raises(StepFailed, match=rf"deploying {stack} failed: Thing \(A::Thing\): the quota is 0;") as caught:
        run(world, "all")

    assert "cancelled" not in str(caught.value)
    assert world.stacks == {NAMES.stacks[each]: "CREATE_COMPLETE" for each in left} | {stack: "ROLLBACK_COMPLETE"}
    world.rolls_back.clear()
    run(world, "all")
    assert world.stacks[stack] == "CREATE_COMPLETE"
    assert world.tags


def test_a_change_that_is_rolled_back_leaves_what_spoke_before_and_a_second_one_tells_its_own_cause() -> None:
    world = World()
    run(world, "speech")
    verified = dict(world.tags)
    world.image_id = f"sha256:{'2' * 64}"

    for cause in ("the image is broken", "the role is gone"):
        world.rolls_back = {"primavoce-speech": cause}
        with pytest.raises(StepFailed) as caught:
            run(world, "speech")
        assert str(caught.value).count("A::Thing") == 1
        assert cause in str(caught.value)

    assert world.stacks["primavoce-speech"] == "UPDATE_ROLLBACK_COMPLETE"
    assert world.endpoint == {"config": "config-1", "digest": digest_of("1" * 20), "status": "InService"}
    assert world.tags == verified
    assert world.kept == [("primavoce/speech", digest_of("1" * 20))]  # pushes that fail don't count
    world.rolls_back.clear()
    assert run(world, "agent")[0] is Step.GATE  # what runs is what was verified


def test_an_endpoint_that_fails_tells_sagemakers_reason_and_the_containers_last_words() -> None:
    world = World(endpoint_fails="did not pass the ping health check", log=["cuda can't be used: no driver"])

    with pytest.raises(StepFailed, match=r"(?s)Failed: did not pass the ping.*last lines:\ncuda can't be used"):
        run(world, "all")

    assert world.begun[-1] is Step.ENDPOINT
    assert world.tags == {}
    with pytest.raises(EndpointNotVerified, match="is Failed; run `primavoce aws deploy speech`"):
        run(world, "agent")
    world.endpoint_fails = ""
    run(world, "all")
    assert set(world.stacks) == set(NAMES.stacks)


def test_an_endpoint_that_fails_while_the_agent_is_built_gets_no_agent() -> None:
    world = World()
    run(world, "speech")

    def fail_now(step: Step) -> None:
        if step is Step.PUSH_AGENT:
            world.endpoint["status"] = "Failed"

    with pytest.raises(EndpointNotVerified, match="is Failed"):
        run(world, "agent", meanwhile=fail_now)

    assert world.begun[-1] is Step.AGENT
    assert "primavoce-agent" not in world.stacks


@pytest.mark.parametrize(("stale", "deployed"), [(1, True), (2, False)])
def test_a_tag_that_isnt_told_yet_is_looked_for_once_more(stale: int, *, deployed: bool) -> None:
    world = World()
    run(world, "speech")
    world.stale_tags = stale

    if deployed:
        run(world, "agent")
    else:
        with pytest.raises(EndpointNotVerified, match="has never been verified"):
            run(world, "agent")

    assert ("primavoce-agent" in world.stacks) == deployed


# --- a fleet that is there


def capacity(folder: Path, least: int, most: int, **more: object) -> Path:
    file = folder / "capacity.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    told = {"sessions_per_instance": 40, "min_instances": least, "max_instances": most, "target_sessions": 32, **more}
    file.write_text(json.dumps(told))
    return file


def test_a_large_fleet_is_cut_down_by_no_redeployment_that_doesnt_say_so(tmp_path: Path) -> None:
    world = World()
    run(world, "speech", capacity=capacity(tmp_path, 4, 20))
    world.instances = 11

    with pytest.raises(StepFailed) as caught:
        run(world, "speech")

    told = str(caught.value)
    assert "capacity of 1 to 2 instances is less than what is deployed, 4 to 20 with 40 sessions each, here 4" in told
    assert "say the --capacity that it was deployed with, or --shrink" in told
    assert "Subprocess" not in told
    assert (world.begun, world.limits, world.instances) == ([Step.WEIGHTS], (4, 20), 11)
    assert len(world.ran("docker", "buildx")) == 1
    run(world, "speech", shrink=True)
    assert (world.limits, world.instances) == ((1, 2), 2)


@pytest.mark.parametrize(("least", "most", "passes"), [(4, 20, True), (5, 30, True), (3, 20, False), (4, 19, False)])
def test_neither_the_least_nor_the_most_instances_may_become_fewer(
    tmp_path: Path, least: int, most: int, *, passes: bool
) -> None:
    world = World()
    run(world, "speech", capacity=capacity(tmp_path / "old", 4, 20))

    again = capacity(tmp_path / "new", least, most)
    if passes:
        run(world, "speech", capacity=again)
    else:
        with pytest.raises(StepFailed, match="is less than what is deployed"):
            run(world, "speech", capacity=again)

    assert world.limits == ((least, most) if passes else (4, 20))


UNSCALED = (("scaling", "false"),)


def test_a_fleet_whose_scaling_was_taken_away_keeps_the_limits_that_it_had(tmp_path: Path) -> None:
    world = World()
    large = capacity(tmp_path, 4, 20)
    run(world, "speech", capacity=large)
    world.instances = 11

    with pytest.raises(StepFailed, match="1 to 2 instances is less than what is deployed, 4 to 20"):
        run(world, "speech", context=UNSCALED)  # takes no instance away; but the next one would not know of them
    run(world, "speech", capacity=large, context=UNSCALED)
    assert (world.limits, world.instances) == (None, 11)
    for least, most in ((1, 20), (4, 11)):
        with pytest.raises(StepFailed, match=f"{least} to {most} instances is less than what is deployed, 4 to 20"):
            run(world, "speech", capacity=capacity(tmp_path / "other", least, most))
    run(world, "speech", capacity=large)
    assert world.limits == (4, 20)


def test_what_runs_by_hand_stays_when_scaling_comes(tmp_path: Path) -> None:
    world = World()
    run(world, "speech", context=UNSCALED)
    world.instances = 11

    run(world, "speech", context=UNSCALED)  # takes none away
    assert world.instances == 11
    with pytest.raises(StepFailed, match="1 to 2 instances is less than what is deployed, 1 to 11"):
        run(world, "speech")
    assert world.instances == 11


@pytest.mark.parametrize(
    ("least", "most", "each", "passes"),
    [(1, 2, 160, True), (1, 2, 159, False), (4, 20, 10, False), (4, 8, 40, True), (4, 8, 39, False)],
)
def test_fewer_instances_of_another_type_are_enough_if_they_take_as_many_sessions(
    tmp_path: Path, least: int, most: int, each: int, *, passes: bool
) -> None:
    world = World()
    old = capacity(tmp_path / "old", 1, 8, instance_type="ml.g5.xlarge")
    run(world, "speech", capacity=old)
    world.instances = 8
    run(world, "speech", capacity=old, context=UNSCALED)

    other = {"sessions_per_instance": each, "target_sessions": 1, "instance_type": "ml.g6.12xlarge"}
    again = capacity(tmp_path / "new", least, most, **other)
    if passes:
        run(world, "speech", capacity=again, instance_type="ml.g6.12xlarge")
    else:
        with pytest.raises(StepFailed, match=f"with 40 sessions each, here {each}|4 to 8"):
            run(world, "speech", capacity=again, instance_type="ml.g6.12xlarge")

    assert world.limits == ((least, most) if passes else None)


def test_a_capacity_beside_the_stacks_is_what_a_deployment_without_one_goes_by(tmp_path: Path) -> None:
    world = World()
    capacity(tmp_path / "infra", 4, 20, instance_type="ml.c7i.xlarge")

    with pytest.raises(StepFailed, match=r"was measured on ml\.c7i\.xlarge, and says nothing of ml\.g5\.xlarge"):
        run(world, "speech", checkout=tmp_path)
    run(world, "speech", checkout=tmp_path, instance_type="ml.c7i.xlarge")
    assert world.limits == (4, 20)
    run(world, "agent", checkout=tmp_path)  # whose instances those aren't
    assert world.limits == (4, 20)


def test_who_may_not_see_the_fleet_is_told_so_before_anything_is_built() -> None:
    class Blind(World):
        def describe_scalable_targets(self, **_: object) -> None:
            raise refusal("AccessDeniedException", "you may not see it")

        def _application_autoscaling(self) -> object:
            return self

    world = Blind()

    with pytest.raises(AccountRefused, match="application-autoscaling:DescribeScalableTargets"):
        run(world, "speech")

    assert world.commands == []
    run(world, "speech", shrink=True)


# --- images


def test_what_was_pushed_before_is_not_pushed_again() -> None:
    world = World()

    run(world, "speech")
    run(world, "speech")

    assert len(world.ran("docker", "push")) == 1


def test_an_image_that_is_given_is_looked_up_and_deployed_by_its_digest() -> None:
    world = World(images={"primavoce/speech": {"01d"}, "primavoce/agent": set()})

    run(world, "speech", speech_image="01d")

    assert not world.ran("docker")
    assert f"speech_image={digest_of('01d')}" in world.ran("cdk", "deploy")[-1]
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
