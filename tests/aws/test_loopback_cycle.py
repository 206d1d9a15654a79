"""The whole cycle on loopback: our own checks, through a stand-in of SageMaker's front, to the real server."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest

from primavoce.client.link import SessionLink
from primavoce.client.verify import Check
from primavoce.errors import SessionTimeout

pytestmark = [pytest.mark.aws, pytest.mark.anyio]

WHOLE = (
    "opens a session",
    "takes a binary frame",
    "sends audio",
    "completes",
    "lasts as long as its text",
    "is not silent",
    "speaks a second sentence",
    "keeps utterances apart",
    "ends an utterance",
    "speaks at a flush",
    "cancels",
    "answers a ping",
    "queues requests",
    "survives a bad message",
    "knows no strange id",
    "closes when asked",
)


@asynccontextmanager
async def front(address: str, **settings: object) -> AsyncIterator[tuple[object, object]]:
    """Run a front before the server at ``address``, and yield it with what opens a link through it."""
    import botocore.session

    from primavoce.client.sagemaker import CredentialSource, sagemaker_link
    from primavoce.testing.aws.sagemaker_front import ACCESS_KEY, SECRET_KEY, FrontSettings, sagemaker_front

    session = botocore.session.Session()
    session.set_credentials(ACCESS_KEY, SECRET_KEY)
    faults = settings.pop("faults", ())
    async with sagemaker_front(address, FrontSettings(**settings), faults=faults) as running:  # type: ignore[arg-type]
        yield (
            running,
            sagemaker_link(
                "speech",
                region="us-east-1",
                url=running.url,
                ca_file=str(running.ca_file),
                credentials=CredentialSource(session),
                open_timeout_s=5.0,
                greeting=None,
            ),
        )


async def checks(opener: object, *, timeout_s: float = 10.0) -> tuple[bool, list[Check]]:
    from primavoce.aws.speech_cycle import check_speech

    told: list[Check] = []
    passed = await check_speech(opener, told="speech", on_check=told.append, timeout_s=timeout_s)  # type: ignore[arg-type]
    return passed, told


async def test_loopback_cycle_passes_every_check_through_sagemakers_front(serving) -> None:
    async with serving() as server, front(server.address) as (running, opener):
        passed, told = await checks(opener)

    assert (passed, [each.name for each in told if each.passed]) == (True, list(WHOLE)), told[-1]
    [seen] = running.sessions
    assert seen.problems == []


async def test_loopback_cycle_sends_its_first_request_as_sagemaker_delivers_what_has_no_type(serving) -> None:
    async with serving() as server, front(server.address) as (_, opener):
        _, told = await checks(opener)

    assert ("takes a binary frame", True) in [(each.name, each.passed) for each in told]


@pytest.mark.parametrize(
    ("trouble", "words"),
    [
        ("ACCESS_DENIED", "403|allow|access|let"),
        ("MODEL_ERROR", "424|container|WebSocket"),
        ("STALL_BEFORE_HEADERS", "within"),
        ("RESET_BEFORE_HEADERS", "."),
    ],
)
async def test_loopback_cycle_fails_at_the_session_that_cant_be_opened(serving, trouble: str, words: str) -> None:
    import re

    from primavoce.testing.aws.faults import Trouble

    async with serving() as server, front(server.address, faults=[Trouble[trouble]] * 5) as (_, opener):
        passed, told = await checks(opener)

    assert not passed
    assert [(each.name, each.passed) for each in told] == [("opens a session", False)]
    assert re.search(words, told[0].detail, re.IGNORECASE)


async def test_loopback_cycle_that_is_cut_fails_instead_of_waiting_for_ever(serving) -> None:
    async with serving() as server, front(server.address, session_s=0.05) as (_, opener):
        passed, told = await checks(opener, timeout_s=5.0)

    assert not passed
    assert not told[-1].passed


@dataclass
class Troubled:
    """A link that gives up after so many frames, or when it is left."""

    link: SessionLink
    frames: int | None
    """That are still to come before it stalls; it doesn't, if there is no number."""

    async def send(self, frame: str) -> None:
        await self.link.send(frame)

    async def __aiter__(self) -> AsyncIterator[str | bytes]:
        async for frame in self.link:
            if self.frames is not None:
                self.frames -= 1
                if self.frames < 0:
                    raise SessionTimeout("a sign of life", 10.0)
            yield frame


def troubled(opener: object, *, frames: int | None, at_exit: Exception | None) -> object:
    @asynccontextmanager
    async def opened() -> AsyncIterator[Troubled]:
        async with opener() as link:  # type: ignore[operator]
            yield Troubled(link, frames)
        if at_exit is not None:
            raise at_exit

    return opened


@pytest.mark.parametrize("frames", [1, 4, 9])
async def test_loopback_cycle_that_stalls_in_the_middle_has_a_check_that_failed(serving, frames: int) -> None:
    async with serving() as server, front(server.address) as (_, opener):
        passed, told = await checks(troubled(opener, frames=frames, at_exit=None))

    assert not passed
    assert not told[-1].passed
    assert "a sign of life" in told[-1].detail


@pytest.mark.parametrize(("frames", "outcome"), [(4, False), (None, True)])
async def test_loopback_cycle_whose_link_cant_be_left_is_what_its_checks_say(
    serving, frames: int | None, *, outcome: bool
) -> None:
    async with serving() as server, front(server.address) as (_, opener):
        passed, told = await checks(troubled(opener, frames=frames, at_exit=SessionTimeout("an end", 10.0)))

    assert (passed, told[-1].passed) == (outcome, outcome)
