"""What a client has asked for by one utterance, kept so that it can be asked for again, from anywhere on. Pure."""

from itertools import pairwise
from typing import Any

from primavoce.audio.formats import FORMATS
from primavoce.audio.pauses import NO_MARK_S, PAUSES_S, last_mark
from primavoce.protocol.messages import (
    AnyClientMessage,
    Cancel,
    End,
    Event,
    Flush,
    Options,
    Synthesize,
    Text,
)

EVERY_EVENT: tuple[Event, ...] = ("segments", "words")
"""What is asked to be told of, whatever the client wants: by it, places are found."""
FENCE = "```"


class AskedUtterance:
    """An utterance, as its client asks for it.

    Args:
        request_id: What its messages carry.
        first: The message that opens it.
    """

    def __init__(self, request_id: str, first: Text | Synthesize) -> None:
        self.request_id = request_id
        self.text = first.text
        """All of it, so far."""
        self.complete = isinstance(first, Synthesize)
        """Whether that is all."""
        self.wanted: tuple[Event, ...] = first.events or ()
        """What the client wants to be told besides audio."""
        self.cancel: Cancel | None = None
        """The client's wish to stop it."""
        self._options: dict[str, Any] = {name: getattr(first, name) for name in Options.__struct_fields__}
        self._flushes: list[int] = []
        self._is_sent = False

    @property
    def format(self) -> str:
        """Of its audio, as on the wire."""
        return self._options["format"] or "pcm"

    @property
    def sends_samples(self) -> bool:
        """Whether its audio can be joined to what another server makes of the rest."""
        audio_format = FORMATS.get(self.format)
        return audio_format is not None and audio_format.sends_samples

    def take(self, message: AnyClientMessage) -> None:
        """Remember what the client says of it."""
        match message:
            case Text() if not self.complete:  # or else the server refuses it
                self.text += message.text
            case Flush():
                self._flushes.append(len(self.text))
            case End():
                self.complete = True
            case Cancel():
                self.cancel = message
            case _:
                pass

    def messages(self, base: int, *, without_header: bool) -> list[AnyClientMessage]:
        """Return what asks for all of it from the character ``base`` on, as far as the client has said it.

        Args:
            base: Where to begin.
            without_header: Whether the header of its audio has gone out.
        """
        options = {**self._options, "request_id": self.request_id, "events": EVERY_EVENT}
        if self._is_sent:  # its age is another's affair now
            options["request_timestamp"] = None
        if without_header and self.format == "wav":
            options["format"] = "pcm"
        self._is_sent = True
        cuts = sorted({place for place in self._flushes if place > base})
        said: list[AnyClientMessage] = []
        for number, (start, end) in enumerate(pairwise([base, *cuts, len(self.text)])):
            piece = self.text[start:end]
            if number == 0:
                said.append(Text(**{**options, "text": piece}))
            elif piece:
                said.append(Text(text=piece, request_id=self.request_id))
            if number < len(cuts):
                said.append(Flush(self.request_id))
        if self.complete:
            said.append(End(self.request_id))
        return said

    def outside_of_code(self, place: int) -> int:
        """Return ``place``, or the beginning of the code that it is inside of: the rest would be taken for prose."""
        return self.text.rfind(FENCE, 0, place) if self.text[:place].count(FENCE) % 2 else place

    def pause_at(self, place: int) -> float:
        """Return the seconds of pause that are heard at ``place``, where a segment ends, by the mark before it.

        Without a mark, there is one where a line ends or all was to be spoken; elsewhere a sentence was cut.
        """
        said = self.text[:place].rstrip()
        if (mark := last_mark(said)) is not None:
            return PAUSES_S[mark]
        end = len(self.text) - len(self.text[len(said) :].lstrip())  # of the white space
        is_end = "\n" in self.text[len(said) : end] or any(len(said) <= flush <= end for flush in self._flushes)
        return NO_MARK_S if is_end else 0.0
