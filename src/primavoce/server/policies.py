"""From settings to who is let in, and what sessions and requests may ask for."""

from collections.abc import Callable

from primavoce.normalize.lexicon import Lexicon
from primavoce.protocol.limits import Limits
from primavoce.server.answer import AnswerBounds
from primavoce.server.gate import GatePolicy
from primavoce.server.http import HttpPolicy
from primavoce.server.keys import KeyRing
from primavoce.server.page import is_page_path
from primavoce.server.session import SessionPolicy
from primavoce.settings import Settings


def gate_policy(settings: Settings, *, on_loopback: bool, told: Callable[[str], None]) -> GatePolicy:
    """Return whom ``settings`` let in; the page is open to those without a key, or nobody could type one there.

    Args:
        settings: What an operator has chosen.
        on_loopback: Whether only this machine reaches the server.
        told: Told of the code of each refusal.

    Raises:
        InvalidSetting: the file of keys can't be used.
    """
    keys = KeyRing(settings.api_keys, settings.keys_file)
    keyless = is_page_path if settings.page else lambda _: False
    return GatePolicy(keys, settings.allowed_origins, on_loopback, told, keyless=keyless)


def session_policy(settings: Settings, lexicon: Lexicon) -> SessionPolicy:
    """Return what ``settings`` say of sessions."""
    limits = Limits(
        max_queued_requests=settings.max_queued_requests,
        max_text_characters=settings.max_text_characters,
        max_request_age_s=settings.max_request_age_s,
        max_utterance_s=settings.max_utterance_s,
        max_message_bytes=settings.max_message_bytes,
        idle_s=settings.session_idle_s,
        first_message_s=settings.first_message_s,
        session_limit_s=settings.session_limit_s,
        drain_s=settings.drain_s,
    )
    return SessionPolicy(
        limits=limits,
        default_voice=settings.voice,
        send_timeout_s=settings.send_timeout_s,
        max_ahead_s=settings.max_ahead_s,
        max_frame_bytes=settings.max_frame_bytes,
        max_messages_per_s=settings.max_messages_per_s,
        max_messages_burst=settings.max_messages_burst,
        text_idle_s=settings.text_idle_s,
        lexicon=lexicon,
    )


def http_policy(settings: Settings, lexicon: Lexicon) -> HttpPolicy:
    """Return what ``settings`` say of requests over HTTP."""
    return HttpPolicy(
        default_voice=settings.voice,
        lexicon=lexicon,
        max_message_bytes=settings.max_message_bytes,
        max_text_characters=settings.max_text_characters,
        max_request_age_s=settings.max_request_age_s,
        receive_timeout_s=settings.receive_timeout_s,
        send_timeout_s=settings.send_timeout_s,
        bounds=AnswerBounds(settings.max_utterance_s, settings.max_answer_bytes, settings.max_frame_bytes),
    )
