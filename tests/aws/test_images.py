"""Images: what is built, what is pushed, and that no password is seen."""

import base64
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from primavoce.aws.commands import LocalCommands
from primavoce.aws.images import build, build_argv, check_image, tag_of
from primavoce.aws.machines import device_of
from primavoce.aws.names import Names
from primavoce.errors import InvalidSetting, StepFailed
from tests.aws.world import stack_settings

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


def test_an_image_that_docker_cant_look_at_after_its_build_is_told_in_dockers_words(programs, tmp_path: Path) -> None:
    programs.add("docker", ("inspect", 1, "Cannot connect to the Docker daemon"))

    with pytest.raises(StepFailed, match="Cannot connect to the Docker daemon") as caught:
        build(LocalCommands(), NAMES, "speech", instance_type="ml.g5.xlarge", checkout=tmp_path)

    assert "deploy` builds it" not in str(caught.value)


LONGEST_TAG = "a" * 128
NO_IMAGES = ["", "bad tag", "-x", f"{LONGEST_TAG}a", "sha256:ab", f"sha256:{'AB' * 32}", "a\n", "r/primavoce:1"]


@pytest.mark.parametrize("image", ["0.1.0", LONGEST_TAG, ID, *NO_IMAGES])
def test_what_names_an_image_is_just_what_the_stacks_take(image: str) -> None:
    stacks = stack_settings()

    def taken(read: Callable[[], object], refused: type[Exception]) -> bool:
        try:
            read()
        except refused:
            return False
        return True

    ours = taken(lambda: check_image("--speech-image", image), InvalidSetting)

    assert ours == taken(lambda: stacks.READERS["speech_image"]("speech_image", image), stacks.InvalidContext)


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


WHO = {"UserId": "u", "Account": "123456789012", "Arn": "arn:aws:iam::123456789012:user/me"}
TOKEN = {"authorizationData": [{"authorizationToken": base64.b64encode(b"AWS:the-password").decode()}]}


def about_to_push(stubbed, programs, *answers: tuple[str, int, str]) -> None:
    programs.add("docker", *answers)
    stubbed.answer("sts", "get_caller_identity", WHO)
    stubbed.refuse("ecr", "describe_images", "ImageNotFoundException")
    stubbed.answer("ecr", "get_authorization_token", TOKEN)


@pytest.mark.aws
def test_a_push_signs_in_by_a_configuration_that_is_gone_and_by_no_program_that_keeps_passwords(
    programs, stubbed
) -> None:
    from primavoce.aws.images import push

    about_to_push(stubbed, programs)
    stubbed.answer("ecr", "describe_images", images_of(), **asked_for("speech"))

    found = push(LocalCommands(), stubbed.account, NAMES, "speech", found_id=ID)

    remote = f"{REGISTRY}/primavoce/speech:{TAG}"
    calls = programs.calls("docker")
    folder = calls[1]["argv"][1]
    assert [call["argv"] for call in calls] == [
        ["tag", "primavoce-speech:built", remote],
        ["--config", folder, "push", remote],
    ]
    assert (found.digest, found.anew) == (DIGEST, True)
    assert not Path(folder).exists()


@pytest.mark.aws
def test_a_push_that_fails_leaves_no_password_behind(programs, stubbed) -> None:
    from primavoce.aws.images import push

    about_to_push(stubbed, programs, ("tag", 0, ""), ("--config", 1, "connection reset"))

    with pytest.raises(StepFailed, match="connection reset") as caught:
        push(LocalCommands(), stubbed.account, NAMES, "speech", found_id=ID)

    assert not Path(programs.calls("docker")[-1]["argv"][1]).exists()
    assert "the-password" not in str(caught.value)


FORMS = [
    "application/vnd.docker.distribution.manifest.v2+json",
    "application/vnd.oci.image.manifest.v1+json",
    "application/vnd.docker.distribution.manifest.list.v2+json",
    "application/vnd.oci.image.index.v1+json",
]


@pytest.mark.aws
@pytest.mark.parametrize("form", FORMS)
def test_an_image_is_kept_in_the_form_in_which_it_was_pushed_and_by_its_digest(stubbed, form: str) -> None:
    from primavoce.aws.images import keep

    there = {"images": [{"imageManifest": "{}", "imageManifestMediaType": form}]}
    named = {"repositoryName": "primavoce/speech"}
    digest = {"imageDigest": DIGEST}
    stubbed.answer("ecr", "batch_get_image", there, imageIds=[digest], acceptedMediaTypes=FORMS, **named)
    tag = {"imageTag": "verified-" + "cd" * 10}
    stubbed.answer("ecr", "put_image", {}, imageManifest="{}", imageManifestMediaType=form, **digest, **tag, **named)

    keep(stubbed.account, NAMES, "speech", DIGEST)


@pytest.mark.aws
def test_an_image_that_was_kept_before_is_kept_and_one_that_is_gone_is_told(stubbed) -> None:
    from primavoce.aws.images import keep

    stubbed.answer("ecr", "batch_get_image", {"images": [{"imageManifest": "{}"}]})
    stubbed.refuse("ecr", "put_image", "ImageAlreadyExistsException")
    keep(stubbed.account, NAMES, "agent", DIGEST)
    stubbed.answer("ecr", "batch_get_image", {"images": []})
    with pytest.raises(StepFailed, match="primavoce/agent has no image sha256:cd"):
        keep(stubbed.account, NAMES, "agent", DIGEST)


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
