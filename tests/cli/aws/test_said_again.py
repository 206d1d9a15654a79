"""Commands that are printed say the region, the profile and the name that were said."""

import pytest

from primavoce.aws.account import Account
from primavoce.aws.findings import ok
from tests.aws.world import World
from tests.cli.aws.running import SAID, run


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
