"""What one session may ask for."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """What one session may ask for."""

    max_queued_requests: int = 32
    """Utterances that wait while another is spoken."""
    max_text_characters: int = 100_000
    """Characters in one utterance."""
    max_request_age_s: float = 56.0
    """Oldest ``request_timestamp`` that is served; below SageMaker's own limit of 60 s."""
    idle_s: float = 600.0
    """Seconds without a message and with nothing to do before the session ends."""
    first_message_s: float = 600.0
    """The same, before the first message of all."""
    session_limit_s: float = 1770.0
    """Seconds after which the session takes no more requests; 0: none."""
    drain_s: float = 25.0
    """Seconds that the utterance being spoken then has to end."""
    max_utterance_s: float = 1800.0
    """Seconds of audio in one utterance."""
    max_message_bytes: int = 4 * 1024 * 1024
    """Bytes of one message; of a text frame, characters."""
