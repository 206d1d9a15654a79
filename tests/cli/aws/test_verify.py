"""``primavoce aws verify`` and ``status``: what they say, and how they end."""

import json
from typing import NoReturn

import pytest

from primavoce.cli import aws_run
from primavoce.cli.aws_view import standing_view
from tests.aws.world import NAMES, World, refusal
from tests.cli.aws.running import SAID, run, shown


def _refusing(action: str) -> NoReturn:
    raise refusal("AccessDeniedException", f"you may not ecr:{action}")


@pytest.mark.aws
def test_verify_marks_an_endpoint_that_speaks_and_none_that_doesnt(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("deploy", "speech")
    world.tags.clear()

    assert run("verify", "--part", "speech").exit_code == 0
    assert "primavoce:verified" in world.tags
    world.tags.clear()
    monkeypatch.setattr(aws_run, "_speech", lambda *_, **__: False)
    assert run("verify", "--part", "speech").exit_code == 1
    assert world.tags == {}


@pytest.mark.aws
def test_verify_counts_what_has_spoken_though_its_image_cant_be_kept(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("deploy", "speech")
    world.tags.clear()
    monkeypatch.setattr(world, "_ecr", lambda: _refusing("BatchGetImage"))

    done = run("verify", "--part", "speech", "--json", *SAID)

    assert done.exit_code == 0
    assert json.loads(done.stdout)["passed"] is True
    assert "primavoce:verified" in world.tags
    again = f"run `primavoce aws verify --part speech {' '.join(SAID)}` again"
    assert "· later pushes may have primavoce/speech@sha256:" in done.stderr
    assert again in done.stderr


@pytest.mark.aws
def test_verify_prints_json_also_where_it_ends_by_an_error(world: World) -> None:
    nothing = run("verify", "--json")
    run("deploy", "speech")
    no_agent = run("verify", "--json")

    for done, told in ((nothing, "primavoce-speech isn't there"), (no_agent, "primavoce_agent isn't there")):
        found = json.loads(done.stdout)
        assert (done.exit_code, found["passed"], found["error"]["code"]) == (1, False, "step_failed")
        assert told in found["error"]["message"]
        assert told in done.stderr


@pytest.mark.aws
@pytest.mark.parametrize("option", ["--speech-image", "--agent-image"])
def test_an_image_that_cant_be_one_is_refused_before_anything_is_deployed(world: World, option: str) -> None:
    done = run("deploy", option, "bad tag")

    assert done.exit_code == 1
    assert f"{option}: must be an image's tag, or its digest (sha256:…), not 'bad tag'" in done.output
    assert world.commands == []


@pytest.mark.aws
def test_verify_without_a_deployment_says_what_comes_first(world: World) -> None:
    done = run("verify")

    assert done.exit_code == 1
    assert "primavoce-speech isn't there; `primavoce aws deploy speech`" in done.output


@pytest.mark.aws
@pytest.mark.parametrize(
    ("words", "command"),
    [
        (("verify",), "deploy speech"),
        (("verify", "--part", "agent"), "deploy agent"),
        (("bench",), "deploy speech"),
        (("deploy", "agent"), "deploy speech"),
    ],
)
def test_a_command_that_comes_first_is_told_with_the_name_of_the_deployment(
    world: World, words: tuple[str, ...], command: str
) -> None:
    done = run(*words, "--name", "demo")

    assert done.exit_code == 1
    assert f"`primavoce aws {command} --name demo`" in done.output


@pytest.mark.aws
def test_status_of_nothing_is_nothing_and_what_cant_be_seen_is_not_nothing(world: World) -> None:
    done = run("status")

    assert "nothing is deployed" in done.output
    assert "can't tell: alarms" in done.output  # the account in memory has none of that service
    assert done.exit_code == 1


def test_status_that_sees_nothing_doesnt_say_that_nothing_is_there() -> None:
    from primavoce.aws.leftovers import Unseen
    from primavoce.aws.standing import Standing

    told = shown(
        standing_view(Standing("us-east-1", (), None, None, (), None, (Unseen("endpoint", "you may not"),)), NAMES)
    )

    assert "it can't be told what is deployed" in told
    assert "nothing is deployed" not in told


@pytest.mark.aws
@pytest.mark.parametrize("words", [("deploy", "speech"), ("status",), ("destroy", "--dry-run")])
def test_without_credentials_each_command_ends_at_once_with_one_sentence(words: tuple[str, ...]) -> None:
    done = run(*words, "--region", "us-east-1")

    assert done.exit_code == 1
    assert done.output.count("there are no credentials") == 1
    assert "[1/" not in done.output
