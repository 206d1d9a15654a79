"""Instance types: what an image for one is built for, and which ones no image runs on; pure."""

import re
from typing import Literal

from primavoce.errors import InvalidSetting

INSTANCE_TYPE = "ml.g5.xlarge"
"""The stacks' own choice, as `PATTERN`, `GPU_FAMILIES` and `ARM` are theirs, too."""
PATTERN = r"ml\.[a-z0-9-]+\.[a-z0-9]+"
"""What an instance type of SageMaker looks like."""
GPU_FAMILIES = ("ml.g", "ml.p")
ARM = r"ml\.(?:a1|[a-z]+\d+[a-z]*-?g[a-z0-9]*)\."
"""How a type begins whose processor is an Arm: a ``g`` behind the generation (``c7g``, ``r8gd``; not ``g5``)."""


def device_of(instance_type: str) -> Literal["gpu", "cpu"]:
    """Return what the model runs on there."""
    return "gpu" if instance_type.startswith(GPU_FAMILIES) else "cpu"


def check_instance_type(instance_type: str, option: str = "--instance-type") -> None:
    """Refuse what is no instance type, and a machine that the speech image doesn't run on.

    Raises:
        InvalidSetting: it is one of both.
    """
    if not re.fullmatch(PATTERN, instance_type):
        raise InvalidSetting(option, f"must be an instance type such as {INSTANCE_TYPE}, not {instance_type[:80]!r}")
    if re.match(ARM, instance_type):
        told = f"{instance_type} has an Arm processor, and the speech image is for x86-64: take ml.g5.xlarge, or "
        raise InvalidSetting(option, f"{told}ml.c7i.xlarge without a GPU")
