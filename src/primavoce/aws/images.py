"""Images: built here, named by what they are, pushed once, and deployed by their digest."""

import base64
import json
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from primavoce.aws.account import Account, asking, code_of, is_absent
from primavoce.aws.commands import Commands, left_by_signals, run_step
from primavoce.aws.findings import Finding
from primavoce.aws.local_checks import label_finding
from primavoce.aws.machines import device_of
from primavoce.aws.names import Names
from primavoce.errors import AccountRefused, DeploymentError, InvalidSetting, StepFailed

type Part = Literal["speech", "agent"]

PLATFORMS: dict[Part, str] = {"speech": "linux/amd64", "agent": "linux/arm64"}
"""AgentCore runs arm64 alone."""
AGENT_LIMIT_BYTES = 2 * 1000**3
"""The largest image that AgentCore takes."""
TAG_DIGITS = 20
"""Of an image's id, which are its tag: the same image has the same tag, and is pushed once."""
VERIFIED_PREFIX = "verified-"
"""How the second tag begins of an image that has spoken: pushes that come later don't have it deleted."""
IMAGE = r"sha256:[0-9a-f]{64}|[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}"
"""What an image's tag, or digest, looks like; the stacks have the same."""
FORMS = (
    "application/vnd.docker.distribution.manifest.v2+json",
    "application/vnd.oci.image.manifest.v1+json",
    "application/vnd.docker.distribution.manifest.list.v2+json",
    "application/vnd.oci.image.index.v1+json",
)
"""Of manifests: unless it is told that we take it, a registry may give another than was pushed, of another digest."""
_SIGNS_IN = {"auths", "credsStore", "credHelpers"}
"""Of docker's configuration: by whom, and where, passwords are kept."""
_SIGNING_IN = "signing in to the image registry"


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


def build(commands: Commands, names: Names, part: Part, *, instance_type: str, checkout: Path) -> str:
    """Build the image of ``part``, and return its id.

    Raises:
        StepFailed: it can't be built, or lacks its label.
    """
    check = names.with_prefix("check")
    remedy = f"run `{check}`, then the same command again: layers that were built are kept"
    argv = build_argv(names, part, instance_type=instance_type)
    run_step(commands, names, f"building the image of the {part}", argv, folder=checkout, remedy=remedy)
    found_id = image_id(commands, names, part)
    if part == "speech":
        _insist(label_finding(commands, names))
    return found_id


def _insist(label: Finding) -> None:
    if label.state != "ok":
        raise StepFailed("building the image of the speech", label.detail, label.remedy)


def image_id(commands: Commands, names: Names, part: Part) -> str:
    """Return the id of the image of ``part`` that is on this machine.

    Raises:
        StepFailed: there is none.
    """
    image = names.local_image(part)
    argv = ("docker", "inspect", "--type", "image", "--format", "{{.Id}}", image)
    return run_step(commands, names, f"looking at {image}", argv).strip()


def check_image(option: str, image: str | None) -> None:
    """Refuse what can be neither tag nor digest, before anything is built on it.

    Raises:
        InvalidSetting: it is none.
    """
    if image is not None and not re.fullmatch(IMAGE, image):
        raise InvalidSetting(option, f"must be an image's tag, or its digest (sha256:…), not {image[:80]!r}")


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
        run_step(commands, names, step, ("docker", "tag", names.local_image(part), remote))
        with signed_in(account) as docker:
            remedy = "run it again: layers that are there are kept"
            run_step(commands, names, step, (*docker, "push", remote), remedy=remedy)
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


def keep(account: Account, names: Names, part: Part, digest: str) -> None:
    """Tag an image that has spoken, so that its repository keeps it however many are pushed after it.

    Raises:
        DeploymentError: it can't be tagged, or isn't there.
    """
    client, repository = account.client("ecr"), names.repository(part)
    with asking("ecr:BatchGetImage"):
        found = client.batch_get_image(
            repositoryName=repository, imageIds=[{"imageDigest": digest}], acceptedMediaTypes=list(FORMS)
        )["images"]
    if not found:
        raise StepFailed("keeping what was verified", f"{repository} has no image {digest}")
    form = found[0].get("imageManifestMediaType")  # told by itself, where the manifest doesn't tell it
    try:
        with asking("ecr:PutImage"):
            client.put_image(
                repositoryName=repository,
                imageManifest=found[0]["imageManifest"],
                imageTag=VERIFIED_PREFIX + tag_of(digest),
                imageDigest=digest,  # the one that runs: refused if the manifest has another
                **({} if form is None else {"imageManifestMediaType": form}),
            )
    except DeploymentError as error:
        if code_of(error) != "ImageAlreadyExistsException":  # it was verified before
            raise


def keep_or_tell(account: Account, names: Names, part: Part, digest: str) -> str:
    """Do as `keep`; return what is to be told, and done, if it can't be kept, and nothing if it is."""
    try:
        keep(account, names, part, digest)
    except DeploymentError as error:
        command = names.with_prefix("verify --part speech" if part == "speech" else "deploy agent")
        risk = f"later pushes may have {names.repository(part)}@{digest} deleted, which can't be tagged as verified"
        return f"{risk}: {error}; put it right, and run `{command}` again"
    return ""


@contextmanager
def signed_in(account: Account) -> Iterator[tuple[str, ...]]:
    """Let docker push to the account's registry while the block runs; the value is how its command begins.

    A configuration of its own has the password, readable by nobody else, and is gone with the block, also if this
    process is ended: whether, and by whose credentials, the user is signed in there stays as it is. `docker login`
    would give it to the platform's keeper of passwords, in the place of the user's own.

    Raises:
        DeploymentError: there is no password to be had, or it can't be written down.
    """
    with asking("ecr:GetAuthorizationToken"):
        told = account.client("ecr").get_authorization_token()["authorizationData"][0]
    token = told["authorizationToken"]
    if not base64.b64decode(token).decode().partition(":")[2]:
        raise AccountRefused("ecr:GetAuthorizationToken", "it gave no password")
    with left_by_signals(), ExitStack() as left:
        try:
            folder = left.enter_context(TemporaryDirectory(prefix="primavoce-docker-"))
            _configure(Path(folder), account.registry, token)
        except OSError as error:
            raise StepFailed(_SIGNING_IN, f"docker's configuration can't be written: {error.strerror}") from error
        yield ("docker", "--config", folder)


def _configure(folder: Path, registry: str, token: str) -> None:
    """Put the user's own configuration of docker into ``folder``, its engine and proxies; and of passwords, ours alone.

    Raises:
        OSError: it can't be written.
    """
    own = Path(os.environ.get("DOCKER_CONFIG") or Path.home() / ".docker")
    try:
        told = json.loads((own / "config.json").read_text("utf-8"))
    except (OSError, ValueError):
        told = {}  # there is none, or docker itself says what is wrong with it
    kept = {key: value for key, value in told.items() if key not in _SIGNS_IN} if isinstance(told, dict) else {}
    file = folder / "config.json"
    file.touch(mode=0o600)
    file.write_text(json.dumps({**kept, "auths": {registry: {"auth": token}}}), "utf-8")
    if (own / "contexts").is_dir():
        with suppress(OSError):  # what can't be read, docker itself misses, if it needs it at all
            shutil.copytree(own / "contexts", folder / "contexts")
