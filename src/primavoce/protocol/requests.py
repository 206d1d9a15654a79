"""The utterances of one session: whose turn it is, who waits, and whose late text is still on the way."""

from collections import OrderedDict, deque
from collections.abc import Callable

from primavoce.errors import DuplicateRequest, PrimavoceError, UnknownRequest
from primavoce.protocol.messages import Error
from primavoce.protocol.utterance import Utterance

REMEMBERED_IDS = 64
"""Ended utterances whose late deltas are recognised and ignored, the oldest forgotten first."""


class Requests:
    """Utterances in the order in which they were opened.

    Args:
        on_release: Told of each that has ended.
    """

    def __init__(self, on_release: Callable[[Utterance], None] = lambda _: None) -> None:
        self._on_release = on_release
        self.speaking: Utterance | None = None
        """The utterance whose turn it is."""
        self.waiting: deque[Utterance] = deque()
        """Those behind it."""
        self.open: list[Utterance] = []
        """Those of them all whose text may grow."""
        self._forgotten: OrderedDict[str, None] = OrderedDict()

    def live(self) -> list[Utterance]:
        """Return all that have not ended, in order."""
        speaking = [self.speaking] if self.speaking is not None and self.speaking.outcome is None else []
        return [*speaking, *self.waiting]

    def find(self, request_id: str | None) -> Utterance | None:
        """Return the live utterance with this id."""
        if request_id is None:
            return None
        return next((found for found in self.live() if found.request_id == request_id), None)

    def refuse_taken(self, request_id: str | None) -> None:
        """Refuse an id that is in use.

        Raises:
            DuplicateRequest: it is.
        """
        if self.find(request_id) is not None:
            raise DuplicateRequest

    def add(self, utterance: Utterance, *, growing: bool = False) -> None:
        """Have ``utterance`` wait for its turn."""
        self.waiting.append(utterance)
        if growing:
            self.open.append(utterance)

    @property
    def newest_open(self) -> Utterance | None:
        """The utterance opened last whose text may grow."""
        return self.open[-1] if self.open else None

    def open_one(self, request_id: str | None) -> Utterance:
        """Return the open utterance with this id; without one, the one opened last.

        Raises:
            UnknownRequest: there is none.
        """
        found = next((each for each in reversed(self.open) if request_id in (None, each.request_id)), None)
        if found is None:
            raise UnknownRequest
        return found

    def next(self) -> Utterance | None:
        """Take the next utterance out of the queue, if nobody is speaking and it has something to say."""
        if self.speaking is not None or not self.waiting or not self.waiting[0].incoming.startable:
            return None
        return self.waiting.popleft()

    def fail(self, utterance: Utterance, error: PrimavoceError) -> Error:
        """End ``utterance`` with ``error``, and return the message that says so."""
        utterance.outcome, utterance.error = "error", error
        self.release(utterance)
        return error_message(error, utterance.request_id)

    def release(self, utterance: Utterance) -> None:
        """Let go of an ended utterance, but for its id when more of its text may be on the way."""
        if utterance is self.speaking:
            self.speaking = None
        if utterance in self.waiting:
            self.waiting.remove(utterance)
        if utterance in self.open:
            self.open.remove(utterance)
            self.forget(utterance.request_id)
        self._on_release(utterance)

    def forget(self, request_id: str) -> None:
        """Ignore text with this id from now on, until the ``end`` that belongs to it."""
        self._forgotten[request_id] = None
        if len(self._forgotten) > REMEMBERED_IDS:
            self._forgotten.popitem(last=False)

    def forgot(self, request_id: str | None, *, ended: bool = False) -> bool:
        """Say whether text with this id is ignored; ``ended`` is the last of it."""
        known = request_id in self._forgotten
        if known and ended:
            del self._forgotten[request_id]  # type: ignore[arg-type]
        return known


def error_message(error: PrimavoceError, request_id: str | None, *, fatal: bool = False) -> Error:
    """Return the message that tells a client of ``error``."""
    return Error(request_id=request_id, code=error.code, message=str(error), retryable=error.retryable, fatal=fatal)
