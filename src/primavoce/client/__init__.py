"""Sessions with a server, and its answers over HTTP, from the side that has the text; imports nothing heavy."""

from primavoce.client.events import AudioEvents, EventReader, ServerEvent
from primavoce.client.link import Opener, SessionLink
from primavoce.client.session import SpeechSession
from primavoce.client.utterance import SpokenUtterance

__all__ = ["AudioEvents", "EventReader", "Opener", "ServerEvent", "SessionLink", "SpeechSession", "SpokenUtterance"]
