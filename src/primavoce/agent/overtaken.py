"""A prompt that another one overtook before anybody was asked."""

from collections.abc import AsyncIterator, Callable

from primavoce.agent.answer import Answer
from primavoce.protocol.agent import AnswerCancelled, AnyAgentEvent


class OvertakenTurn:
    """A turn of one event, which says that nothing was heard; iterate it as a `primavoce.agent.turn.Turn`.

    Args:
        request_id: The prompt's.
        clock: Seconds.
    """

    def __init__(self, request_id: str, *, clock: Callable[[], float]) -> None:
        now = clock()
        self.answer = Answer(request_id, "stream", tells_words=False, now=now)
        self._ending: AnswerCancelled | None = self.answer.cancel(played_s=0.0, now=now)

    @property
    def unread(self) -> bool:
        """Whether its ending hasn't been read."""
        return self._ending is not None

    def __aiter__(self) -> AsyncIterator[AnyAgentEvent]:
        return self

    async def __anext__(self) -> AnyAgentEvent:
        event, self._ending = self._ending, None
        if event is None:
            raise StopAsyncIteration
        return event
