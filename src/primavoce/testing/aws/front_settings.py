"""How the stand-ins for SageMaker behave when nothing goes wrong."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from primavoce.testing.aws.event_stream import MAX_PAYLOAD_BYTES
from primavoce.testing.aws.signatures import Clock, Verifier, utc_now

ACCESS_KEY, SECRET_KEY = "AKIDOFTHEFRONT", "secretofthefront"
"""Credentials that a front takes, unless it is told others."""
SERVICE = "sagemaker"


class Answered(StrEnum):
    """When a session's front sends the headers of its answer; nothing says when the service does."""

    AT_ONCE = "at once"
    """As soon as the container has taken the WebSocket."""
    WHEN_THE_CONTAINER_SPEAKS = "when the container speaks"
    """Before the container's first frame."""
    NEVER = "never"
    """What the client says goes to the container, and nothing comes back."""


@dataclass(frozen=True, slots=True)
class FrontSettings:
    """How a front behaves when nothing goes wrong."""

    endpoint: str = "speech"
    """The one endpoint that there is."""
    region: str = "us-east-1"
    secrets: Mapping[str, str] = field(default_factory=lambda: {ACCESS_KEY: SECRET_KEY})
    """Secret key by access key id, of who is let in."""
    tokens: Mapping[str, str] = field(default_factory=dict)
    """Token by access key id, of those whose keys are temporary."""
    expiries: Mapping[str, datetime] = field(default_factory=dict)
    """When they expire, by access key id; from then on neither a request nor an event that they sign is taken."""
    clock: Clock = utc_now
    """Tells the time that those of signatures are compared with."""

    session_s: float = 1800.0
    """Seconds after which a session is ended."""
    ping_s: float = 60.0
    """Between WebSocket Pings to the container."""
    most_streams: int = 100
    """At a time, on one connection."""
    answered: Answered = Answered.AT_ONCE
    """When a session's answer begins."""
    accept_s: float = 10.0
    """Seconds that the container has to take a WebSocket. The guide gives it a quarter of one, which a container that
    shares its event loop with a test doesn't always keep."""
    most_part_bytes: int = MAX_PAYLOAD_BYTES
    """The longest payload of a part. Nothing says what the service takes; a message of an event stream holds no more
    than this."""

    answer_s: float = 60.0
    """Seconds that the container has to begin its response, where only responses are streamed."""
    response_s: float = 480.0
    """Seconds that it has for all of it."""
    most_body_bytes: int = 6_291_456
    """The longest body of a request whose response is streamed."""

    def verifier(self) -> Verifier:
        """Return what knows whose signature is right."""
        return Verifier(
            self.secrets,
            service=SERVICE,
            region=self.region,
            tokens=self.tokens,
            expiries=self.expiries,
            clock=self.clock,
        )
