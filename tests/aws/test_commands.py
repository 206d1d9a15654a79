"""Other programs that are run."""

import os
from pathlib import Path

import pytest

from primavoce.aws.commands import Completed, LocalCommands, asked, run_step
from primavoce.aws.names import Names
from primavoce.errors import StepFailed


def test_output_is_passed_on_line_by_line_and_kept(programs, tmp_path: Path) -> None:
    programs.add("cdk", ("deploy", 0, "one\ntwo"))
    lines: list[str] = []

    done = LocalCommands(lines.append).run(("cdk", "deploy", "it"), folder=tmp_path)

    assert done == Completed(0, "one\ntwo\n")
    assert lines == ["one", "two"]
    assert programs.calls("cdk") == [{"argv": ["deploy", "it"], "stdin": "", "folder": str(tmp_path)}]


def test_a_secret_goes_by_standard_input_and_is_in_no_argument(programs) -> None:
    programs.add("docker", ("login", 0, "Login Succeeded"))

    LocalCommands().run(("docker", "login", "--password-stdin"), stdin="secret")

    [call] = programs.calls("docker")
    assert call["stdin"] == "secret"
    assert "secret" not in " ".join(call["argv"])


def test_a_program_that_fails_tells_its_last_lines(programs) -> None:
    programs.add("cdk", ("deploy", 1, "\n".join(f"line {number}" for number in range(100))))

    with pytest.raises(StepFailed) as caught:
        run_step(LocalCommands(), Names(), "deploying it", ("cdk", "deploy", "it"), remedy="try again")

    told = str(caught.value)
    assert told.startswith("deploying it failed: `cdk deploy it …` ended with status 1:\nline 85")
    assert told.endswith("line 99; try again")


def test_a_program_that_fails_is_told_by_its_command_and_not_by_a_configuration_that_is_gone(programs) -> None:
    programs.add("docker", ("--config", 1, "denied"))

    with pytest.raises(StepFailed, match="failed: `docker push r/image:1 …` ended with status 1:\ndenied"):
        run_step(LocalCommands(), Names(), "pushing", ("docker", "--config", "/x/gone", "push", "r/image:1"))


def test_a_program_that_isnt_there_is_told_with_where_to_look() -> None:
    commands = LocalCommands(environ={**os.environ, "PATH": "/nonexistent"})

    with pytest.raises(StepFailed, match="primavoce aws check --name demo"):
        run_step(commands, Names("demo"), "deploying it", ("no-such-program-of-ours", "deploy"))
    assert asked(commands, "no-such-program-of-ours") is None


def test_a_program_that_doesnt_read_what_it_is_given_is_judged_by_its_status(tmp_path: Path) -> None:
    done = LocalCommands().run(("sh", "-c", "exec 0<&-; exit 3"), stdin="x" * 1_000_000)

    assert done.status == 3


@pytest.mark.parametrize("script", ["echo $$; exec sleep 60", "trap '' TERM; echo $$; while :; do :; done"])
def test_a_program_that_is_left_by_ctrl_c_is_ended_whether_it_wants_or_not(script: str) -> None:
    numbers: list[int] = []

    def leave(line: str) -> None:
        numbers.append(int(line))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        LocalCommands(leave, leave_s=0.05).run(("sh", "-c", script))

    with pytest.raises(ProcessLookupError):
        os.kill(numbers[0], 0)


def test_a_program_that_says_much_after_ctrl_c_is_read_so_that_it_can_end_by_itself(tmp_path: Path) -> None:
    def leave(_: str) -> None:
        raise KeyboardInterrupt

    much = "echo begun; head -c 1000000 /dev/zero | tr '\\0' '\\n'; touch done"  # a pipe takes 64 KiB
    with pytest.raises(KeyboardInterrupt):
        LocalCommands(leave, leave_s=5.0).run(("sh", "-c", much), folder=tmp_path)

    assert (tmp_path / "done").exists()
