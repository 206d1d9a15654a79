"""docs/aws.md names only what there is, and leaves out nothing that an operator needs."""

import ast
import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main
from typer.testing import CliRunner

from primavoce.agent.settings import AGENT_VARIABLES
from primavoce.aws import local_checks
from primavoce.aws.account import MINIMUM_BOTO3
from primavoce.aws.account_checks import ACTIONS
from primavoce.aws.prices import PRICES, PRICES_AS_OF, PRICES_REGION
from primavoce.aws.steps import TARGETS
from primavoce.cli.commands import app
from primavoce.settings import VARIABLES

type Command = Any
"""Of the command line's library, which keeps its types to itself."""

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/aws.md"
DOCUMENT = PAGE.read_text()
OURS = DOCUMENT.partition("## Coming from the published sample")[0]
"""The page without what it says of another project's commands."""
INFRA = ROOT / "infra/src/primavoce_infra"
OTHERS_OPTIONS = {"--exclusively", "--gpus", "--hf-token-secret", "--image-uri"}
"""Of CDK, of Docker, of the published sample."""
EVERYWHERE = {"--name", "--region", "--profile", "--json"}

ROOT_COMMAND: Command = typer.main.get_command(app)
AWS_COMMANDS: Command = ROOT_COMMAND.commands["aws"]


def section(title: str) -> str:
    return DOCUMENT.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def rows(text: str) -> Iterator[list[str]]:
    for line in text.splitlines():
        if line.startswith("|") and not line.startswith("| ---"):
            yield [cell.strip() for cell in line.strip("|").split(" | ")]


def options_of(command: Command) -> set[str]:
    found = {each for parameter in command.params for each in (*parameter.opts, *parameter.secondary_opts)}
    return {each for each in found if each.startswith("-")} | {"--help", "-h"}


def written_commands() -> list[str]:
    """Return each command of ours that the page tells to type, or names."""
    fenced = re.findall(
        r"(?m)^(?:\$ )?(primavoce .+)$", "\n".join(re.findall(r"(?s)```(?:sh|text)\n(.*?)```", DOCUMENT))
    )
    in_image = re.findall(r"(?m)^docker run .*primavoce-speech:built (.+?)(?: >.*)?$", DOCUMENT)
    named = [" ".join(each.split()) for each in re.findall(r"`(primavoce [^`]+)`", DOCUMENT)]
    return sorted({*fenced, *(f"primavoce {each}" for each in in_image), *named})


def constant(file: str, name: str) -> object:
    """Return what ``name`` is in a source that can't be imported without CDK; of a dict, its keys."""
    for node in ast.parse((INFRA / file).read_text()).body:
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        if isinstance(target, ast.Name) and target.id == name:
            value = node.value  # type: ignore[attr-defined]
            assert value is not None
            if isinstance(value, ast.Dict):
                return [ast.literal_eval(key) for key in value.keys if key is not None]
            return ast.literal_eval(value)
    raise LookupError(name)


def slug(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.replace("`", "").lower()).strip().replace(" ", "-")


# --- commands


@pytest.mark.parametrize("written", written_commands())
def test_every_command_and_option_that_it_names_is_there(written: str) -> None:
    words = shlex.split(written, comments=True)[1:]
    command: Command = ROOT_COMMAND
    while hasattr(command, "commands") and words and not words[0].startswith("-"):
        word = words.pop(0)
        assert word in command.commands, written
        command = command.commands[word]

    asked = {word.partition("=")[0] for word in words if word.startswith("-") and word != "-"}
    assert asked <= options_of(command), written
    if command.name == "deploy":
        assert not words or words[0].startswith("-") or words[0] in TARGETS


def test_commands_are_found_in_it_at_all() -> None:
    assert {"primavoce aws deploy speech", "primavoce aws destroy --dry-run"} <= {
        each.partition("#")[0].strip() for each in written_commands()
    }


def test_every_sub_command_is_in_the_table_with_all_of_its_options() -> None:
    told = {}
    for cells in rows(section("Every command")):
        if found := re.fullmatch(r"`primavoce aws (\w+)`", cells[0]):
            told[found[1]] = set(re.findall(r"`(--?[a-z-]+)`", cells[1]))

    assert told.keys() == AWS_COMMANDS.commands.keys()
    for name, command in AWS_COMMANDS.commands.items():
        shared = EVERYWHERE & options_of(command)
        assert told[name] == options_of(command) - shared - {"--help", "-h"}, name
        assert shared == {
            "plan": {"--json"},
            "deploy": EVERYWHERE - {"--json"},
        }.get(name, EVERYWHERE), name


def test_every_option_that_stands_by_itself_is_one() -> None:
    def all_options(command: Command) -> set[str]:
        inner = command.commands.values() if hasattr(command, "commands") else ()
        return options_of(command).union(*(all_options(each) for each in inner))

    alone = set(re.findall(r"`(--[a-z-]+)", DOCUMENT))

    assert alone - all_options(ROOT_COMMAND) - OTHERS_OPTIONS == set()


def test_every_key_of_the_stacks_that_it_sets_is_one() -> None:
    keys = constant("settings.py", "READERS")
    assert isinstance(keys, list)

    set_by_it = set(re.findall(r"-c ([a-z_]+)=", OURS))

    assert {"scaling", "alarm_email"} <= set_by_it <= set(keys)


def test_every_variable_that_it_names_is_a_setting() -> None:
    named = set(re.findall(r"PRIMAVOCE_[A-Z_]+", DOCUMENT))

    assert "PRIMAVOCE_MAX_SESSIONS" in named
    assert named - {each.name for each in (*VARIABLES, *AGENT_VARIABLES)} == set()


# --- what it says of them


def test_every_alarm_has_a_row_in_the_runbook_and_says_what_to_do() -> None:
    kinds = constant("naming.py", "ALARM_KINDS")
    assert isinstance(kinds, tuple)

    told = {cells[0].strip("`"): cells for cells in rows(section("Runbook")) if cells[0].startswith("`")}

    assert told.keys() == {*kinds, constant("naming.py", "SCALE_IN")}
    for kind in kinds:
        assert len(told[kind]) == 5
        assert all(len(cell) > 10 for cell in told[kind][1:]), kind


def test_every_action_that_the_commands_ask_for_is_among_the_permissions() -> None:
    sources = "\n".join(path.read_text() for path in sorted((ROOT / "src/primavoce/aws").glob("*.py")))
    asked = {*ACTIONS, *re.findall(r'asking\("([a-z0-9-]+:[A-Z]\w+)"\)', sources)} - {"sts:GetCallerIdentity"}

    told = set(re.findall(r"`([a-z0-9-]+:[A-Z]\w+)`", section("Who may do what")))

    assert len(asked) > 30
    assert asked - told == set()


def test_every_action_of_a_command_that_changes_or_shows_something_is_one_that_check_looks_for() -> None:
    told = {
        action
        for cells in rows(section("Who may do what"))
        if cells[0] in {"`deploy`", "`verify`", "`bench`", "`status`", "`destroy`"}
        for action in re.findall(r"`([a-z0-9-]+:[A-Z]\w+)`", cells[1])
    }

    assert len(told) > 30
    assert told - set(ACTIONS) == set()


def test_prices_are_those_that_the_commands_know() -> None:
    told = {cells[0].strip("`"): float(cells[1]) for cells in rows(section("What it costs")) if "`ml." in cells[0]}

    assert told == {name: price.usd_per_hour for name, price in PRICES.items()}
    assert PRICES_AS_OF in section("What it costs")
    assert PRICES_REGION in section("What it costs")


@pytest.mark.parametrize(
    ("what", "least"),
    [
        ("Python", local_checks.MINIMUM_PYTHON),
        ("uv", local_checks.MINIMUM_UV),
        ("Node", local_checks.MINIMUM_NODE),
        ("CDK CLI", local_checks.MINIMUM_CDK),
        ("boto3", MINIMUM_BOTO3),
    ],
)
def test_what_is_needed_is_what_is_checked(what: str, least: tuple[int, ...]) -> None:
    (told,) = (cells[1] for cells in rows(section("Before you begin")) if cells[0] == what)

    assert told.partition(";")[0] == ".".join(map(str, least))


def test_the_example_of_a_plan_is_what_the_command_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    planning = section("Capacity and scaling")
    (measured,) = re.findall(r"(?s)```json\n(.*?)```", planning)
    (shown,) = re.findall(r"(?s)```text\n(.*?)```", planning)
    Path("result.json").write_text(measured)
    typed, *lines = shown.splitlines()

    done = CliRunner().invoke(app, shlex.split(typed.removeprefix("$ primavoce ")))

    assert done.exit_code == 0, done.output
    assert [line.rstrip() for line in done.output.splitlines()][: len(lines)] == lines
    assert json.loads(Path("capacity.json").read_text())["max_instances"] == 8


@pytest.mark.parametrize("code", re.findall(r"(?s)```python\n(.*?)```", DOCUMENT))
def test_its_program_imports_what_there_is(code: str) -> None:
    tree = ast.parse(code)
    imports = ast.Module([each for each in tree.body if isinstance(each, ast.Import | ast.ImportFrom)], [])

    exec(compile(imports, str(PAGE), "exec"), {})


@pytest.mark.parametrize("link", sorted(set(re.findall(r"\]\((?!https?:)([^)\s]+)\)", DOCUMENT))))
def test_every_link_leads_somewhere(link: str) -> None:
    name, _, anchor = link.partition("#")
    target = PAGE if not name else PAGE.parent / name

    assert target.is_file()
    if anchor:
        assert anchor in {slug(each) for each in re.findall(r"(?m)^#+ (.+)$", target.read_text())}


def test_the_readme_leads_to_it() -> None:
    assert "(docs/aws.md)" in (ROOT / "README.md").read_text()
