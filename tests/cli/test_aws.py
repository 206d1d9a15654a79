"""``primavoce aws``: what its commands say, and how they end."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner, Result

from primavoce.aws.account import Account
from primavoce.aws.findings import missing, ok, unknown, verdict
from primavoce.cli import aws_run
from primavoce.cli.aws_view import findings_table, leftovers_view
from primavoce.cli.commands import app
from tests.aws.world import NAMES, World


def run(*words: str, typed: str | None = None) -> Result:
    return CliRunner().invoke(app, ["aws", *words], input=typed)


def shown(view: object) -> str:
    console = Console(width=160, force_terminal=False)
    with console.capture() as capture:
        console.print(view)
    return capture.get()


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
        (("--instance-type", "ml.p99.xlarge"), "--price: what an hour of ml.p99.xlarge"),
        (("--out", "/nonexistent/capacity.json"), "--out: can't write"),
    ],
)
def test_plan_that_cant_be_made_is_one_sentence(measured: Path, words: tuple[str, ...], told: str) -> None:
    done = run("plan", "--sessions", "2000", "--capacity", str(measured), *words)

    assert done.exit_code == 1
    assert told in done.output


# --- check


def test_check_says_what_is_there_what_isnt_and_what_to_do() -> None:
    found = verdict([ok("uv", "0.9"), missing("Docker engine", "silent", "start it"), unknown("quota", "no", "ask")])

    lines = shown(findings_table(found)).splitlines()

    assert lines[1].split() == ["ok", "uv", "0.9"]
    assert lines[2].split() == ["missing", "Docker", "engine", "silent", "start", "it"]
    assert lines[3].split() == ["can't", "tell", "quota", "no", "ask"]
    assert lines[-1].startswith("`primavoce aws deploy` can't go on: Docker engine; can't tell: quota")


@pytest.mark.aws
def test_check_without_an_account_ends_with_status_1_and_still_tells_of_this_machine() -> None:
    done = run("check", "--json")

    found = json.loads(done.stdout)
    assert (done.exit_code, found["can_deploy"]) == (1, False)
    states = {each["name"]: each["state"] for each in found["findings"]}
    assert states["Python"] == "ok"
    assert states["account"] == "missing"


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
def test_deploy_that_is_left_by_ctrl_c_says_how_to_go_on(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def leave(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(world, "run", leave)

    done = run("deploy", "speech")

    assert done.exit_code == 130
    assert "run the same command again" in done.output


@pytest.mark.aws
def test_deploy_with_a_capacity_that_isnt_there_fails_before_anything_is_done(world: World) -> None:
    done = run("deploy", "--capacity", "/nonexistent/capacity.json")

    assert done.exit_code == 1
    assert "`primavoce aws plan --out` writes one" in done.output
    assert world.commands == []


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
    from primavoce.cli.aws_view import standing_view

    told = shown(standing_view(Standing("us-east-1", (), None, None, (), None, (Unseen("endpoint", "you may not"),))))

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
    [("primavoce", "primavoce aws verify"), ("demo", "primavoce aws verify --name demo")],
)
def test_status_shows_whether_the_endpoint_is_verified_and_what_it_costs(name: str, command: str) -> None:
    from primavoce.aws.endpoint import Endpoint
    from primavoce.aws.stacks import Stack
    from primavoce.aws.standing import Standing
    from primavoce.cli.aws_view import standing_view

    speech = Endpoint(f"{name}-speech", "arn", "InService", "config-1", "sha256:1", 2, 3, "ml.g5.xlarge", "")
    stacks = (Stack("primavoce-speech", "UPDATE_COMPLETE"),)

    told = shown(standing_view(Standing("us-east-1", stacks, speech, None, ("primavoce-speech-errors",), 2.816, ())))

    assert "InService, 2 × ml.g5.xlarge, 3 wanted" in told
    assert f"not verified: `{command}`" in told
    assert "primavoce-speech-errors" in told
    assert "about $2.82 an hour" in told


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

    names = names_of(name)

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
