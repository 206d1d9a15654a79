"""What the extras ``aws`` and ``agent`` bring, of which a deployment, and the proof that it speaks, are made."""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata

from primavoce.aws.account import MINIMUM_BOTO3
from primavoce.aws.findings import Finding, at_least, missing, ok, version_in

IN_CHECKOUT = "`uv sync --extra aws --extra agent` in the checkout"
"""Both at a time: one alone takes the other away."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """One package that has to be there."""

    name: str
    extra: str
    """The one that brings it."""
    least: tuple[int, ...]
    exactly: bool = False
    """Whether a newer one is no good either."""
    brings: str = ""
    """What it can't work without, and doesn't bring by itself."""
    needed: bool = True
    """Whether a deployment can't go on without it."""

    def found(self) -> Finding:
        """Return whether it is installed, in a version that will do."""
        remedy = f"{IN_CHECKOUT}; elsewhere pip install 'primavoce[{self.extra}]'"
        told = _version(self.name)
        if told is None:
            return missing(self.name, "it isn't installed", remedy, needed=self.needed)
        if self.brings and _version(self.brings) is None:
            return missing(self.name, f"{self.brings}, which it needs, isn't installed", remedy, needed=self.needed)
        if not self.exactly:
            return at_least(self.name, told, self.least, remedy, needed=self.needed)
        if version_in(told) == self.least:
            return ok(self.name, told)
        wanted = ".".join(map(str, self.least))
        return missing(self.name, f"{told}, and exactly {wanted} is needed", remedy, needed=self.needed)


PACKAGES = (
    Package(name="boto3", extra="aws", least=MINIMUM_BOTO3),
    # Young, and changed by each release.
    Package(name="aws-sdk-sagemaker-runtime-http2", extra="aws", least=(0, 12, 0), exactly=True, brings="awscrt"),
    Package(name="bedrock-agentcore", extra="agent", least=(1, 25)),
    # The agent that `bench` starts here; the deployed one has it in its image.
    Package(name="strands-agents", extra="agent", least=(1, 62), needed=False),
)


def package_findings() -> Iterator[Finding]:
    """Yield what of `PACKAGES` is installed, and what isn't."""
    for package in PACKAGES:
        yield package.found()


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None
