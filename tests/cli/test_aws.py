"""``primavoce aws``: what its commands say, and how they end."""

import json
import os
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console, RenderableType
from typer.testing import CliRunner, Result

from primavoce.aws.account import Account
from primavoce.aws.findings import missing, ok, unknown, verdict
from primavoce.aws.names import Names
from primavoce.cli import aws_run
from primavoce.cli.aws_view import deletion_view, findings_view, leftovers_view, show, standing_view
from primavoce.cli.commands import app
from primavoce.errors import ExtraMissing
from tests.aws.world import NAMES, World, refusal


def run(*words: str, typed: str | None = None) -> Result:
    return CliRunner().invoke(app, ["aws", *words], input=typed)


def shown(view: object) -> str:
    console = Console(width=160, force_terminal=False)
    with console.capture() as capture:
        console.print(view, crop=False)
    return capture.get()


ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


@pytest.fixture(params=["terminal", "pipe"])
def printed(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[[RenderableType], list[str]]:
    """Return what shows a view in 80 columns, and returns the lines that come out."""
    monkeypatch.setenv("COLUMNS", "80")
    for name in ("FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    if request.param == "terminal":
        monkeypatch.setenv("FORCE_COLOR", "1")

    def lines(view: RenderableType) -> list[str]:
        show(view)
        return [ESCAPES.sub("", line).rstrip() for line in capsys.readouterr().out.splitlines()]

    return lines


@pytest.fixture(autouse=True)
def nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing of this machine's account be found, and nothing be left in the environment."""
    for name in ("AWS_PROFILE", "AWS_REGION", "AWS_DEFAULT_REGION", "AWS_ACCESS_KEY_ID", "AWS_SESSION_TOKEN"):
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nonexistent")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/nonexistent")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")


@pytest.fixture
def measured(tmp_path: Path) -> Path:
    levels = [
        {"n": n, "answers": 9, "underruns": 0 if n <= 50 else 4, "refused": 0, "first_sound_p95_s": 0.4}
        for n in (10, 50, 80)
    ]
    file = tmp_path / "result.json"
    file.write_text(json.dumps({"benchmark": "throughput", "sessions": levels, "machine": {"cpu": "A10G", "cores": 4}}))
    return file


# --- plan


def test_plan_prints_instances_cost_time_and_who_waits(measured: Path) -> None:
    told = " ".join(run("plan", "--sessions", "2000", "--capacity", str(measured)).output.split())

    assert "50 × ml.g5.xlarge (40 without headroom)" in told
    assert "$70.40 an hour; $1.41 when nobody speaks" in told
    assert "more room after 320 s" in told
    assert "1900 at most at a time" in told
    assert "check them at" in told
    assert "measured on A10G, 4 cores: it holds for ml.g5.xlarge only if that is one" in told


def test_plan_writes_what_the_stacks_read(measured: Path, tmp_path: Path) -> None:
    out = tmp_path / "capacity.json"

    done = run("plan", "--sessions", "2000", "--capacity", str(measured), "--out", str(out), "--json")

    assert done.exit_code == 0
    assert json.loads(done.stdout)["instances"] == 50
    assert json.loads(out.read_text()) == {
        "sessions_per_instance": 50,
        "min_instances": 1,
        "max_instances": 50,
        "target_sessions": 40,
        "instance_type": "ml.g5.xlarge",
    }


def test_plan_takes_no_level_at_which_listeners_wait_for_longer_than_is_chosen(measured: Path) -> None:
    words = ("plan", "--sessions", "2000", "--capacity", str(measured), "--json", "--first-sound-s")

    assert json.loads(run(*words, "0.4").stdout)["sessions_per_instance"] == 50
    assert "too slow" in run(*words, "0.3").output


def test_plan_without_headroom_says_that_scaling_never_adds_an_instance(measured: Path) -> None:
    told = run("plan", "--sessions", "2000", "--capacity", str(measured), "--headroom", "0").output

    assert "scaling never adds one" in " ".join(told.split())


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--headroom", "1"), "--headroom: must be at least 0"),
        (("--instance-type", "G5 bla"), "--instance-type: must be an instance type such as ml.g5.xlarge"),
        (("--price", "inf"), "--price: must be a number of US dollars"),
        (("--min-instances", "10001"), "--min-instances: 10001 instances are more than"),
        (("--instance-type", "ml.p99.xlarge"), "--price: what an hour of ml.p99.xlarge"),
        (("--out", "/nonexistent/capacity.json"), "--out: can't write"),
    ],
)
def test_plan_that_cant_be_made_is_one_sentence(measured: Path, words: tuple[str, ...], told: str) -> None:
    done = run("plan", "--sessions", "2000", "--capacity", str(measured), *words)

    assert done.exit_code == 1
    assert told in done.output


@pytest.mark.parametrize(
    ("instance_type", "more", "said"),
    [("ml.c7i.xlarge", (), True), ("ml.c7i.xlarge", ("--start-s", "90"), False), ("ml.g5.xlarge", (), False)],
)
def test_plan_says_that_the_time_an_instance_takes_was_measured_of_another_kind(
    measured: Path, instance_type: str, more: tuple[str, ...], *, said: bool
) -> None:
    words = ("plan", "--sessions", "200", "--capacity", str(measured), "--instance-type", instance_type, *more)

    told = " ".join(run(*words).output.split())

    assert ("260 s until an instance serves were measured of ml.g5.xlarge" in told) == said


@pytest.mark.parametrize(
    ("instance_type", "option"), [("ml.g5.xlarge", ""), ("ml.c7i.xlarge", " --instance-type ml.c7i.xlarge")]
)
def test_plan_prints_the_command_that_deploys_it_on_the_machine_it_is_of(
    measured: Path, tmp_path: Path, instance_type: str, option: str
) -> None:
    out = tmp_path / "c.json"
    words = ("plan", "--sessions", "9", "--capacity", str(measured), "--instance-type", instance_type)

    told = run(*words, "--out", str(out)).output

    assert f"`primavoce aws deploy speech --capacity {out}{option}`" in told


@pytest.mark.parametrize(
    "words", [("plan", "--sessions", "9", "--capacity", "MEASURED", "--price", "1"), ("check",), ("deploy", "speech")]
)
def test_a_machine_that_no_image_runs_on_is_refused_at_once(measured: Path, words: tuple[str, ...]) -> None:
    done = run(*(str(measured) if each == "MEASURED" else each for each in words), "--instance-type", "ml.c7g.xlarge")

    assert done.exit_code == 1
    assert "--instance-type: ml.c7g.xlarge has an Arm processor" in done.output


@pytest.mark.parametrize(
    ("more", "rows"),
    [
        ((), ["without a place", "everybody has one", "one tries for", "refused"]),
        (("--min-instances", "50"), ["without a place"]),
    ],
)
def test_plan_says_how_long_it_takes_only_where_somebody_waits(
    measured: Path, more: tuple[str, ...], rows: list[str]
) -> None:
    told = run("plan", "--sessions", "2000", "--capacity", str(measured), *more).output

    lines = [line.strip() for line in told.partition("\n\n")[0].splitlines()]
    start = next(number for number, line in enumerate(lines) if line.startswith("without a place"))
    assert len(lines[start:]) == len(rows)
    assert all(line.startswith(row) for line, row in zip(lines[start:], rows, strict=True))
    assert ("nobody, at any time" in told) == bool(more)
    assert (" min after the first came" in told) == (not more)


@pytest.mark.parametrize(("least", "why"), [("60", "as --min-instances says; 50 would do"), ("50", "40 without")])
def test_plan_says_where_it_is_no_headroom_that_makes_the_instances(measured: Path, least: str, why: str) -> None:
    words = ("plan", "--sessions", "2000", "--capacity", str(measured), "--min-instances", least)

    assert f"{least} × ml.g5.xlarge ({why}" in " ".join(run(*words).output.split())


# --- check


def test_check_says_what_is_there_what_isnt_and_what_to_do() -> None:
    found = verdict(
        [ok("uv", "0.9"), missing("Docker engine", "silent", "start it"), unknown("quota", "no", "ask")],
        "primavoce aws deploy",
    )

    lines = shown(findings_view(found)).splitlines()

    assert lines[1].split() == ["ok", "uv", "0.9"]
    assert lines[2].split() == ["missing", "Docker", "engine", "silent"]
    assert lines[3].split() == ["can't", "tell", "quota", "no"]
    assert lines[5:8] == ["what to do:", "Docker engine: start it", "quota: ask"]
    assert lines[-1].startswith("`primavoce aws deploy` can't go on: Docker engine; can't tell: quota")


@pytest.mark.aws
def test_check_without_an_account_ends_with_status_1_and_still_tells_of_this_machine() -> None:
    done = run("check", "--json")

    found = json.loads(done.stdout)
    assert (done.exit_code, found["can_deploy"]) == (1, False)
    states = {each["name"]: each["state"] for each in found["findings"]}
    assert states["Python"] == "ok"
    assert states["account"] == "missing"
    not_reached = ("region", "CDK bootstrap", "quota: ml.g5.xlarge for endpoint usage", "IAM actions", "model access")
    assert {name: states.get(name) for name in not_reached} == dict.fromkeys(not_reached, "unknown")


@pytest.mark.aws
def test_check_of_a_ready_account_ends_with_status_0(monkeypatch: pytest.MonkeyPatch) -> None:
    from primavoce.aws import account_checks, local_checks

    monkeypatch.setattr(Account, "open", World().account)
    monkeypatch.setattr(local_checks, "local_findings", lambda *_, **__: [ok("Docker", "28")])
    monkeypatch.setattr(account_checks, "account_findings", lambda *_, **__: [unknown("quota", "denied", "ask")])

    done = run("check")

    assert done.exit_code == 0
    assert "can go on; can't tell: quota" in done.output


# --- deploy, status, verify


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    """An account in memory, its programs, and a voice that is always there."""
    from primavoce.aws import commands

    world = World()
    monkeypatch.setattr(Account, "open", world.account)
    monkeypatch.setattr(commands, "LocalCommands", lambda *_: world)
    monkeypatch.setattr(aws_run, "_speech", lambda *_, **__: True)
    monkeypatch.setattr(aws_run, "_agent", lambda *_, **__: True)
    return world


def _refusing(action: str) -> Any:
    raise refusal("AccessDeniedException", f"you may not ecr:{action}")


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


SAID = ("--region", "us-east-1", "--profile", "voice")


@pytest.mark.aws
@pytest.mark.parametrize(
    ("words", "commands"),
    [
        (("deploy", "speech"), ("status", "destroy")),
        (("deploy", "agent"), ("deploy speech",)),
        (("verify",), ("deploy speech",)),
        (("bench",), ("deploy speech",)),
    ],
)
def test_the_region_and_the_profile_that_were_said_are_said_again(
    world: World, words: tuple[str, ...], commands: tuple[str, ...]
) -> None:
    told = run(*words, *SAID).output

    for command in commands:
        assert f"`primavoce aws {command} {' '.join(SAID)}`" in told


@pytest.mark.aws
def test_status_says_them_again_too(world: World) -> None:
    run("deploy", "speech")
    world.tags.clear()

    assert f"`primavoce aws verify --part speech {' '.join(SAID)}`" in run("status", *SAID).output


@pytest.mark.aws
def test_check_says_them_again_too(monkeypatch: pytest.MonkeyPatch) -> None:
    from primavoce.aws import account_checks, local_checks

    monkeypatch.setattr(Account, "open", World().account)
    monkeypatch.setattr(local_checks, "local_findings", lambda *_, **__: [ok("Docker", "28")])
    monkeypatch.setattr(account_checks, "account_findings", lambda *_, **__: [])

    assert f"`primavoce aws deploy {' '.join(SAID)}` can go on" in run("check", *SAID).output


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


# --- destroy


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


@pytest.fixture
def standing(world: World, monkeypatch: pytest.MonkeyPatch) -> World:
    """A deployment, and a look around that finds its endpoint as long as it is there."""
    from primavoce.aws import leftovers

    def look(*_: object) -> leftovers.Leftovers:
        found = leftovers.Leftover("endpoint", NAMES.endpoint, "each instance", "aws sagemaker delete-endpoint")
        return leftovers.Leftovers((found,) if NAMES.speech_stack in world.stacks else (), ())

    monkeypatch.setattr(leftovers, "leftovers", look)
    assert run("deploy", "all").exit_code == 0
    return world


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


# --- bench, progress


def test_bench_shows_its_figures_beside_the_published_ones_with_the_remark_that_those_are_one_tests() -> None:
    from primavoce.aws.bench_run import AwsBench
    from primavoce.aws.measuring import AgentFigures, Compared, SpeechFigures, Times
    from primavoce.cli.aws_bench_view import bench_view

    pair = Compared(Times(400.0, 390.0, 380.0, 420.0, 5), Times(100.0, 78.0, 70.0, 130.0, 5))
    lengths = {"batch": (700, 720), "stream": (690, 710)}
    agents = tuple(AgentFigures(where, pair, ratio, lengths) for where, ratio in (("local", 5.0), ("deployed", 6.1)))
    speech = SpeechFigures(267, pair, pair, 61.0)
    report = AwsBench("aws", "primavoce-speech", "ml.g5.xlarge", "us-east-1", "af_heart", 5, "Why?", speech, agents)

    told = shown(bench_view(report))

    rows = {line.strip("│ ").split("│")[0].strip(): line for line in told.splitlines() if "│" in line}
    assert [cell.strip() for cell in rows["first byte"].strip("│ ").split("│")[1:]] == [
        "400.0", "390.0", "100.0", "78.0", "75.0", "80.0",
    ]  # fmt: skip
    assert [cell.strip() for cell in rows["published"].strip("│ ").split("│")[1:]] == [
        "329.3", "–", "156.7", "–", "52.4", "–",
    ]  # fmt: skip
    assert [cell.strip() for cell in rows["local"].strip("│ ").split("│")[1:]] == [
        "390", "78", "5.0", "2.4", "700–720; 690–710",
    ]  # fmt: skip
    assert "3.5" in rows["deployed"]
    assert "published figures are those of one test" in told
    assert "hour" not in told


@pytest.mark.aws
def test_bench_without_an_endpoint_says_what_comes_first(world: World) -> None:
    done = run("bench")

    assert done.exit_code == 1
    assert "primavoce-speech isn't there; `primavoce aws deploy speech`" in done.output


@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("primavoce", "primavoce aws verify --part speech"),
        ("demo", "primavoce aws verify --part speech --name demo"),
    ],
)
def test_status_shows_whether_the_endpoint_is_verified_and_what_it_costs(name: str, command: str) -> None:
    from primavoce.aws.endpoint import Endpoint
    from primavoce.aws.stacks import Stack
    from primavoce.aws.standing import Standing

    speech = Endpoint(f"{name}-speech", "arn", "InService", "config-1", "sha256:1", 2, 3, "ml.g5.xlarge", "")
    stacks = (Stack("primavoce-speech", "UPDATE_COMPLETE"),)

    found = Standing("us-east-1", stacks, speech, None, ("primavoce-speech-errors",), 2.816, ())
    told = shown(standing_view(found, Names(name)))

    assert "InService, 2 × ml.g5.xlarge, 3 wanted" in told
    assert f"not verified: `{command}`" in told
    assert "primavoce-speech-errors" in told
    assert "about $2.82 an hour" in told


LONG_REGION = "ap-southeast-1"
ARN = f"arn:aws:bedrock-agentcore:{LONG_REGION}:123456789012:runtime/primavoce_agent-AbCdEf1234"


def test_status_shows_what_is_to_be_copied_whole_on_a_line_of_its_own(
    printed: Callable[[RenderableType], list[str]],
) -> None:
    from primavoce.aws.endpoint import Endpoint
    from primavoce.aws.runtime import Runtime
    from primavoce.aws.standing import Standing

    speech = Endpoint("primavoce-speech", "arn", "InService", "c", "sha256:1", 1, 1, "ml.g5.xlarge", "")
    found = Standing(LONG_REGION, (), speech, Runtime("primavoce_agent", ARN, "READY", "1"), (), 1.4, ())

    lines = printed(standing_view(found, Names(region=LONG_REGION, profile="of-the-voice")))

    assert f"runtime's ARN: {ARN}" in lines
    told = f"`primavoce aws verify --part speech --region {LONG_REGION} --profile of-the-voice`"
    assert f"not verified: {told}" in lines


def test_so_does_what_is_left_and_what_is_to_be_done(printed: Callable[[RenderableType], list[str]]) -> None:
    from primavoce.aws.leftovers import Leftover, Leftovers

    remedy = f"aws logs delete-log-group --log-group-name /aws/bedrock-agentcore/{'x' * 60}-DEFAULT"
    left = (Leftover("log group", "/aws/x", "what is kept in it", remedy), Leftover("tagged", ARN, "depends", "look"))

    lines = printed(leftovers_view(Leftovers(left, ())))

    assert f"    {remedy}" in lines
    assert f"tagged {ARN}: bills depends" in lines
    bootstrap = f"`cdk bootstrap aws://123456789012/{LONG_REGION} --profile {'p' * 40}`"
    view = findings_view(verdict([missing("CDK bootstrap", "none", bootstrap)], "primavoce aws deploy"))
    assert f"CDK bootstrap: {bootstrap}" in printed(view)


def test_so_does_what_is_about_to_be_deleted(printed: Callable[[RenderableType], list[str]]) -> None:
    from primavoce.aws.destroying import Deletion, Doomed

    resource, group = f"AWS::BedrockAgentCore::Runtime {ARN}", f"/aws/lambda/{'x' * 90}"
    deletion = Deletion((Doomed("primavoce-agent", "CREATE_COMPLETE", (resource,)),), (group,))

    lines = printed(deletion_view(deletion, "123456789012", LONG_REGION))

    assert lines[1:] == [
        "1 stack primavoce-agent, CREATE_COMPLETE",
        f"    {resource}",
        "2 log groups that are still there then",
        f"    {group}",
    ]


def test_only_on_a_terminal_are_lines_fitted_to_its_width_and_there_between_words(
    printed: Callable[[RenderableType], list[str]], request: pytest.FixtureRequest
) -> None:
    socket = f"unix:///var/run/{'x' * 60}/docker.sock"
    told = f"it doesn't answer: Cannot connect to the Docker daemon at {socket} and more of what is told, twice-over"
    found = verdict([missing("Docker engine", told, ""), ok("credentials", f"{ARN}, account 123456789012")], "deploy")

    lines = printed(findings_view(found))

    on_terminal = request.node.callspec.params["printed"] == "terminal"
    assert any(f"{ARN}, account" in line for line in lines) != on_terminal
    assert any(line.endswith(told) for line in lines) != on_terminal
    words = [word for line in lines for word in line.split()]
    assert {*told.split(), f"{ARN},"} <= set(words)
    if on_terminal:
        assert all(len(line) <= 80 for line in lines if socket not in line and ARN not in line)


def test_progress_has_a_line_for_each_change_and_none_for_each_look() -> None:
    from primavoce.cli.aws_progress import StepProgress

    console = Console(width=100, force_terminal=False)
    progress = StepProgress(console)

    with console.capture() as capture, progress.shown():
        progress.step("the endpoint comes into service", 5, 12)
        for waited_s in (0.0, 15.0, 30.0):
            progress.state("endpoint e", "Creating", waited_s)
        progress.state("endpoint e", "InService", 45.0)
        progress.line("what a [bold]program[/] says")

    assert capture.get().splitlines() == [
        "[5/12] the endpoint comes into service",
        "· endpoint e: Creating, 0 s",
        "· endpoint e: InService, 45 s",
        "  what a [bold]program[/] says",
    ]


# --- whose account, and what name


@pytest.mark.aws
def test_a_profile_that_is_named_is_taken_though_there_are_keys_in_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from primavoce.cli.aws_options import OTHER_CREDENTIALS, open_account

    credentials = tmp_path / "credentials"
    credentials.write_text("[voice]\naws_access_key_id = OF-THE-PROFILE\naws_secret_access_key = s\n")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(credentials))
    monkeypatch.setenv("AWS_PROFILE", "")
    for name in OTHER_CREDENTIALS:
        monkeypatch.setenv(name, "of-somebody-else")

    account = open_account("us-east-1", "voice")

    assert account.client("sts")._request_signer._credentials.access_key == "OF-THE-PROFILE"
    assert not set(OTHER_CREDENTIALS) & os.environ.keys()  # what this process starts finds the same


def test_keys_in_the_environment_are_left_alone_if_no_profile_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from primavoce.cli.aws_options import choose

    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "mine")

    choose(None, None)

    assert os.environ["AWS_ACCESS_KEY_ID"] == "mine"


LONGEST = ("a" * 32, "a-" * 15 + "ab")


@pytest.mark.parametrize("name", LONGEST)
def test_the_longest_name_fits_wherever_aws_takes_it(name: str) -> None:
    from primavoce.cli.aws_options import names_of

    names = names_of(name, None, None)

    assert len(names.runtime) <= 48
    assert len(names.endpoint) <= 63


@pytest.mark.parametrize(
    "name",
    [
        *(f"{each}a" for each in LONGEST),
        "a-" * 31 + "a",
        "a-",
        "-a",
        "a--b",
        "a\n",
        "",
        "primavoce-speech",
        "a-weights-b",
    ],
)
def test_a_name_that_is_longer_or_of_other_characters_is_refused(name: str) -> None:
    done = run("status", "--name", name)

    assert done.exit_code == 1
    assert "--name: must be up to 32 small letters" in done.output
