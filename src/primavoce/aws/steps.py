"""The steps of a deployment, and their order; pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Literal

from primavoce.aws.names import Names
from primavoce.errors import InvalidSetting

type Target = Literal["speech", "agent", "all"]
TARGETS: tuple[Target, ...] = ("speech", "agent", "all")
MODEL = "global.amazon.nova-2-lite-v1:0"
"""The stacks' own choice of what writes."""


class Step(Enum):
    """One step. Each may be repeated: what is done already is found to be done, and done quickly."""

    WEIGHTS = "bucket and image repositories"
    BUILD_SPEECH = "building the image of the speech"
    PUSH_SPEECH = "pushing the image of the speech"
    SPEECH = "the speech stack: model and endpoint"
    ENDPOINT = "the endpoint comes into service"
    VERIFY_SPEECH = "the endpoint speaks"
    GATE = "the endpoint is in service, and verified"
    BUILD_AGENT = "building the image of the agent"
    PUSH_AGENT = "pushing the image of the agent"
    AGENT = "the agent's stack: role and runtime"
    RUNTIME = "the runtime becomes ready"
    VERIFY_AGENT = "the agent speaks"


_SPEECH = (Step.WEIGHTS, Step.BUILD_SPEECH, Step.PUSH_SPEECH, Step.SPEECH, Step.ENDPOINT, Step.VERIFY_SPEECH)
_AGENT = (Step.GATE, Step.BUILD_AGENT, Step.PUSH_AGENT, Step.AGENT, Step.RUNTIME, Step.VERIFY_AGENT)
_BUILDS = {Step.BUILD_SPEECH: "speech_image", Step.BUILD_AGENT: "agent_image"}
ROUGH_TIME = {
    Step.WEIGHTS: "2 min",
    Step.BUILD_SPEECH: "10 min, a second time less",
    Step.PUSH_SPEECH: "5–20 min by the network, a second time less",
    Step.SPEECH: "8 min",
    Step.ENDPOINT: "under a minute after the stack",
    Step.VERIFY_SPEECH: "1 min",
    Step.GATE: "a second",
    Step.BUILD_AGENT: "3 min",
    Step.PUSH_AGENT: "2 min",
    Step.AGENT: "3 min",
    Step.RUNTIME: "under a minute",
    Step.VERIFY_AGENT: "1 min",
}
"""Estimates; nobody has measured them on a live account."""
BY_CLOUDFORMATION = frozenset({Step.WEIGHTS, Step.SPEECH, Step.ENDPOINT, Step.AGENT, Step.RUNTIME})
"""Steps whose work goes on in the account when this program is left; all others end with it."""
OPTIONS = {
    "name": "--name",
    "instance_type": "--instance-type",
    "capacity": "--capacity",
    "model": "--model",
    "speech_image": "--speech-image",
    "agent_image": "--agent-image",
}
"""Keys of the stacks that have an option of their own, by which more is decided than what the stacks are told: what is
built, say, and what is looked for."""
KEYS = (
    "inference_ami",
    "model_data",
    "network_isolation",
    "idle_timeout_s",
    "scaling",
    "first_audio_p95_ms",
    "first_chunk_p95_ms",
    "alarm_email",
    "retention_days",
)
"""The other keys of the stacks: those that are chosen as such."""
LOOKED_UP = ("deployed_min", "deployed_max", "deployed_running", "deployed_sessions")
"""Keys of the stacks that nobody chooses: they tell what is deployed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """What whoever deploys has chosen."""

    instance_type: str
    """Of the endpoint."""
    checkout: Path
    """Has ``infra/`` and ``docker/``."""
    capacity: Path | None = None
    """The limits of scaling, as `primavoce aws plan` has written them."""
    model: str | None = None
    """What writes: Bedrock's id; the stack's own choice unless given."""
    speech_image: str | None = None
    """Tag or digest of one that is in the repository; built and pushed unless given."""
    agent_image: str | None = None
    """The same of the agent's."""
    shrink: bool = False
    """Whether the endpoint may have fewer instances than scaling may give it now."""
    context: tuple[tuple[str, str], ...] = ()
    """Other keys and values for the stacks."""


def steps_of(target: Target, choices: Choices) -> tuple[Step, ...]:
    """Return the steps that lead to ``target``, in order: never an agent before the gate."""
    both = {"speech": _SPEECH, "agent": _AGENT, "all": _SPEECH + _AGENT}[target]
    return tuple(step for step in both if getattr(choices, _BUILDS.get(step, ""), None) is None)


def context_of(
    names: Names,
    choices: Choices,
    *,
    speech_image: str | None = None,
    agent_image: str | None = None,
    fleet: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """Return what the stacks are told; what isn't chosen is left to them.

    Args:
        names: Of the deployment.
        choices: What was chosen.
        speech_image: Digest of what is to run at the endpoint.
        agent_image: Digest of the agent's.
        fleet: What is there, below which the capacity may not be; `None` for a stack that changes no instances, which
            their type is no business of either.
    """
    chosen = {
        "name": names.prefix,
        "instance_type": None if fleet is None else choices.instance_type,
        "capacity": None if choices.capacity is None else str(choices.capacity.absolute()),
        "model": choices.model,
        "speech_image": speech_image,
        "agent_image": agent_image,
        **(fleet or {}),
    }
    return {**{key: value for key, value in chosen.items() if value is not None}, **dict(choices.context)}


def context_pairs(option: str, texts: list[str]) -> tuple[tuple[str, str], ...]:
    """Return the keys and values of ``texts``, each ``KEY=VALUE``.

    Raises:
        InvalidSetting: one is something else, or is chosen in another way.
    """
    pairs = [text.partition("=") for text in texts]
    for text, (key, sign, _) in zip(texts, pairs, strict=True):
        if not (key and sign):
            raise InvalidSetting(option, f"must be KEY=VALUE, not {text[:40]!r}")
        # What was built, and is looked for, would not be what is then deployed.
        if key in OPTIONS:
            raise InvalidSetting(option, f"{key} has an option of its own: say {OPTIONS[key]}")
        if key in LOOKED_UP:
            raise InvalidSetting(option, f"{key} is looked up in the account; --shrink if fewer instances are meant")
        # A colon or an at sign is in CDK's own.
        if key not in KEYS and not {":", "@"} & {*key}:
            raise InvalidSetting(option, f"{key[:40]} is no key of the stacks; known: {', '.join(KEYS)}")
    return tuple((key, value) for key, _, value in pairs)
