"""The name of a deployed runtime."""

import re
from dataclasses import dataclass
from typing import Self

from primavoce.errors import InvalidSetting

OPTION = "--runtime"
_ARN = re.compile(
    r"(arn:(?P<partition>aws[a-z-]*):bedrock-agentcore:(?P<region>[a-z]{2,}(?:-[a-z]+)+-\d+):\d{12}"
    r":runtime/(?P<name>[A-Za-z][A-Za-z0-9_-]{0,120}))(?:/runtime-endpoint/(?P<endpoint>[A-Za-z][A-Za-z0-9_-]{0,120}))?"
)


@dataclass(frozen=True, slots=True)
class RuntimeArn:
    """A deployed runtime, or one of its endpoints."""

    runtime: str
    """The runtime's own ARN."""
    partition: str
    region: str
    name: str
    """What the runtime is called."""
    endpoint: str | None = None
    """The endpoint of it that is meant; its default one unless given."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return what ``text`` names.

        Raises:
            InvalidSetting: nothing.
        """
        found = _ARN.fullmatch(text)
        if found is None:
            raise InvalidSetting(
                OPTION, "must be the ARN of a runtime, such as arn:aws:bedrock-agentcore:REGION:ACCOUNT:runtime/NAME"
            )
        return cls(found[1], found["partition"], found["region"], found["name"], found["endpoint"])
