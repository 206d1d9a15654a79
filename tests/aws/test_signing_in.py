"""Signing in to the image registry: a password that nobody else sees, and that is gone afterwards."""

import base64
import json
import signal
import tempfile
from pathlib import Path

import pytest

from primavoce.errors import StepFailed

REGISTRY = "123456789012.dkr.ecr.us-east-1.amazonaws.com"
WHO = {"UserId": "u", "Account": "123456789012", "Arn": "arn:aws:iam::123456789012:user/me"}
TOKEN = {"authorizationData": [{"authorizationToken": base64.b64encode(b"AWS:the-password").decode()}]}
ENGINE = {"currentContext": "far", "proxies": {"a": 1}}
OWN_LOGIN = {"auths": {REGISTRY: {"auth": "mine"}}, "credsStore": "desktop", **ENGINE}
LOGIN = {"auths": {REGISTRY: {"auth": base64.b64encode(b"AWS:the-password").decode()}}}
"""As docker's own documents have it."""


@pytest.fixture
def own_docker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The configuration of somebody who is signed in already, and whose engine is elsewhere."""
    folder = tmp_path / "own-docker"
    (folder / "contexts" / "meta").mkdir(parents=True)
    (folder / "contexts" / "meta" / "far.json").write_text("{}")
    (folder / "config.json").write_text(json.dumps(OWN_LOGIN))
    monkeypatch.setenv("DOCKER_CONFIG", str(folder))
    return folder


def about_to_sign_in(stubbed) -> None:
    stubbed.answer("sts", "get_caller_identity", WHO)
    stubbed.answer("ecr", "get_authorization_token", TOKEN)


@pytest.mark.aws
def test_a_login_of_the_users_own_is_neither_used_nor_ended_and_their_engine_is_the_same(
    stubbed, own_docker: Path
) -> None:
    from primavoce.aws.images import signed_in

    about_to_sign_in(stubbed)

    with signed_in(stubbed.account) as docker:
        folder = Path(docker[-1])
        # Without "auths", docker would look for a program that keeps passwords, and give it ours.
        assert json.loads((folder / "config.json").read_text()) == {**ENGINE, **LOGIN}
        assert (folder / "contexts" / "meta" / "far.json").is_file()
        assert folder.stat().st_mode & 0o077 == (folder / "config.json").stat().st_mode & 0o077 == 0

    assert json.loads((own_docker / "config.json").read_text()) == OWN_LOGIN


@pytest.mark.aws
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_whoever_is_ended_while_a_push_runs_leaves_no_password_behind(stubbed, own_docker: Path, name: str) -> None:
    from primavoce.aws.images import signed_in

    about_to_sign_in(stubbed)
    number, folder = getattr(signal, name), Path()
    before = signal.signal(number, signal.SIG_DFL)  # the tests themselves may run below nohup
    try:
        with pytest.raises(KeyboardInterrupt), signed_in(stubbed.account) as docker:
            folder = Path(docker[-1])
            assert callable(signal.getsignal(number))  # else the next line would end this test's process
            signal.raise_signal(number)
        left = signal.getsignal(number)
    finally:
        signal.signal(number, before)

    assert not folder.exists()
    assert left is signal.SIG_DFL


@pytest.mark.aws
def test_a_signal_that_somebody_has_chosen_to_overhear_is_overheard(stubbed, own_docker: Path) -> None:
    from primavoce.aws.images import signed_in

    about_to_sign_in(stubbed)
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup does
    try:
        with signed_in(stubbed.account):
            assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


@pytest.mark.aws
def test_of_what_cant_be_read_of_the_users_own_contexts_docker_is_left_to_speak(stubbed, own_docker: Path) -> None:
    from primavoce.aws.images import signed_in

    (own_docker / "contexts" / "meta" / "gone.json").symlink_to(own_docker / "nowhere")
    about_to_sign_in(stubbed)

    with signed_in(stubbed.account) as docker:
        assert (Path(docker[-1]) / "contexts" / "meta" / "far.json").is_file()


@pytest.mark.aws
def test_a_configuration_that_cant_be_written_is_told_as_dockers(stubbed, monkeypatch: pytest.MonkeyPatch) -> None:
    from primavoce.aws.images import signed_in

    monkeypatch.setattr(tempfile, "tempdir", "/nonexistent")
    stubbed.answer("ecr", "get_authorization_token", TOKEN)

    told = r"signing in to the image registry failed: docker's .*No such file"
    with pytest.raises(StepFailed, match=told), signed_in(stubbed.account):
        pass
