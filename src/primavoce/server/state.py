"""What a server knows of itself while it runs; its application and its process share it."""

from dataclasses import dataclass, field

import anyio

from primavoce.server.lobby import Lobby
from primavoce.server.observation import Observer


@dataclass(slots=True)
class ServerState:
    """What the server knows of itself."""

    lobby: Lobby
    """Who is being served, and is waited for when the process is to leave."""
    ready: anyio.Event = field(default_factory=anyio.Event)
    """Set by the application once it can serve, or knows that it never will."""
    failure: Exception | None = None
    """Why it never will; the process is about to leave."""
    observer: Observer = field(default_factory=Observer)
    """Is told what happens; the application's, once there is one."""
