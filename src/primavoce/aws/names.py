"""Names of what is deployed, as the stacks of ``infra/`` give them, and commands that name it."""

import shlex
from dataclasses import dataclass

PREFIX = "primavoce"
VERIFIED_TAG = "primavoce:verified"
"""Of the endpoint: which configuration and image have been verified."""
SCALE_IN = "-scale-in"
"""How the name of the alarm ends that only takes an idle instance away: it is on whenever nobody speaks."""
BOOTSTRAP_QUALIFIER = "hnb659fds"
"""CDK's own, unless somebody has chosen another."""
BOOTSTRAP_STACK = "CDKToolkit"
BOOTSTRAP_PARAMETER = f"/cdk-bootstrap/{BOOTSTRAP_QUALIFIER}/version"


@dataclass(frozen=True, slots=True)
class Names:
    """The names of one deployment."""

    prefix: str = PREFIX
    """What every name begins with; another lets a second deployment stand beside the first."""
    region: str | None = None
    """As it was said; a command that is printed has to say it again."""
    profile: str | None = None
    """The same."""

    @property
    def weights_stack(self) -> str:
        """Deployed first, deleted last: bucket, image repositories, log groups."""
        return f"{self.prefix}-weights"

    @property
    def speech_stack(self) -> str:
        """The endpoint's."""
        return f"{self.prefix}-speech"

    @property
    def agent_stack(self) -> str:
        """The runtime's."""
        return f"{self.prefix}-agent"

    @property
    def stacks(self) -> tuple[str, str, str]:
        """All of them, in the order in which they are deployed."""
        return (self.weights_stack, self.speech_stack, self.agent_stack)

    @property
    def endpoint(self) -> str:
        """The SageMaker endpoint."""
        return f"{self.prefix}-speech"

    @property
    def runtime(self) -> str:
        """The AgentCore runtime, whose name may have no hyphen."""
        return f"{self.prefix.replace('-', '_')}_agent"

    def repository(self, part: str) -> str:
        """Return the repository of the images of ``part``: ``speech`` or ``agent``."""
        return f"{self.prefix}/{part}"

    def local_image(self, part: str) -> str:
        """Return what an image is called on this machine before it has a digest."""
        return f"{self.prefix}-{part}:built"

    @property
    def log_group_prefixes(self) -> tuple[str, ...]:
        """How the log groups' names begin: those of the stacks, and those that services make by themselves."""
        return (
            f"/aws/sagemaker/Endpoints/{self.endpoint}",
            f"/aws/bedrock-agentcore/runtimes/{self.runtime}-",
            *(f"/aws/lambda/{stack}-" for stack in self.stacks),
        )

    def with_prefix(self, command: str) -> str:
        """Return ``command`` of `primavoce aws` as it has to be typed for this deployment, in its account."""
        name = None if self.prefix == PREFIX else self.prefix
        return _typed("primavoce aws", command, name=name, region=self.region, profile=self.profile)

    def of_aws(self, command: str) -> str:
        """Return ``command`` of AWS's own tool as it has to be typed for this account."""
        return _typed("aws", command, region=self.region, profile=self.profile)

    def of_cdk(self, command: str) -> str:
        """Return ``command`` of CDK, which says the region by itself, as it has to be typed for this account."""
        return _typed("cdk", command, profile=self.profile)


def _typed(program: str, command: str, **options: str | None) -> str:
    said = [f"--{option} {shlex.quote(value)}" for option, value in options.items() if value is not None]
    return " ".join((program, command, *said))


def bootstrap_bucket(account: str, region: str) -> str:
    """Return the bucket that CDK's bootstrap has made."""
    return f"cdk-{BOOTSTRAP_QUALIFIER}-assets-{account}-{region}"


def bootstrap_repository(account: str, region: str) -> str:
    """Return the image repository that CDK's bootstrap has made."""
    return f"cdk-{BOOTSTRAP_QUALIFIER}-container-assets-{account}-{region}"
