"""A client's pings, until their pongs have been told. Pure."""

from collections.abc import Mapping

from primavoce.client.resuming.utterance import ResumableUtterance
from primavoce.protocol.messages import Ping, Pong


class ClientPings:
    """Those that wait, in order."""

    def __init__(self) -> None:
        self._waiting: list[Ping] = []

    def __len__(self) -> int:
        return len(self._waiting)

    def take(self, ping: Ping) -> None:
        """Know of one more."""
        self._waiting.append(ping)

    def again(self) -> list[Ping]:
        """Return those that are to be said on a new link."""
        return list(self._waiting)

    def one_for(self, pong: Pong) -> Ping | None:
        """Return which of them ``pong`` answers."""
        return next((ping for ping in self._waiting if ping.request_id == pong.request_id), None)

    def answered(self, ping: Ping) -> None:
        """Forget one whose pong has been told."""
        self._waiting.remove(ping)


def in_attempt(ping: Ping, utterances: Mapping[str, ResumableUtterance]) -> Ping:
    """Return ``ping`` in the time of what is being asked for."""
    known = utterances.get(ping.request_id or "") or next(iter(utterances.values()), None)
    return ping if known is None else Ping(ping.request_id, known.played_in_attempt(ping.played_s))
