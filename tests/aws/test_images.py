"""Images: what is built, what is pushed, and that no password is seen."""

import base64
import json
from pathlib import Path

import pytest

from primavoce.aws.commands import LocalCommands
from primavoce.aws.images import build, build_argv, device_of, tag_of
from primavoce.aws.names import Names
from primavoce.errors import StepFailed

NAMES = Names()
ID = f"sha256:{'ab' * 32}"
TAG = "abababababababababab"
DIGEST = f"sha256:{'cd' * 32}"
LABELS = json.dumps({"com.amazonaws.sagemaker.capabilities.bidirectional-streaming": "true"})
REGISTRY = "123456789012.dkr.ecr.us-east-1.amazonaws.com"


@pytest.mark.parametrize(
    ("instance_type", "device"),
    [("ml.g5.xlarge", "gpu"), ("ml.g6.12xlarge", "gpu"), ("ml.p4d.24xlarge", "gpu"), ("ml.c7i.xlarge", "cpu")],
)
def test_the_speech_image_is_for_the_device_that_the_instance_has(instance_type: str, device: str) -> None:
    argv = build_argv(NAMES, "speech", instance_type=instance_type)

    assert device_of(instance_type) == device
    assert f"DEVICE={device}" in argv
    assert argv[argv.index("--platform") + 1] == "linux/amd64"


def test_the_agents_image_is_for_arm_and_neither_is_an_index_of_images() -> None:
    argv = build_argv(NAMES, "agent", instance_type="ml.g5.xlarge")

    assert argv[argv.index("--platform") + 1] == "linux/arm64"
    assert "--build-arg" not in argv
    assert {"--provenance=false", "--sbom=false"} <= set(argv)


def test_building_runs_in_the_checkout_and_gives_the_images_id(programs, tmp_path: Path) -> None:
    programs.add("docker", ("inspect --type image --format {{.Id}}", 0, ID), ("inspect --type image", 0, LABELS))

    found = build(LocalCommands(), NAMES, "speech", instance_type="ml.g5.xlarge", checkout=tmp_path)

    first = programs.calls("docker")[0]
    assert (found, tag_of(found)) == (ID, TAG)
    assert (first["folder"], first["argv"][:2]) == (str(tmp_path), ["buildx", "build"])
    assert first["argv"][-3:] == ["--tag", "primavoce-speech:built", "."]


def test_a_speech_image_without_its_label_is_never_pushed(programs, tmp_path: Path) -> None:
    programs.add("docker", ("inspect --type image --format {{.Id}}", 0, ID), ("inspect --type image", 0, "{}"))

    with pytest.raises(StepFailed, match=r"bidirectional-streaming=true.*build it from docker/speech\.Dockerfile"):
        build(LocalCommands(), NAMES, "speech", instance_type="ml.g5.xlarge", checkout=tmp_path)


def test_a_build_that_fails_shows_why(programs, tmp_path: Path) -> None:
    programs.add("docker", ("buildx build", 1, "ERROR: no space left on device"))

    with pytest.raises(StepFailed, match="no space left on device"):
        build(LocalCommands(), NAMES, "agent", instance_type="ml.g5.xlarge", checkout=tmp_path)


def images_of(size: int = 10**9) -> dict[str, object]:
    return {"imageDetails": [{"imageDigest": DIGEST, "imageSizeInBytes": size}]}


def asked_for(part: str) -> dict[str, object]:
    return {"repositoryName": f"primavoce/{part}", "imageIds": [{"imageTag": TAG}]}


@pytest.mark.aws
def test_an_image_that_is_there_is_not_pushed_again(programs, stubbed) -> None:
    from primavoce.aws.images import push

    programs.add("docker")
    stubbed.answer("ecr", "describe_images", images_of(), **asked_for("speech"))

    found = push(LocalCommands(), stubbed.account, NAMES, "speech", found_id=ID)

    assert (found.digest, found.anew) == (DIGEST, False)
    assert programs.calls("docker") == []


@pytest.mark.aws
def test_a_push_signs_in_by_standard_input_alone_and_signs_out(programs, stubbed) -> None:
    from primavoce.aws.images import push

    programs.add("docker")
    who = {"UserId": "u", "Account": "123456789012", "Arn": "arn:aws:iam::123456789012:user/me"}
    token = base64.b64encode(b"AWS:the-password").decode()
    stubbed.answer("sts", "get_caller_identity", who)
    stubbed.refuse("ecr", "describe_images", "ImageNotFoundException")
    stubbed.answer("ecr", "get_authorization_token", {"authorizationData": [{"authorizationToken": token}]})
    stubbed.answer("ecr", "describe_images", images_of(), **asked_for("speech"))

    found = push(LocalCommands(), stubbed.account, NAMES, "speech", found_id=ID)

    remote = f"{REGISTRY}/primavoce/speech:{TAG}"
    calls = programs.calls("docker")
    assert [call["argv"] for call in calls] == [
        ["tag", "primavoce-speech:built", remote],
        ["login", "--username", "AWS", "--password-stdin", REGISTRY],
        ["push", remote],
        ["logout", REGISTRY],
    ]
    assert [call["stdin"] for call in calls] == ["", "the-password", "", ""]
    assert (found.digest, found.anew) == (DIGEST, True)


@pytest.mark.aws
def test_a_push_that_fails_signs_out_all_the_same(programs, stubbed) -> None:
    from primavoce.aws.images import push

    programs.add("docker", ("push", 1, "connection reset"))
    who = {"UserId": "u", "Account": "123456789012", "Arn": "arn:aws:iam::123456789012:user/me"}
    token = base64.b64encode(b"AWS:the-password").decode()
    stubbed.answer("sts", "get_caller_identity", who)
    stubbed.refuse("ecr", "describe_images", "ImageNotFoundException")
    stubbed.answer("ecr", "get_authorization_token", {"authorizationData": [{"authorizationToken": token}]})

    with pytest.raises(StepFailed, match="connection reset") as caught:
        push(LocalCommands(), stubbed.account, NAMES, "speech", found_id=ID)

    assert programs.calls("docker")[-1]["argv"][0] == "logout"
    assert "the-password" not in str(caught.value)


@pytest.mark.aws
def test_an_agents_image_that_is_too_large_is_told_before_it_is_deployed(programs, stubbed) -> None:
    from primavoce.aws.images import push

    programs.add("docker")
    stubbed.answer("ecr", "describe_images", images_of(2_100_000_000), **asked_for("agent"))

    with pytest.raises(StepFailed, match=r"2\.1 GB, and AgentCore takes 2"):
        push(LocalCommands(), stubbed.account, NAMES, "agent", found_id=ID)


@pytest.mark.aws
def test_a_repository_that_isnt_there_is_told_and_not_taken_for_an_empty_one(programs, stubbed) -> None:
    from primavoce.aws.images import push

    programs.add("docker")
    stubbed.refuse("ecr", "describe_images", "RepositoryNotFoundException", "The repository does not exist")

    with pytest.raises(StepFailed, match="RepositoryNotFoundException"):
        push(LocalCommands(), stubbed.account, NAMES, "speech", found_id=ID)
