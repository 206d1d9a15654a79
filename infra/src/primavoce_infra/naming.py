"""Names of what others look for: an operator, `primavoce aws`, the services' own log groups."""

from dataclasses import dataclass

VARIANT = "primary"
"""The endpoint's only variant."""
MODELS_PREFIX = "models"
"""Where in the bucket weights may lie; nothing else of it is read."""

ALARM_KINDS = ("first-audio-p95", "first-chunk-p95", "errors", "refusals", "capacity")
"""What the name of each alarm that wakes somebody ends with, after the endpoint's."""
SCALE_IN = "scale-in"
"""And of the one that only takes an instance away."""


@dataclass(frozen=True, slots=True)
class Names:
    """The names of one deployment."""

    prefix: str

    @property
    def weights_stack(self) -> str:
        """Deployed first: bucket, image repositories, log group."""
        return f"{self.prefix}-weights"

    @property
    def speech_stack(self) -> str:
        """Deployed second: the endpoint."""
        return f"{self.prefix}-speech"

    @property
    def agent_stack(self) -> str:
        """Deployed third: the runtime."""
        return f"{self.prefix}-agent"

    @property
    def speech_repository(self) -> str:
        """Images of the speech container."""
        return f"{self.prefix}/speech"

    @property
    def agent_repository(self) -> str:
        """Images of the agent."""
        return f"{self.prefix}/agent"

    @property
    def endpoint(self) -> str:
        """The SageMaker endpoint; in small letters, as its ARN has it."""
        return f"{self.prefix}-speech"

    @property
    def endpoint_log_group(self) -> str:
        """Where SageMaker writes what the speech container says."""
        return f"/aws/sagemaker/Endpoints/{self.endpoint}"

    @property
    def runtime(self) -> str:
        """The AgentCore runtime, whose name may have no hyphen."""
        return f"{self.prefix.replace('-', '_')}_agent"

    @property
    def metric_namespace(self) -> str:
        """CloudWatch's namespace for what is counted in the endpoint's log."""
        return f"Primavoce/{self.endpoint}"

    @property
    def dashboard(self) -> str:
        """CloudWatch's dashboard of the endpoint."""
        return self.endpoint

    def alarm(self, kind: str) -> str:
        """Return the name of an alarm; ``kind`` is one of `ALARM_KINDS`, or `SCALE_IN`."""
        return f"{self.endpoint}-{kind}"
