"""Images: built here, named by what they are, pushed once, and deployed by their digest."""

import base64
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from primavoce.aws.account import Account, asking, is_absent
from primavoce.aws.commands import Commands, run_step
from primavoce.aws.findings import Finding
from primavoce.aws.local_checks import label_finding
from primavoce.aws.names import Names
from primavoce.errors import AccountRefused, DeploymentError, StepFailed

type Part = Literal["speech", "agent"]

PLATFORMS: dict[Part, str] = {"speech": "linux/amd64", "agent": "linux/arm64"}
"""AgentCore runs arm64 alone."""
AGENT_LIMIT_BYTES = 2 * 1000**3
"""The largest image that AgentCore takes."""
GPU_FAMILIES = ("ml.g", "ml.p")
TAG_DIGITS = 20
"""Of an image's id, which are its tag: the same image has the same tag, and is pushed once."""


@dataclass(frozen=True, slots=True)
class Pushed:
    """An image that is in its repository."""

    tag: str
    digest: str
    """``sha256:…``"""
    size_bytes: int
    """Compressed."""
    anew: bool
    """Whether it was pushed just now."""


def build_argv(names: Names, part: Part, *, instance_type: str) -> tuple[str, ...]:
    """Return the command that builds the image of ``part``, in a checkout."""
    device = () if part == "agent" else ("--build-arg", f"DEVICE={device_of(instance_type)}")
    return (
        *("docker", "buildx", "build", "--platform", PLATFORMS[part], "--file", f"docker/{part}.Dockerfile"),
        *device,
        # An attestation would make an index of the image, which SageMaker doesn't take.
        *("--provenance=false", "--sbom=false", "--load", "--tag", names.local_image(part), "."),
    )


def device_of(instance_type: str) -> str:
    """Return what the model runs on there: ``gpu`` or ``cpu``."""
    return "gpu" if instance_type.startswith(GPU_FAMILIES) else "cpu"


def build(commands: Commands, names: Names, part: Part, *, instance_type: str, checkout: Path) -> str:
    """Build the image of ``part``, and return its id.

    Raises:
        StepFailed: it can't be built, or lacks its label.
    """
    remedy = "run `primavoce aws check`, then the same command again: layers that were built are kept"
    argv = build_argv(names, part, instance_type=instance_type)
    run_step(commands, f"building the image of the {part}", argv, folder=checkout, remedy=remedy)
    if part == "speech":
        _insist(label_finding(commands, names.local_image(part)))
    return image_id(commands, names.local_image(part))


def _insist(label: Finding) -> None:
    if label.state != "ok":
        raise StepFailed("building the image of the speech", label.detail, label.remedy)


def image_id(commands: Commands, image: str) -> str:
    """Return the id of ``image``, which is on this machine.

    Raises:
        StepFailed: it isn't.
    """
    argv = ("docker", "inspect", "--type", "image", "--format", "{{.Id}}", image)
    return run_step(commands, f"looking at {image}", argv).strip()


def tag_of(found_id: str) -> str:
    """Return the tag of an image by its id."""
    return found_id.removeprefix("sha256:")[:TAG_DIGITS]


def push(commands: Commands, account: Account, names: Names, part: Part, *, found_id: str) -> Pushed:
    """Push the image of ``part``, unless the repository has it already.

    Raises:
        DeploymentError: it can't be pushed.
    """
    tag, repository = tag_of(found_id), names.repository(part)
    there = find(account, repository, tag)
    if there is None:
        remote = f"{account.registry}/{repository}:{tag}"
        step = f"pushing the image of the {part}"
        run_step(commands, step, ("docker", "tag", names.local_image(part), remote))
        log_in(commands, account)
        try:
            run_step(commands, step, ("docker", "push", remote), remedy="run it again: layers that are there are kept")
        finally:
            # A password that lasts for twelve hours has no business in a file.
            commands.run(("docker", "logout", account.registry))
        there = find(account, repository, tag)
        if there is None:
            raise StepFailed(step, f"{repository} has no {tag} after the push")
        there = Pushed(there.tag, there.digest, there.size_bytes, anew=True)
    if part == "agent" and there.size_bytes > AGENT_LIMIT_BYTES:
        told = f"it has {there.size_bytes / 1e9:.1f} GB, and AgentCore takes {AGENT_LIMIT_BYTES / 1e9:.0f}"
        raise StepFailed("pushing the image of the agent", told)
    return there


def find(account: Account, repository: str, tag: str) -> Pushed | None:
    """Return the image that ``repository`` has by ``tag``, or by digest; `None` if it has none.

    Raises:
        DeploymentError: it can't be asked, or there is no such repository.
    """
    named = {"imageDigest": tag} if tag.startswith("sha256:") else {"imageTag": tag}
    try:
        with asking("ecr:DescribeImages"):
            found = account.client("ecr").describe_images(repositoryName=repository, imageIds=[named])
    except DeploymentError as error:
        if is_absent(error) and "RepositoryNotFound" not in str(error):
            return None
        raise
    detail = found["imageDetails"][0]
    return Pushed(tag, detail["imageDigest"], detail.get("imageSizeInBytes", 0), anew=False)


def log_in(commands: Commands, account: Account) -> None:
    """Let docker push to the account's registry; the password goes by standard input alone.

    Raises:
        DeploymentError: there is no password to be had, or docker doesn't take it.
    """
    with asking("ecr:GetAuthorizationToken"):
        told = account.client("ecr").get_authorization_token()["authorizationData"][0]
    user, _, password = base64.b64decode(told["authorizationToken"]).decode().partition(":")
    if not password:
        raise AccountRefused("ecr:GetAuthorizationToken", "it gave no password")
    argv = ("docker", "login", "--username", user, "--password-stdin", account.registry)
    run_step(commands, "signing in to the image registry", argv, stdin=password)
