"""What this machine needs: Python, uv, Node and the CDK CLI, Docker, the extras, a checkout, the image's label."""

import json
import platform
from collections.abc import Iterator
from pathlib import Path

from primavoce.aws.commands import Commands, asked
from primavoce.aws.findings import Finding, at_least, missing, ok, unknown
from primavoce.aws.names import Names
from primavoce.aws.packages import package_findings

MINIMUM_PYTHON, MINIMUM_UV, MINIMUM_NODE, MINIMUM_CDK = (3, 12), (0, 5), (22,), (2, 1148)
"""Node is the oldest that the checkout's CDK library supports: it warns of an older one. CDK's CLI has to be as new as
that library asks for: an older one can't read what it writes."""
MINIMUM_DOCKER = (20, 10)
"""Of client and engine."""
BIDIRECTIONAL_LABEL = "com.amazonaws.sagemaker.capabilities.bidirectional-streaming"
"""Without it, SageMaker routes no sockets to the container."""
AGENT_PLATFORM = "linux/arm64"
IN_CHECKOUT = ("infra/cdk.json", "docker/speech.Dockerfile", "docker/agent.Dockerfile")
NEW_CDK = "npm install --global aws-cdk"


def local_findings(commands: Commands, names: Names, *, checkout: Path | None) -> Iterator[Finding]:
    """Yield what this machine has, and what it hasn't.

    Args:
        commands: Runs programs.
        names: Of what is to be deployed.
        checkout: Has what is built; `None` if it wasn't found.
    """
    yield at_least("Python", platform.python_version(), MINIMUM_PYTHON, "uv brings one: `uv python install 3.12`")
    yield _version(commands, "uv", ("uv", "--version"), MINIMUM_UV, "https://docs.astral.sh/uv/")
    yield _version(commands, "Node", ("node", "--version"), MINIMUM_NODE, "https://nodejs.org, 22 or newer")
    yield _version(commands, "CDK CLI", ("cdk", "--version"), MINIMUM_CDK, f"`{NEW_CDK}`")
    yield from docker_findings(commands, names)
    yield from package_findings()
    yield checkout_finding(checkout)


def _version(commands: Commands, name: str, argv: tuple[str, ...], least: tuple[int, ...], remedy: str) -> Finding:
    done = asked(commands, *argv)
    if done is None:
        return missing(name, f"there is no `{argv[0]}` on PATH", f"install it: {remedy}")
    if done.status != 0:
        return unknown(name, f"`{' '.join(argv)}` ended with status {done.status}", f"install it again: {remedy}")
    return at_least(name, done.output, least, f"install a newer one: {remedy}")


def docker_findings(commands: Commands, names: Names) -> Iterator[Finding]:
    """Yield what there is of Docker: client, engine, what it can build for, and the image."""
    asked_once = asked(commands, "docker", "version", "--format", "{{json .}}")
    install = "https://docs.docker.com/engine/install/"
    if asked_once is None:
        yield missing("Docker client", "there is no `docker` on PATH", f"install it: {install}")
        return
    client, engine = _docker_versions(asked_once.output)
    yield at_least("Docker client", client, MINIMUM_DOCKER, f"install a newer one: {install}")
    if engine is None:
        told = f"it doesn't answer: {_last_line(asked_once.output)}"
        yield missing("Docker engine", told, "start it, or point DOCKER_HOST at one")
        yield unknown("image's label", "without an engine no image can be looked at", "start the engine", needed=False)
        return
    yield at_least("Docker engine", engine, MINIMUM_DOCKER, f"install a newer one: {install}")
    yield buildx_finding(commands)
    yield label_finding(commands, names)


def _docker_versions(output: str) -> tuple[str, str | None]:
    """Return the versions of client and engine; the latter is `None` where none answers, whatever else is said."""
    for line in output.splitlines():
        try:
            told = json.loads(line)
        except ValueError:
            continue  # a warning, or why there is no engine
        if isinstance(told, dict):
            client, engine = told.get("Client"), told.get("Server")
            return _version_of(client) or "", _version_of(engine)
    return "", None


def _version_of(told: object) -> str | None:
    return str(told.get("Version", "")) if isinstance(told, dict) else None


def buildx_finding(commands: Commands) -> Finding:
    """Return whether images can be built for the agent's platform."""
    found = asked(commands, "docker", "buildx", "inspect", "--bootstrap")
    if found is None or found.status != 0:
        why = "it isn't there" if found is None else _last_line(found.output)
        return missing("Docker buildx", why, "install the plug-in docker-buildx")
    if AGENT_PLATFORM not in found.output:
        # The agent's image runs nothing of that platform while it is built, so that this stops nobody.
        return unknown(
            "Docker buildx",
            f"the builder doesn't name {AGENT_PLATFORM} among its platforms",
            "if the agent's image can't be built: `docker run --privileged --rm tonistiigi/binfmt --install arm64`",
            needed=False,
        )
    return ok("Docker buildx", f"builds for {AGENT_PLATFORM}, too")


def label_finding(commands: Commands, names: Names) -> Finding:
    """Return whether the speech image on this machine says that it takes sessions."""
    name, image = "image's label", names.local_image("speech")
    found = asked(commands, "docker", "inspect", "--type", "image", "--format", "{{json .Config.Labels}}", image)
    if found is None or (found.status != 0 and "no such" not in found.output.lower()):
        told = "there is no docker" if found is None else _last_line(found.output)
        return unknown(name, f"docker can't look at {image}: {told}", needed=False)
    if found.status != 0:
        remedy = f"`{names.with_prefix('deploy')}` builds it"
        return unknown(name, f"there is no image {image} here yet", remedy, needed=False)
    try:
        labels = json.loads(found.output) or {}
    except ValueError:
        labels = None
    if not isinstance(labels, dict):
        return unknown(name, f"what docker says of {image} can't be read", needed=False)
    if labels.get(BIDIRECTIONAL_LABEL) == "true":
        return ok(name, f"{image} takes sessions")
    told = f"{image} has no {BIDIRECTIONAL_LABEL}=true: SageMaker would route no session to it"
    return missing(name, told, "build it from docker/speech.Dockerfile")


def checkout_finding(checkout: Path | None) -> Finding:
    """Return whether there is what a deployment is made from."""
    if checkout is None:
        remedy = "run it in a checkout of primavoce, or say --checkout FOLDER"
        return missing("checkout", f"no folder here has {', '.join(IN_CHECKOUT)}", remedy)
    return ok("checkout", str(checkout))


def find_checkout(folder: Path) -> Path | None:
    """Return the nearest folder, ``folder`` or one above it, that has what a deployment is made from."""
    for each in (folder, *folder.parents):
        if all((each / name).is_file() for name in IN_CHECKOUT):
            return each
    return None


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "no answer"
