"""What can go wrong between a client and a model in SageMaker, as it has been seen to."""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Trouble(StrEnum):
    """One way to fail."""

    ACCESS_DENIED = "access denied"
    """403, as without the permission."""
    THROTTLING = "throttling"
    """400 with ThrottlingException: too many requests of this account."""
    NO_ENDPOINT = "no endpoint"
    """400: there is no endpoint of this name."""
    MODEL_ERROR = "model error"
    """424: the container didn't take the WebSocket."""
    INTERNAL_ERROR = "internal error"
    """500: the service's own."""
    UNAVAILABLE = "unavailable"
    """503: the service's own."""
    RESET_BEFORE_HEADERS = "reset before headers"
    """The stream is reset; the official SDK then waits for ever."""
    DROP_BEFORE_HEADERS = "drop before headers"
    """The connection goes; the official SDK then waits for ever."""
    STALL_BEFORE_HEADERS = "stall before headers"
    """Nothing is ever answered."""
    RESET_MID_STREAM = "reset mid-stream"
    """The stream is reset; to the official SDK that is a clean end."""
    DROP_MID_STREAM = "drop mid-stream"
    """The connection goes; to the official SDK that is a clean end."""
    STALL_MID_STREAM = "stall mid-stream"
    """Nothing more comes, and nothing more is taken."""
    TRUNCATION = "truncation"
    """The stream ends in good order, in the middle of what is being said."""
    HALF_AN_EVENT = "half an event"
    """The stream ends in good order, in the middle of an event."""
    MODEL_STREAM_ERROR = "model stream error"
    """The service says that the container's answer broke; a session's front says so of a Close."""
    MODEL_TIMEOUT = "model timeout"
    """The service says that the container took too long for its answer."""
    INTERNAL_STREAM_FAILURE = "internal stream failure"
    """The service says that it failed."""

    @property
    def at_once(self) -> bool:
        """Whether it happens instead of an answer."""
        return self in _AT_ONCE


_AT_ONCE = frozenset(
    {
        Trouble.ACCESS_DENIED,
        Trouble.THROTTLING,
        Trouble.NO_ENDPOINT,
        Trouble.MODEL_ERROR,
        Trouble.INTERNAL_ERROR,
        Trouble.UNAVAILABLE,
        Trouble.RESET_BEFORE_HEADERS,
        Trouble.DROP_BEFORE_HEADERS,
        Trouble.STALL_BEFORE_HEADERS,
    }
)


@dataclass(frozen=True, slots=True)
class Fault:
    """What goes wrong with one session."""

    trouble: Trouble
    after_bytes: int = 0
    """Of audio that the session has passed on before; for those that happen in mid-stream."""
    after_frames: int | None = None
    """Of any kind, texts too, that it has passed on before; if there is such a number, bytes don't count."""


class FaultCount:
    """Tells when a fault is due.

    Args:
        fault: Of this session, if it has one.
    """

    def __init__(self, fault: Fault | None) -> None:
        self._fault = fault
        self._frames = 0
        self._audio_bytes = 0

    def due(self, *, audio_bytes: int) -> Trouble | None:
        """Count a frame that is to be passed on, and return what happens in its place, if anything does.

        Args:
            audio_bytes: That it holds; 0 for a text.
        """
        fault = self._fault
        if fault is None:
            return None
        self._frames += 1
        self._audio_bytes += audio_bytes
        if fault.after_frames is None:
            is_due = audio_bytes > 0 and self._audio_bytes > fault.after_bytes
        else:
            is_due = self._frames > fault.after_frames
        return fault.trouble if is_due else None


class FaultPlan:
    """What goes wrong with the sessions to come, one after another; when it is used up, nothing does.

    Args:
        faults: In order; `None` for a session with which nothing goes wrong.
    """

    def __init__(self, faults: Iterable[Fault | Trouble | None] = ()) -> None:
        self._faults = deque(faults)

    def add(self, *faults: Fault | Trouble | None) -> None:
        """Have more go wrong."""
        self._faults += faults

    def next(self) -> Fault | None:
        """Return what goes wrong with the next session."""
        fault = self._faults.popleft() if self._faults else None
        return Fault(fault) if isinstance(fault, Trouble) else fault
