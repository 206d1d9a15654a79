"""Programs that only write down how they were called, and accounts whose answers are written down before."""

import json
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:  # light tests must not need boto3
    from botocore.stub import Stubber

    from primavoce.aws.account import Account

PROGRAM = """#!{python}
import json, os, sys
from pathlib import Path
here = Path(__file__)
calls = here.with_suffix(".calls")
stdin = "" if sys.stdin.isatty() else sys.stdin.read()
with calls.open("a") as file:
    file.write(json.dumps({{"argv": sys.argv[1:], "stdin": stdin, "folder": os.getcwd()}}) + "\\n")
told = json.loads(here.with_suffix(".script").read_text())
for words, status, output in told:
    if sys.argv[1:1 + len(words)] == words:
        print(output)
        sys.exit(status)
"""


@dataclass(frozen=True)
class Programs:
    """A folder that is first on PATH."""

    folder: Path

    def add(self, name: str, *answers: tuple[str, int, str]) -> None:
        """Put a program there.

        Args:
            name: What it is called.
            answers: How its arguments begin, its status, what it writes; the first that fits. Otherwise 0, and nothing.
        """
        program = self.folder / name
        program.write_text(PROGRAM.format(python=sys.executable))
        program.chmod(0o755)
        (self.folder / f"{name}.script").write_text(json.dumps([[words.split(), *rest] for words, *rest in answers]))

    def calls(self, name: str) -> list[dict[str, Any]]:
        """Return how a program was called, in order."""
        file = self.folder / f"{name}.calls"
        return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Programs:
    folder = tmp_path / "programs"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return Programs(folder)


@pytest.fixture
def nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no credentials, profile or region of this machine be found."""
    for name in list(os.environ):
        if name.startswith("AWS_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nonexistent")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/nonexistent")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")


@dataclass(frozen=True)
class StubbedAccount:
    """An account of which each service answers as it was told to, in that order, and only to just those questions."""

    account: "Account"
    stub: Callable[[str], "Stubber"]
    """Returns the stub of a service."""

    def answer(self, service: str, method: str, answer: dict[str, Any], **asked: Any) -> None:
        self.stub(service).add_response(method, answer, asked or None)

    def refuse(self, service: str, method: str, code: str, message: str = "no") -> None:
        self.stub(service).add_client_error(method, code, message)


@pytest.fixture
def stubbed() -> Iterator[StubbedAccount]:
    """An account with stubbed services: all that was told must have been asked for at the end."""
    import boto3
    from botocore.stub import Stubber

    from primavoce.aws.account import Account

    session = boto3.Session(aws_access_key_id="a", aws_secret_access_key="b", region_name="us-east-1")
    stubs: dict[str, Stubber] = {}

    def stub(service: str) -> Stubber:
        if service not in stubs:
            stubs[service] = Stubber(session.client(service))
            stubs[service].activate()
        return stubs[service]

    yield StubbedAccount(Account("us-east-1", lambda service: stub(service).client), stub)
    for each in stubs.values():
        each.assert_no_pending_responses()
