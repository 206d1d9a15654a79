"""The whole-cycle check: does a server do, over one session, what a talking agent needs?

A server that answers ``/ping`` can still be useless. Each check has a name of its own, they run in the order below,
and the first that fails ends the run: what comes after would only fail for the same reason.
"""

import ssl
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from functools import partial

from websockets.exceptions import ConnectionClosed

from primavoce.client.verification.conversation import CheckFailed, Conversation
from primavoce.client.verification.queueing import bounds_its_queue, keeps_order, queues_requests
from primavoce.client.verification.readiness import is_ready
from primavoce.client.verification.speaking import FirstSentence, SecondSentence, speaks_at_a_flush
from primavoce.client.verification.steering import (
    answers,
    cancels,
    closes,
    knows_no_strange_id,
    refuses_what_is_too_long,
    survives,
)
from primavoce.errors import ProtocolViolation

__all__ = ["Check", "Verification"]


@dataclass(frozen=True, slots=True)
class Check:
    """The outcome of one check."""

    name: str
    passed: bool
    detail: str
    elapsed_s: float


class Verification:
    """One run over one session.

    Args:
        url: The server's address, as `primavoce.client.SpeechSession` takes it.
        voice: The voice to ask for; the server's default unless given.
        timeout_s: The longest wait for any one message.
        api_key: Shown to a server that asks for one.
        ssl_context: For ``wss``; the system's certificates unless given.
        clock: Seconds.
    """

    def __init__(
        self,
        url: str,
        *,
        voice: str | None = None,
        timeout_s: float = 60.0,
        api_key: str | None = None,
        ssl_context: ssl.SSLContext | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._talk = Conversation(url, voice=voice, timeout_s=timeout_s, api_key=api_key, ssl_context=ssl_context)
        self._clock = clock

    async def run(self) -> AsyncIterator[Check]:
        """Yield each check's outcome; the last one yielded may have failed, none before it has."""
        try:
            for name, step in _steps(self._talk):
                check = await self._check(name, step)
                yield check
                if not check.passed:
                    return
        finally:
            await self._talk.disconnect()

    async def _check(self, name: str, step: Callable[[], Awaitable[str]]) -> Check:
        began = self._clock()
        try:
            detail, passed = await step(), True
        except (CheckFailed, ProtocolViolation) as error:
            detail, passed = str(error), False
        except ConnectionClosed as error:
            code = "without a word" if error.rcvd is None else f"with {error.rcvd.code}"
            detail, passed = f"the connection was closed {code}", False
        return Check(name, passed, detail, round(self._clock() - began, 3))


def _steps(talk: Conversation) -> tuple[tuple[str, Callable[[], Awaitable[str]]], ...]:
    """Return the checks in order, by name."""
    first = FirstSentence(talk)
    second = SecondSentence(talk, first)
    return (
        ("connects", talk.connect),
        ("is ready", partial(is_ready, talk)),
        ("takes a binary frame", first.takes_a_binary_frame),
        ("sends audio", first.sends_audio),
        ("completes", first.completes),
        ("lasts as long as its text", first.lasts),
        ("is not silent", first.sounds),
        ("speaks a second sentence", second.speaks),
        ("keeps utterances apart", partial(keeps_order, talk)),
        ("ends an utterance", second.ends),
        ("speaks at a flush", partial(speaks_at_a_flush, talk, first)),
        ("cancels", partial(cancels, talk)),
        ("answers a ping", partial(answers, talk)),
        ("queues requests", partial(queues_requests, talk)),
        ("bounds its queue", partial(bounds_its_queue, talk)),
        ("survives a bad message", partial(survives, talk)),
        ("knows no strange id", partial(knows_no_strange_id, talk)),
        ("refuses what is too long", partial(refuses_what_is_too_long, talk, first)),
        ("closes when asked", partial(closes, talk)),
    )
