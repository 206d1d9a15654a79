"""Whose account ``primavoce aws`` asks, and by what name."""

import os
from pathlib import Path

import pytest

from tests.cli.aws.running import run


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
