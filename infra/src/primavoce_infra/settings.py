"""What whoever deploys may choose: CDK's context, read once into one value."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Self

from primavoce_infra.capacity import MOST, Capacity
from primavoce_infra.invalid import InvalidContext

OWN_CAPACITY = "capacity.json"
"""Beside ``cdk.json``: read if it is there, and nothing else is said."""
INSTANCE_TYPE = r"ml\.[a-z0-9-]+\.[a-z0-9]+"
GPU_FAMILIES = ("ml.g", "ml.p")
ARM = r"ml\.(?:a1|[a-z]+\d+[a-z]*-?g[a-z0-9]*)\."
"""How an instance type begins whose processor is an Arm; the speech image is for x86-64."""
GPU_AMI = "al2023-ami-sagemaker-inference-gpu-4-1"
"""Has NVIDIA's driver 580, which the image's libraries, of CUDA 13, need; an ``ml.g5`` has 470 unless told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """One deployment. Each field is a key of the context, by the same name."""

    name: str = "primavoce"
    """What every name begins with; another lets a second deployment stand beside the first."""
    instance_type: str = "ml.g5.xlarge"
    """Machine that speaks; ``ml.c7i.xlarge`` for one without a GPU."""
    inference_ami: str = GPU_AMI
    """Image of a GPU machine's system, which says what driver it has; machines without a GPU have none."""
    speech_image: str = "0.1.0"
    """Tag or digest (``sha256:…``) in the repository of the speech image."""
    agent_image: str = "0.1.0"
    """Tag or digest in the repository of the agent's image."""
    model_data: str = ""
    """Folder under ``models/`` of the bucket, which becomes ``/opt/ml/model``; the image's weights unless given."""
    network_isolation: bool = True
    """Whether the speech container is cut off from every network."""
    model: str = "global.amazon.nova-2-lite-v1:0"
    """Bedrock's id of the model, or of the inference profile, that writes the answers."""
    idle_timeout_s: int = 300
    """Seconds without a message after which an agent's session, which is billed while it lives, is ended."""
    capacity: Capacity = field(default_factory=Capacity)
    """How many sessions how many instances take; a path in the context."""
    scaling: bool = True
    """Whether instances come and go by themselves; to change the instance type, switch it off first."""
    deployed_min: int = 0
    """Least instances of what is deployed, as `primavoce aws deploy` tells them: a capacity of less is refused."""
    deployed_max: int = 0
    """The same of the most."""
    deployed_running: int = 0
    """Instances that run while nothing scales: scaling that is set up with fewer at most is refused."""
    deployed_sessions: int = 0
    """Sessions that each of them takes; as many as the capacity says, unless told."""
    first_audio_p95_ms: int = 1000
    """Time to first audio, by our own log, above which an alarm goes off."""
    first_chunk_p95_ms: int = 5000
    """SageMaker's time to the first frame of a session, above which another does."""
    alarm_email: str = ""
    """Who is told of alarms; nobody without."""
    retention_days: int = 30
    """How long logs are kept: one of the numbers of days that CloudWatch has."""

    @classmethod
    def from_context(cls, context: Mapping[str, object], folder: Path = Path()) -> Self:
        """Return the settings that ``context`` makes.

        Args:
            context: Keys and values; CDK's own keys, which have a ``:`` or an ``@``, are left alone.
            folder: Where `OWN_CAPACITY` is looked for.

        Raises:
            InvalidContext: a key isn't known, or its value can't be used.
        """
        ours = {key: value for key, value in context.items() if not re.search(r"[:@]", key)}
        if unknown := sorted(ours.keys() - READERS.keys()):
            raise InvalidContext(unknown[0], f"is no key of ours; known: {', '.join(READERS)}")
        values = {key: READERS[key](key, value) for key, value in ours.items()}
        if "capacity" not in values and (folder / OWN_CAPACITY).is_file():
            values["capacity"] = Capacity.from_file(folder / OWN_CAPACITY)
        capacity = values.get("capacity")
        if isinstance(capacity, Capacity) and capacity.instance_type and "instance_type" not in values:
            values["instance_type"] = _instance_type("capacity", capacity.instance_type)
        made = cls(**values)  # type: ignore[arg-type]
        made.capacity.check_instance_type(made.instance_type)
        # Without scaling, no instance goes; but its capacity is what the next deployment is compared with.
        most = max(made.deployed_max, made.deployed_running if made.scaling else 0)
        made.capacity.check_fleet(made.deployed_min, most, made.deployed_sessions)
        return made

    @property
    def has_gpu(self) -> bool:
        """Whether the instance type has one."""
        return self.instance_type.startswith(GPU_FAMILIES)


def _matching(pattern: str, told: str) -> Callable[[str, object], str]:
    """Return what reads text that matches ``pattern``, which ``told`` describes."""

    def read(key: str, value: object) -> str:
        if not isinstance(value, str) or not re.fullmatch(pattern, value):
            raise InvalidContext(key, f"must be {told}, not {str(value)[:80]!r}")
        return value

    return read


def _instance_type(key: str, value: object) -> str:
    instance_type = _matching(INSTANCE_TYPE, "an instance type such as ml.g5.xlarge")(key, value)
    if re.match(ARM, instance_type):
        told = "has an Arm processor, and the speech image is for x86-64: ml.g5.xlarge, or ml.c7i.xlarge without a GPU"
        raise InvalidContext(key, f"{instance_type} {told}")
    return instance_type


def _whole_number(lowest: int, highest: int) -> Callable[[str, object], int]:
    def read(key: str, value: object) -> int:
        # The command line gives text, cdk.json numbers; `True` is a number, too, to Python.
        text = str(value)
        if not text.isdecimal() or not lowest <= int(text) <= highest:
            raise InvalidContext(key, f"must be a whole number from {lowest} to {highest}, not {text[:40]!r}")
        return int(text)

    return read


def _days(key: str, value: object) -> int:
    if (days := _whole_number(1, 3653)(key, value)) not in RETENTION_DAYS:
        raise InvalidContext(key, f"must be one of {', '.join(map(str, RETENTION_DAYS))}, not {days}")
    return days


def _yes_or_no(key: str, value: object) -> bool:
    told = str(value).lower()
    if told not in ("true", "false"):
        raise InvalidContext(key, f"must be true or false, not {told[:40]!r}")
    return told == "true"


def _capacity_file(key: str, value: object) -> Capacity:
    if not isinstance(value, str):
        raise InvalidContext(key, "must be the path of a file that `primavoce aws plan` has written")
    return Capacity.from_file(Path(value))


RETENTION_DAYS = (
    1,
    3,
    5,
    7,
    14,
    30,
    60,
    90,
    120,
    150,
    180,
    365,
    400,
    545,
    731,
    1096,
    1827,
    2192,
    2557,
    2922,
    3288,
    3653,
)
"""What CloudWatch can keep logs for."""

_IMAGE = _matching(r"sha256:[0-9a-f]{64}|[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}", "an image's tag, or its digest (sha256:…)")

READERS: dict[str, Callable[[str, object], object]] = {
    "name": _matching(
        r"(?=.{1,32}$)(?!.*-(?:weights|speech|agent))[a-z](?:-?[a-z0-9])*",
        "up to 32 small letters, digits and single hyphens, without -weights, -speech or -agent",
    ),
    "instance_type": _instance_type,
    "inference_ami": _matching(r"[A-Za-z0-9_.-]+", "the version of an inference AMI"),
    "speech_image": _IMAGE,
    "agent_image": _IMAGE,
    "model_data": _matching(r"(?:[A-Za-z0-9_.-]+/)*[A-Za-z0-9_.-]+", "a folder's name, without a / at its ends"),
    "network_isolation": _yes_or_no,
    "model": _matching(
        r"[a-z0-9-]+(?:\.[A-Za-z0-9-]+)+(?::[0-9]+)*", "the id (not the ARN) of a model or of an inference profile"
    ),
    "idle_timeout_s": _whole_number(60, 28_800),
    "capacity": _capacity_file,
    "scaling": _yes_or_no,
    "deployed_min": _whole_number(0, MOST),
    "deployed_max": _whole_number(0, MOST),
    "deployed_running": _whole_number(0, MOST),
    "deployed_sessions": _whole_number(0, MOST),
    "first_audio_p95_ms": _whole_number(1, 600_000),
    "first_chunk_p95_ms": _whole_number(1, 600_000),
    "alarm_email": _matching(r"[^@\s]+@[^@\s]+", "an e-mail address"),
    "retention_days": _days,
}
"""What reads each key of the context."""

assert READERS.keys() == {each.name for each in fields(Settings)}
