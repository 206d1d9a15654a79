"""Sessions with a server, from the side that has the text; imports nothing heavy."""

from primavoce.client.session import SpeechSession
from primavoce.client.utterance import SpokenUtterance

__all__ = ["SpeechSession", "SpokenUtterance"]
