"""From the wire's options to the engine's."""

from primavoce.protocol.options import SpeechOptions
from primavoce.synthesis.tools import Voicing


def voicing(options: SpeechOptions) -> Voicing:
    """Return how an utterance with ``options`` is to sound."""
    return Voicing(options.voice, options.language, options.speed, options.sample_rate, options.reading)
