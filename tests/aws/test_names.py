"""Names, and commands that are printed to be typed."""

import ast
from pathlib import Path

import pytest

from primavoce.aws.names import Names

SOURCES = Path(__file__).parents[2] / "src/primavoce"
PRINTING = [*sorted((SOURCES / "aws").glob("*.py")), *sorted((SOURCES / "cli").glob("aws*.py"))]


@pytest.mark.parametrize(
    ("names", "typed"),
    [
        (Names(), "primavoce aws verify"),
        (Names("demo"), "primavoce aws verify --name demo"),
        (Names(region="eu-west-1"), "primavoce aws verify --region eu-west-1"),
        (Names("demo", profile="my voice"), "primavoce aws verify --name demo --profile 'my voice'"),
        (Names("demo", "eu-west-1", "voice"), "primavoce aws verify --name demo --region eu-west-1 --profile voice"),
    ],
)
def test_a_command_that_is_printed_says_again_what_was_said(names: Names, typed: str) -> None:
    assert names.with_prefix("verify") == typed


def test_so_do_those_of_other_tools_that_know_the_account_by_the_same_options() -> None:
    names = Names("demo", "eu-west-1", "voice")

    assert names.of_aws("s3 rb s3://x") == "aws s3 rb s3://x --region eu-west-1 --profile voice"
    assert names.of_cdk("bootstrap aws://1/eu-west-1") == "cdk bootstrap aws://1/eu-west-1 --profile voice"


def literals(source: Path) -> list[str]:
    """Return the texts of a source that aren't its documentation."""
    tree = ast.parse(source.read_text())
    documentation = {
        id(each.value) for each in ast.walk(tree) if isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant)
    }
    return [
        each.value
        for each in ast.walk(tree)
        if isinstance(each, ast.Constant) and isinstance(each.value, str) and id(each) not in documentation
    ]


@pytest.mark.parametrize("source", PRINTING, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_no_command_of_a_deployment_is_written_out_elsewhere(source: Path) -> None:
    spelled = [f"primavoce aws {each}" for each in ("check", "deploy", "status", "verify", "bench", "destroy")]

    assert [text for text in literals(source) if any(each in text for each in spelled)] == []
