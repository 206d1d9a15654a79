"""Taking down in the right order, in an account where not everything goes."""

import pytest

from primavoce.aws.destroying import Deletion, Doomed, destroy, doomed, planned
from primavoce.aws.waiting import Waiting
from primavoce.errors import StepFailed
from tests.aws.world import NAMES, World, refusal

pytestmark = [pytest.mark.aws]
LOG_GROUP = "/aws/sagemaker/Endpoints/primavoce-speech"


def standing() -> World:
    """Return an account with a deployment."""
    return World(
        stacks=dict.fromkeys(NAMES.stacks, "CREATE_COMPLETE"),
        images={"primavoce/speech": {"1"}},
        endpoint={"config": "config-1", "digest": "sha256:1", "status": "InService"},
        limits=(1, 2),
        log_groups={LOG_GROUP, "/aws/sagemaker/Endpoints/another"},
    )


def take_down(world: World) -> list[str]:
    told: list[str] = []
    destroy(world.account(), NAMES, Waiting(sleep=lambda _: None), on_note=told.append)
    return told


def test_what_needs_another_stack_goes_before_it_and_logs_go_last() -> None:
    world = standing()

    told = take_down(world)

    assert world.deleted == ["primavoce-agent", "primavoce-speech", "primavoce-weights"]
    assert told[-1] == f"log group {LOG_GROUP} deleted"
    assert (world.stacks, world.endpoint, world.log_groups) == ({}, None, {"/aws/sagemaker/Endpoints/another"})


@pytest.mark.parametrize(
    ("stack", "left"),
    [
        ("primavoce-agent", {*NAMES.stacks}),
        ("primavoce-speech", {"primavoce-speech", "primavoce-weights"}),
        ("primavoce-weights", {"primavoce-weights"}),
    ],
)
def test_what_cant_be_deleted_tells_why_and_what_it_stands_on_stays_until_the_same_command_gets_there(
    stack: str, left: set[str]
) -> None:
    world = standing()
    world.wont_go = {stack: "a role can't be assumed"}

    with pytest.raises(StepFailed, match=rf"deleting {stack} failed: Thing \(A::Thing\): a role can't be assumed"):
        take_down(world)

    assert set(world.stacks) == left
    assert LOG_GROUP in world.log_groups
    world.wont_go = {}
    take_down(world)
    assert world.stacks == {}


def test_a_second_failure_tells_its_own_reason_and_not_the_first_again() -> None:
    world = standing()

    for reason in ("the first", "the second"):
        world.wont_go = {"primavoce-agent": reason}
        with pytest.raises(StepFailed) as caught:
            take_down(world)
        assert str(caught.value).count("A::Thing") == 1
        assert reason in str(caught.value)


def test_what_was_rolled_back_or_never_made_is_taken_down_like_the_rest() -> None:
    world = standing()
    world.stacks = {"primavoce-weights": "UPDATE_ROLLBACK_COMPLETE", "primavoce-speech": "ROLLBACK_COMPLETE"}
    world.endpoint = None

    assert [each.status for each in doomed(world.account(), NAMES)] == [
        "not there",
        "ROLLBACK_COMPLETE",
        "UPDATE_ROLLBACK_COMPLETE",
    ]
    told = take_down(world)

    assert told[:3] == ["primavoce-agent was not there", "primavoce-speech deleted", "primavoce-weights deleted"]


def test_a_failed_endpoint_is_taken_down_with_its_stack() -> None:
    world = standing()
    world.endpoint = {"config": "config-1", "digest": "sha256:1", "status": "Failed"}

    take_down(world)

    assert world.endpoint is None


def test_a_plan_has_the_stacks_in_order_and_the_log_groups() -> None:
    world = standing()

    assert planned(world.account(), NAMES) == Deletion(
        tuple(Doomed(each, "CREATE_COMPLETE", (f"A::Thing {each}",)) for each in reversed(NAMES.stacks)), (LOG_GROUP,)
    )


def test_log_groups_that_nobody_may_list_are_not_told_as_none() -> None:
    class Blind(World):
        def _logs(self) -> None:
            raise refusal("AccessDeniedException", "you may not")

    assert planned(Blind().account(), NAMES).log_groups is None
