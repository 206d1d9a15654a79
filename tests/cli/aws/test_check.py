"""``primavoce aws check``: what it says, and how it ends."""

import json

import pytest

from primavoce.aws.account import Account
from primavoce.aws.findings import missing, ok, unknown, verdict
from primavoce.cli.aws_view import findings_view
from tests.aws.world import World
from tests.cli.aws.running import run, shown


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
def test_check_says_where_a_profile_would_be_that_isnt_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_PROFILE", "nobodys")

    lines = run("check").output.splitlines()

    assert any("missing" in line and "profile (nobodys) could not be found" in line for line in lines)
    assert any(line.startswith("account: say --region") and line.endswith("are in ~/.aws/config") for line in lines)


@pytest.mark.aws
def test_check_of_a_ready_account_ends_with_status_0(monkeypatch: pytest.MonkeyPatch) -> None:
    from primavoce.aws import account_checks, local_checks

    monkeypatch.setattr(Account, "open", World().account)
    monkeypatch.setattr(local_checks, "local_findings", lambda *_, **__: [ok("Docker", "28")])
    monkeypatch.setattr(account_checks, "account_findings", lambda *_, **__: [unknown("quota", "denied", "ask")])

    done = run("check")

    assert done.exit_code == 0
    assert "can go on; can't tell: quota" in done.output
