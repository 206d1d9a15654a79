"""``primavoce aws deploy``: what it says, and how it ends."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from primavoce.aws.account import Account
from primavoce.errors import ExtraMissing
from tests.aws.world import NAMES, World
from tests.cli.aws.running import run


@pytest.mark.aws
def test_deploy_agent_without_a_verified_endpoint_prints_the_command_that_comes_first(world: World) -> None:
    done = run("deploy", "agent", "--name", "primavoce")

    assert done.exit_code == 1
    assert "run `primavoce aws deploy speech`" in done.output
    assert world.commands == []


@pytest.mark.aws
def test_deploy_all_shows_each_step_and_what_comes_after(world: World) -> None:
    done = run("deploy", "all")

    assert done.exit_code == 0, done.output
    assert "[1/12] bucket and image repositories" in done.output
    assert "[12/12] the agent speaks" in done.output
    assert "`primavoce aws destroy` ends that" in done.output
    assert set(world.stacks) == set(NAMES.stacks)


@pytest.mark.aws
@pytest.mark.parametrize(
    ("command", "goes_on"),
    [(("cdk", "deploy"), True), (("docker", "buildx"), False), (("docker", "push"), False)],
)
def test_deploy_that_is_left_by_ctrl_c_says_how_to_go_on_and_what_goes_on_by_itself(
    world: World, monkeypatch: pytest.MonkeyPatch, command: tuple[str, str], *, goes_on: bool
) -> None:
    before = world.run

    def leave(argv: Sequence[str], **more: Any) -> object:
        words = [argv[0], *argv[3:]] if list(argv[1:2]) == ["--config"] else list(argv)
        if tuple(words[:2]) == command:
            raise KeyboardInterrupt
        return before(argv, **more)

    monkeypatch.setattr(world, "run", leave)

    done = run("deploy", "speech")

    assert done.exit_code == 130
    assert "run the same command again" in done.output
    assert ("what CloudFormation has begun goes on by itself" in done.output) == goes_on


@pytest.mark.aws
@pytest.mark.parametrize(
    ("pair", "told"),
    [
        ("instance_type=ml.c7i.xlarge", "--context: instance_type has an option of its own: say --instance-type"),
        ("deployed_min=0", "--context: deployed_min is looked up in the account"),
    ],
)
def test_deploy_takes_no_key_that_goes_past_what_it_decides_by(world: World, pair: str, told: str) -> None:
    done = run("deploy", "speech", "-c", pair)

    assert done.exit_code == 1
    assert told in done.output
    assert world.commands == []


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("-c", "foo=bar"), "--context: foo is no key of the stacks; known: "),
        (("-c", "name=foo"), "--context: name has an option of its own: say --name"),
        (("-c", "no sign"), "--context: must be KEY=VALUE"),
        (("--instance-type", "ml.c7g.xlarge"), "--instance-type: ml.c7g.xlarge has an Arm processor"),
        (("--name", "No"), "--name: must be up to 32 small letters"),
        (("--capacity", "/nonexistent.json"), "--capacity: there is no file"),
    ],
)
def test_mistakes_that_this_machine_can_tell_are_told_before_an_account_is_looked_for(
    monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], told: str
) -> None:
    monkeypatch.setattr(Account, "open", lambda: pytest.fail("an account was looked for"))

    done = run("deploy", "speech", *words)

    assert done.exit_code == 1
    assert told in done.output


PARTS = {
    "speech": ("primavoce.client.sagemaker.http2", ExtraMissing("a session through SageMaker", "aws")),
    "agent": ("primavoce.agent.runtime.deployed", ExtraMissing("a deployed agent", "agent")),
}


@pytest.mark.aws
@pytest.mark.parametrize(
    ("words", "lacking", "refused"),
    [
        (("deploy", "speech"), "speech", True),
        (("deploy", "speech"), "agent", False),
        (("deploy", "agent"), "agent", True),
        (("deploy",), "speech", True),
        (("deploy",), "agent", True),
        (("verify", "--part", "speech"), "speech", True),
        (("verify", "--part", "agent"), "speech", False),
        (("verify", "--part", "agent"), "agent", True),
        (("verify",), "agent", True),
    ],
)
def test_what_cant_be_verified_here_for_want_of_an_extra_isnt_begun(
    world: World, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], lacking: str, *, refused: bool
) -> None:
    module, error = PARTS[lacking]
    monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.delattr(module, raising=False)

    done = run(*words)

    assert (str(error) in done.output) == refused
    if refused:
        assert done.exit_code == 1
        assert world.commands == []
        assert "account" not in done.output


@pytest.mark.aws
def test_deploy_takes_every_key_of_the_stacks_that_isnt_decided_elsewhere(world: World) -> None:
    assert run("deploy", "speech", "-c", "idle_timeout_s=60", "-c", "@aws-cdk/core:x=true").exit_code == 0


@pytest.mark.aws
def test_deploy_with_a_capacity_that_isnt_there_fails_before_anything_is_done(world: World) -> None:
    done = run("deploy", "--capacity", "/nonexistent/capacity.json")

    assert done.exit_code == 1
    assert "`primavoce aws plan --out` writes one" in done.output
    assert world.commands == []


@pytest.mark.aws
def test_deploy_takes_no_instance_away_unless_it_is_told_to_shrink(world: World, tmp_path: Path) -> None:
    large = tmp_path / "capacity.json"
    told = {"sessions_per_instance": 40, "min_instances": 4, "max_instances": 20, "target_sessions": 32}
    large.write_text(json.dumps(told))
    assert run("deploy", "speech", "--capacity", str(large)).exit_code == 0

    done = run("deploy", "speech", "--speech-image", "1" * 20)  # back to an image of before

    assert done.exit_code == 1
    assert "1 to 2 instances is less than what is deployed, 4 to 20" in done.output
    assert world.limits == (4, 20)
    assert run("deploy", "speech", "--shrink").exit_code == 0
    assert world.limits == (1, 2)
