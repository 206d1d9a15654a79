"""Every check, its name and its place, for whoever holds the conversation: over a WebSocket, or through SageMaker."""

import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
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
from primavoce.errors import PrimavoceError

type Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Check:
    """The outcome of one check."""

    name: str
    passed: bool
    detail: str
    elapsed_s: float


@dataclass(frozen=True, slots=True)
class Step:
    """One check, still to be made."""

    name: str
    make: Callable[[], Awaitable[str]]
    """Returns what it found, or raises."""
    relayed: bool = True
    """Whether it can be made where somebody else's front passes messages on: that has no ``/ping``, takes no message of
    201 KB, and whatever it answers to 200 requests at once is its own bound."""


def steps_of(talk: Conversation) -> tuple[Step, ...]:
    """Return the checks in order: each may go by what was heard before it."""
    first = FirstSentence(talk)
    second = SecondSentence(talk, first)
    return (
        Step("connects", talk.connect),
        Step("is ready", partial(is_ready, talk), relayed=False),
        Step("takes a binary frame", first.takes_a_binary_frame),
        Step("sends audio", first.sends_audio),
        Step("completes", first.completes),
        Step("lasts as long as its text", first.lasts),
        Step("is not silent", first.sounds),
        Step("speaks a second sentence", second.speaks),
        Step("keeps utterances apart", partial(keeps_order, talk)),
        Step("ends an utterance", second.ends),
        Step("speaks at a flush", partial(speaks_at_a_flush, talk, first)),
        Step("cancels", partial(cancels, talk)),
        Step("answers a ping", partial(answers, talk)),
        Step("queues requests", partial(queues_requests, talk)),
        Step("bounds its queue", partial(bounds_its_queue, talk), relayed=False),
        Step("survives a bad message", partial(survives, talk)),
        Step("knows no strange id", partial(knows_no_strange_id, talk)),
        Step("refuses what is too long", partial(refuses_what_is_too_long, talk, first), relayed=False),
        Step("closes when asked", partial(closes, talk)),
    )


async def outcomes(steps: Iterable[Step], *, clock: Clock = time.perf_counter) -> AsyncIterator[Check]:
    """Make the checks, and yield the outcome of each; the last one yielded may have failed, none before it has."""
    for step in steps:
        began = clock()
        try:
            detail, passed = await step.make(), True
        except (CheckFailed, PrimavoceError) as error:
            detail, passed = str(error), False
        except ConnectionClosed as error:
            code = "without a word" if error.rcvd is None else f"with {error.rcvd.code}"
            detail, passed = f"the connection was closed {code}", False
        yield Check(step.name, passed, detail, round(clock() - began, 3))
        if not passed:
            return
