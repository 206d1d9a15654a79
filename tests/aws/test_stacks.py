"""Stacks, deployed by a recorded CDK and looked at through stubs; their names begin with what they are: stacks."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from primavoce.aws.commands import LocalCommands
from primavoce.aws.names import Names
from primavoce.aws.stacks import Stack, deploy_argv
from primavoce.aws.waiting import Waiting
from primavoce.errors import StepFailed

NAME = "primavoce-speech"
THEN = datetime(2026, 1, 1, tzinfo=UTC)


def quickly() -> Waiting:
    return Waiting(sleep=lambda _: None)


def state(status: str, reason: str = "") -> dict[str, object]:
    outputs = [{"OutputKey": "EndpointName", "OutputValue": NAME}]
    found = {"StackName": NAME, "CreationTime": THEN, "StackStatus": status, "Outputs": outputs}
    return {"Stacks": [{**found, "StackStatusReason": reason} if reason else found]}


def event(number: int, status: str, reason: str) -> dict[str, object]:
    return {
        "StackId": "s",
        "EventId": str(number),
        "StackName": NAME,
        "Timestamp": THEN,
        "LogicalResourceId": f"Thing{number}",
        "ResourceType": "AWS::SageMaker::Endpoint",
        "ResourceStatus": status,
        "ResourceStatusReason": reason,
    }


def happened(stubbed, *events: dict[str, object]) -> None:
    stubbed.answer("cloudformation", "describe_stack_events", {"StackEvents": list(events)}, StackName=NAME)


def test_one_of_the_stacks_is_deployed_and_those_before_it_are_left_alone() -> None:
    argv = deploy_argv(NAME, {"name": "primavoce", "capacity": "/c.json"})

    assert argv[:3] == ("cdk", "deploy", NAME)
    assert "--exclusively" in argv
    assert argv[argv.index("--require-approval") + 1] == "never"
    assert [argv[place + 1] for place, word in enumerate(argv) if word == "--context"] == [
        "name=primavoce",
        "capacity=/c.json",
    ]


@pytest.mark.parametrize(
    ("status", "in_progress", "stands"),
    [
        ("CREATE_COMPLETE", False, True),
        ("UPDATE_COMPLETE_CLEANUP_IN_PROGRESS", True, False),
        ("UPDATE_ROLLBACK_COMPLETE", False, True),
        ("ROLLBACK_COMPLETE", False, False),
        ("DELETE_FAILED", False, False),
        ("REVIEW_IN_PROGRESS", False, False),
    ],
)
def test_what_a_stacks_status_means(status: str, *, in_progress: bool, stands: bool) -> None:
    assert (Stack(NAME, status).in_progress, Stack(NAME, status).stands) == (in_progress, stands)


@pytest.mark.aws
def test_stacks_that_a_deployment_was_left_with_are_waited_for_before_the_next(
    programs, stubbed, tmp_path: Path
) -> None:
    from primavoce.aws.stacks import deploy

    (tmp_path / "infra").mkdir()
    programs.add("cdk")
    for status in ("CREATE_IN_PROGRESS", "CREATE_COMPLETE"):
        stubbed.answer("cloudformation", "describe_stacks", state(status), StackName=NAME)
    happened(stubbed)
    stubbed.answer("cloudformation", "describe_stacks", state("UPDATE_COMPLETE"), StackName=NAME)

    found = deploy(LocalCommands(), stubbed.account, Names(), NAME, {}, checkout=tmp_path, waiting=quickly())

    assert (found.status, found.outputs) == ("UPDATE_COMPLETE", {"EndpointName": NAME})
    assert [call["folder"] for call in programs.calls("cdk")] == [str(tmp_path / "infra")]


@pytest.mark.aws
def test_stacks_that_fail_tell_the_first_cause_and_not_its_echoes(programs, stubbed, tmp_path: Path) -> None:
    from primavoce.aws.stacks import deploy

    (tmp_path / "infra").mkdir()
    programs.add("cdk", ("deploy", 1, "❌ failed"))
    older = event(1, "CREATE_FAILED", "an older one")
    stubbed.answer("cloudformation", "describe_stacks", state("UPDATE_ROLLBACK_COMPLETE"), StackName=NAME)
    happened(stubbed, older)
    happened(
        stubbed,
        event(4, "CREATE_FAILED", "The following resource(s) failed to create: [Thing2]"),
        event(3, "CREATE_FAILED", "Resource creation cancelled"),
        event(2, "CREATE_FAILED", "The account-level service limit 'ml.g5.xlarge for endpoint usage' is 0 Instances"),
        older,
    )

    with pytest.raises(StepFailed) as caught:
        deploy(LocalCommands(), stubbed.account, Names(), NAME, {}, checkout=tmp_path, waiting=quickly())

    assert "service limit 'ml.g5.xlarge for endpoint usage' is 0" in str(caught.value)
    assert "cancelled" not in str(caught.value)
    assert "older" not in str(caught.value)


@pytest.mark.aws
def test_stacks_that_cdk_couldnt_even_begin_tell_the_stacks_own_sentence(programs, stubbed, tmp_path: Path) -> None:
    from primavoce.aws.stacks import deploy

    (tmp_path / "infra").mkdir()
    programs.add("cdk", ("deploy", 1, "primavoce: instance_type must be an instance type"))
    gone = f"Stack with id {NAME} does not exist"
    stubbed.refuse("cloudformation", "describe_stacks", "ValidationError", gone)
    for _ in range(2):
        stubbed.refuse("cloudformation", "describe_stack_events", "ValidationError", gone)

    with pytest.raises(StepFailed, match=r"^deploying primavoce-speech failed: instance_type must be"):
        deploy(LocalCommands(), stubbed.account, Names(), NAME, {}, checkout=tmp_path, waiting=quickly())


@pytest.mark.aws
def test_stacks_that_cant_be_deleted_tell_why(stubbed) -> None:
    from primavoce.aws.stacks import delete

    stubbed.answer("cloudformation", "describe_stacks", state("CREATE_COMPLETE"), StackName=NAME)
    happened(stubbed)
    stubbed.answer("cloudformation", "delete_stack", {}, StackName=NAME)
    stubbed.answer("cloudformation", "describe_stacks", state("DELETE_IN_PROGRESS"), StackName=NAME)
    stubbed.answer("cloudformation", "describe_stacks", state("DELETE_FAILED"), StackName=NAME)
    happened(stubbed, event(1, "DELETE_FAILED", "Export primavoce-speech:Endpoint cannot be deleted as it is in use"))

    with pytest.raises(StepFailed, match="cannot be deleted as it is in use"):
        delete(stubbed.account, NAME, quickly())


@pytest.mark.aws
@pytest.mark.parametrize("before", ["CREATE_COMPLETE", "DELETE_FAILED"])
def test_stacks_that_still_seem_to_stand_right_after_they_were_to_go_are_looked_at_again(stubbed, before: str) -> None:
    from primavoce.aws.stacks import delete

    stubbed.answer("cloudformation", "describe_stacks", state(before), StackName=NAME)
    happened(stubbed)
    stubbed.answer("cloudformation", "delete_stack", {}, StackName=NAME)
    for status in (before, "DELETE_IN_PROGRESS"):
        stubbed.answer("cloudformation", "describe_stacks", state(status), StackName=NAME)
    stubbed.refuse("cloudformation", "describe_stacks", "ValidationError", f"Stack with id {NAME} does not exist")

    assert delete(stubbed.account, NAME, quickly())


@pytest.mark.aws
def test_stacks_that_go_on_standing_are_not_waited_for_for_ever(stubbed) -> None:
    from primavoce.aws.stacks import STALE_LOOKS, delete

    stubbed.answer("cloudformation", "describe_stacks", state("CREATE_COMPLETE"), StackName=NAME)
    happened(stubbed)
    stubbed.answer("cloudformation", "delete_stack", {}, StackName=NAME)
    for _ in range(STALE_LOOKS + 1):
        stubbed.answer("cloudformation", "describe_stacks", state("CREATE_COMPLETE"), StackName=NAME)
    happened(stubbed)

    with pytest.raises(StepFailed, match="CREATE_COMPLETE"):
        delete(stubbed.account, NAME, quickly())


@pytest.mark.aws
def test_stacks_that_arent_there_need_no_deleting(stubbed) -> None:
    from primavoce.aws.stacks import delete

    stubbed.refuse("cloudformation", "describe_stacks", "ValidationError", f"Stack with id {NAME} does not exist")

    assert not delete(stubbed.account, NAME, quickly())


@pytest.mark.aws
def test_stacks_that_fail_on_a_clock_of_their_own_tell_why_and_nothing_from_before(stubbed) -> None:
    from primavoce.aws.stacks import failures, latest_event

    first = event(1, "CREATE_FAILED", "of last year")
    happened(stubbed, first)
    before = latest_event(stubbed.account, NAME)
    happened(stubbed, event(2, "UPDATE_FAILED", "of now") | {"Timestamp": datetime(1999, 1, 1, tzinfo=UTC)}, first)

    assert failures(stubbed.account, NAME, since=before) == ["Thing2 (AWS::SageMaker::Endpoint): of now"]


@pytest.mark.aws
def test_stacks_whose_past_cant_be_told_are_not_told_of_with_old_reasons(stubbed) -> None:
    from primavoce.aws.stacks import failures, latest_event

    stubbed.refuse("cloudformation", "describe_stack_events", "Throttling")

    before = latest_event(stubbed.account, NAME)

    assert failures(stubbed.account, NAME, since=before) == []
