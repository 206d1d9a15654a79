"""Whose text is still open, and what becomes of text that comes for an utterance that has ended. Pure."""

from collections import OrderedDict

from primavoce.protocol.messages import (
    AnyClientMessage,
    Cancel,
    End,
    Flush,
    Options,
    Synthesize,
    Text,
)

MOST_LATE = 64
"""Ended utterances whose late text is known for it; the oldest are forgotten first."""


class OpenTexts:
    """Those of one session.

    Some who write don't know yet that their utterance has ended. What they still write is of no use, and must not be
    taken for the next utterance by the same name; that begins with options, or after the end of the text before it.
    Who has cancelled an utterance says no end any more: text by its name is kept until more shows that it is another's.
    """

    def __init__(self) -> None:
        self._open: dict[str, None] = {}
        self._late: OrderedDict[str, str | None] = OrderedDict()
        """What has come for those that ended while their text was open; `None` for those that nobody cancelled."""

    @property
    def open(self) -> list[str]:
        """The ids of those whose text may grow, in order."""
        return list(self._open)

    @property
    def newest(self) -> str | None:
        """The one that was opened last: what comes without an id is meant for it."""
        return next(reversed(self._open), None)

    def begun(self, request_id: str) -> None:
        """Know that a text has been opened."""
        self._open[request_id] = None

    def said(self, request_id: str, message: AnyClientMessage) -> None:
        """Know what the client says of one that lives."""
        if isinstance(message, End | Cancel) and request_id in self._open:
            del self._open[request_id]
            if isinstance(message, Cancel):
                self._is_late(request_id, "")

    def ended(self, request_id: str) -> None:
        """Know that one has ended, whether the client has said all of it or not."""
        if request_id in self._open:
            del self._open[request_id]
            self._is_late(request_id, None)

    def late(self, request_id: str, message: AnyClientMessage) -> list[AnyClientMessage]:
        """Take what the client says of one that doesn't live, and return what is to be made of that."""
        if request_id not in self._late:
            return [message]
        begins = isinstance(message, Synthesize) or (isinstance(message, Text) and has_options(message))
        if isinstance(message, Text) and not begins:
            if (kept := self._late[request_id]) is not None:
                self._late[request_id] = kept + message.text
            return []
        if isinstance(message, Flush) and not self._late[request_id]:
            return []
        kept = self._late.pop(request_id)
        if begins or (isinstance(message, Cancel) and not kept):
            return [message]
        return [Text(text=kept, request_id=request_id), message] if kept else []

    def _is_late(self, request_id: str, kept: str | None) -> None:
        self._late[request_id] = kept
        if len(self._late) > MOST_LATE:
            self._late.popitem(last=False)


def has_options(message: Options) -> bool:
    """Return whether ``message`` carries what goes with the first text of an utterance alone."""
    return any(getattr(message, name) is not None for name in Options.__struct_fields__ if name != "request_id")
