"""``primavoce aws destroy``: what it says, and how it ends."""

import json
from collections.abc import Callable

import pytest

from primavoce.cli.aws_view import leftovers_view
from tests.aws.world import NAMES, World
from tests.cli.aws.running import run, shown


@pytest.fixture
def taken_down(monkeypatch: pytest.MonkeyPatch, world: World) -> Callable[[], list[str]]:
    """Let deleting be noted, and nothing be left."""
    from primavoce.aws import destroying, leftovers

    done: list[str] = []
    monkeypatch.setattr(destroying, "doomed", lambda *_: [destroying.Doomed("primavoce-agent", "CREATE_COMPLETE", ())])
    monkeypatch.setattr(destroying, "destroy", lambda *_, **__: done.append("destroyed"))
    monkeypatch.setattr(leftovers, "leftovers", lambda *_: leftovers.Leftovers((), ()))
    return lambda: done


@pytest.mark.aws
@pytest.mark.parametrize(
    ("typed", "status", "done"), [("primavoce\n", 0, ["destroyed"]), ("yes\n", 1, []), ("\n", 1, [])]
)
def test_destroy_asks_for_the_deployments_name(taken_down, typed: str, status: int, done: list[str]) -> None:
    found = run("destroy", typed=typed)

    assert (found.exit_code, taken_down()) == (status, done)


@pytest.mark.aws
def test_destroy_with_yes_asks_nothing_and_a_dry_run_deletes_nothing(taken_down) -> None:
    assert run("destroy", "--dry-run").exit_code == 0
    assert taken_down() == []
    assert run("destroy", "--yes").exit_code == 0
    assert taken_down() == ["destroyed"]


@pytest.mark.aws
def test_a_dry_run_tells_programs_what_would_go_in_order_and_no_command_that_goes_past_the_stacks(
    standing: World,
) -> None:
    done = run("destroy", "--dry-run", "--json")

    told = json.loads(done.stdout)
    assert (done.exit_code, told["dry_run"]) == (0, True)
    assert [each["stack"] for each in told["deletes"]["stacks"]] == list(reversed(NAMES.stacks))
    assert told["deletes"]["stacks"][0]["resources"] == ["A::Thing primavoce-agent"]
    assert told["deletes"]["log_groups"] == [f"/aws/sagemaker/Endpoints/{NAMES.endpoint}"]
    assert [(each["name"], each["remedy"]) for each in told["found"]] == [(NAMES.endpoint, "")]
    assert set(standing.stacks) == set(NAMES.stacks)


@pytest.mark.aws
def test_a_dry_run_calls_nothing_a_leftover_that_stands(standing: World) -> None:
    told = run("destroy", "--dry-run").output

    plan, there = told.split("there now:\n")
    assert f"    /aws/sagemaker/Endpoints/{NAMES.endpoint}\n" in plan
    assert there == f"endpoint {NAMES.endpoint}: bills each instance\n1 there now that can bill\n"


@pytest.mark.aws
def test_destroy_tells_programs_what_it_has_deleted_and_what_is_left(standing: World) -> None:
    told = json.loads(run("destroy", "--yes", "--json").stdout)

    assert told["dry_run"] is False
    assert [each["stack"] for each in told["deletes"]["stacks"]] == list(reversed(NAMES.stacks))
    assert (told["clean"], told["found"], standing.stacks) == (True, [], {})


@pytest.mark.aws
def test_destroy_fails_when_something_is_left_or_cant_be_seen(taken_down, monkeypatch: pytest.MonkeyPatch) -> None:
    from primavoce.aws import leftovers

    blind = leftovers.Leftovers((), (leftovers.Unseen("buckets", "you may not"),))
    monkeypatch.setattr(leftovers, "leftovers", lambda *_: blind)

    done = run("destroy", "--yes")

    assert done.exit_code == 1
    assert "it can't be told whether anything is left of: buckets" in done.output
    assert "you may not" in shown(leftovers_view(blind))


def test_a_name_that_cant_be_one_is_told() -> None:
    done = run("destroy", "--name", "No Such")

    assert done.exit_code == 1
    assert "small letters, digits and single hyphens" in done.output
