"""From the wire's options to the engine's."""

from collections.abc import Mapping
from typing import Any

from primavoce.protocol.options import SpeechOptions
from primavoce.synthesis.tools import Voicing


def voicing(options: SpeechOptions, *, owner: str = "") -> Voicing:
    """Return how an utterance with ``options`` is to sound.

    Args:
        options: As the client asked.
        owner: Whose text it is; phrases that are remembered for one are never told another.
    """
    return Voicing(options.voice, options.language, options.speed, options.sample_rate, options.reading, owner)


def owner_of(scope: Mapping[str, Any]) -> str:
    """Return the name of the API key by which a connection was let in; empty where none is asked for."""
    return str(scope.get("state", {}).get("owner", ""))
