"""What an operator may choose of the agent, besides what every server has (`primavoce.settings`)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from primavoce.errors import InvalidSetting
from primavoce.variables import Variable, file_path, plain_text, seconds, values_in, whole_number

PORT = 8081
"""Beside a speech server's 8080, which is also what AgentCore wants in a container."""
MAX_CONVERSATIONS = 256
CONVERSATION_IDLE_S = 900.0
MANY = 1_000_000


@dataclass(frozen=True, slots=True)
class AgentSettings:
    """What an operator may choose of the agent."""

    port: int = PORT
    """Port that the agent listens on."""
    model: str = "local"
    """What writes the answers: one of `primavoce.agent.strands.models.MODELS`."""
    speech: str = "local"
    """What speaks them: ``local``, in this process, or the address of a speech server."""
    system_prompt: Path | None = None
    """File with the system prompt; one for being heard unless given."""
    max_conversations: int = MAX_CONVERSATIONS
    """Conversations that are remembered; of those that aren't busy, the oldest is forgotten for a new one."""
    conversation_idle_s: float = CONVERSATION_IDLE_S
    """Seconds after which a conversation that nobody has come back to may be forgotten."""

    @classmethod
    def from_env(cls, environ: Mapping[str, str]) -> Self:
        """Return the settings that ``environ`` makes.

        Raises:
            InvalidSetting: a value can't be used.
        """
        own, _ = values_in(environ, AGENT_VARIABLES)
        return replace(cls(), **own)  # type: ignore[arg-type]

    def read_system_prompt(self) -> str | None:
        """Return what the file of the system prompt says; `None` without one.

        Raises:
            InvalidSetting: it can't be read, or is empty.
        """
        if self.system_prompt is None:
            return None
        try:
            text = self.system_prompt.read_text("utf-8").strip()
        except (OSError, UnicodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it isn't UTF-8"
            raise InvalidSetting("--system-prompt", f"can't read {self.system_prompt}: {reason}") from error
        if not text:
            raise InvalidSetting("--system-prompt", f"{self.system_prompt} is empty")
        return text


AGENT_VARIABLES = (
    Variable("PRIMAVOCE_AGENT_PORT", "port", whole_number(0, 65535)),
    Variable("PRIMAVOCE_AGENT_MODEL", "model", plain_text),
    Variable("PRIMAVOCE_AGENT_SPEECH", "speech", plain_text),
    Variable("PRIMAVOCE_AGENT_SYSTEM_PROMPT", "system_prompt", file_path),
    Variable("PRIMAVOCE_AGENT_MAX_CONVERSATIONS", "max_conversations", whole_number(1, MANY)),
    Variable("PRIMAVOCE_AGENT_CONVERSATION_IDLE_S", "conversation_idle_s", seconds),
)
"""Every environment variable, and what it sets."""
