"""``primavoce aws plan``: what it says, and how it ends."""

import json
from pathlib import Path

import pytest

from tests.cli.aws.running import run


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
