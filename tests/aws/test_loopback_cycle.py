"""The whole cycle on loopback: our own checks, through a stand-in of SageMaker's front, to the real server."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from primavoce.client.verify import Check

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
