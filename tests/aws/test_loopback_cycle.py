"""The whole cycle on loopback: our own checks, through a stand-in of SageMaker's front, to the real server."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import anyio
import pytest

from primavoce.client.link import SessionLink
from primavoce.client.verify import Check
from primavoce.errors import SessionError, SessionTimeout, lone_error
from primavoce.testing.broken_servers import Faults, broken_server
from tests.test_errors import SENTENCES

pytestmark = [pytest.mark.aws, pytest.mark.anyio]

DOCS = (Path(__file__).parents[2] / "docs" / "verify.md").read_text()
SESSION_ERRORS = [error for error, _ in SENTENCES if isinstance(error, SessionError)]


def whole() -> list[str]:
    """What is checked through SageMaker, by what docs/verify.md says."""
    told = DOCS.replace("\n", " ").partition("`primavoce aws verify` makes")[2].partition(":")[0]
    names = [line.split("`")[1] for line in DOCS.splitlines() if line.startswith("| `")]
    left_out = told.split("`")[1::2]
    assert set(left_out) < set(names)
    return [name for name in names if name not in left_out]


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

    assert (passed, [each.name for each in told if each.passed]) == (True, whole()), told[-1]
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
    assert [(each.name, each.passed) for each in told] == [("connects", False)]
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
    error: SessionError = field(default_factory=lambda: SessionTimeout("a sign of life", 10.0))

    async def send(self, frame: str) -> None:
        await self.link.send(frame)

    async def __aiter__(self) -> AsyncIterator[str | bytes]:
        async for frame in self.link:
            if self.frames is not None:
                self.frames -= 1
                if self.frames < 0:
                    raise self.error
            yield frame


def troubled(
    opener: object, *, frames: int | None, at_exit: Exception | None, error: SessionError | None = None
) -> object:
    @asynccontextmanager
    async def opened() -> AsyncIterator[Troubled]:
        async with opener() as link:  # type: ignore[operator]
            yield Troubled(link, frames) if error is None else Troubled(link, frames, error)
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


# --- a session that breaks, in whatever way, or an endpoint that speaks badly: never a proof


@pytest.mark.parametrize("error", SESSION_ERRORS, ids=lambda error: type(error).__name__)
async def test_loopback_cycle_has_a_check_that_failed_whatever_error_a_session_has(
    serving, error: SessionError
) -> None:
    async with serving() as server, front(server.address) as (_, opener):
        passed, told = await checks(troubled(opener, frames=6, at_exit=error, error=error))

    assert not passed
    assert (told[-1].passed, told[-1].detail) == (False, str(error))


async def test_loopback_cycle_that_its_link_ends_in_the_middle_of_a_check_has_not_passed(serving) -> None:
    """A link's own task fails: the check that was under way is cancelled, and has no outcome."""

    @asynccontextmanager
    async def failing() -> AsyncIterator[Edited]:
        heard = anyio.Event()

        async def fail() -> None:
            await heard.wait()
            raise SessionTimeout("a sign of life", 10.0)

        def hear(frame: str | bytes) -> list[str | bytes]:
            if isinstance(frame, bytes):
                heard.set()
            return [frame]

        with lone_error():
            async with opener() as link, anyio.create_task_group() as tasks:
                tasks.start_soon(fail)
                yield Edited(link, hear)

    async with serving() as server, front(server.address) as (_, opener):
        passed, told = await checks(failing)

    assert [check.name for check in told if check.passed] == whole()[: len(told)] != whole()
    assert not passed


@dataclass
class Edited:
    """A link whose frames are others when they come."""

    link: SessionLink
    edit: Callable[[str | bytes], list[str | bytes]]

    async def send(self, frame: str) -> None:
        await self.link.send(frame)

    async def __aiter__(self) -> AsyncIterator[str | bytes]:
        async for frame in self.link:
            for each in self.edit(frame):
                yield each


def edited(opener: object, edit: Callable[[str | bytes], list[str | bytes]]) -> object:
    @asynccontextmanager
    async def opened() -> AsyncIterator[Edited]:
        async with opener() as link:  # type: ignore[operator]
            yield Edited(link, edit)

    return opened


def without_the_second_utterance(frame: str | bytes) -> list[str | bytes]:
    is_second = isinstance(frame, str) and json.loads(frame).get("request_id") == "verify-2"
    return [] if is_second else [frame]


def with_half_a_sample(frame: str | bytes) -> list[str | bytes]:
    return [frame] if isinstance(frame, str) else [frame[:-1]]


def with_its_first_half_a_sample_late(frame: str | bytes) -> list[str | bytes]:
    return [frame] if isinstance(frame, str) else [frame[:1], frame[1:]]


def without_most_audio(frame: str | bytes) -> list[str | bytes]:
    """Say of an eighth that it is all."""
    if not isinstance(frame, str):
        return [frame[: len(frame) // 16 * 2]]
    told = json.loads(frame)
    if "total_duration_s" in told:
        told["total_duration_s"] /= 8
    return [json.dumps(told)]


@pytest.mark.parametrize(
    ("edit", "name", "words"),
    [
        (without_the_second_utterance, "speaks a second sentence", "audio came outside an utterance"),
        (with_half_a_sample, "sends audio", "half a sample"),
        (with_its_first_half_a_sample_late, "sends audio", "1 bytes of audio came"),
        (without_most_audio, "lasts as long as its text", "s of audio for 49 characters"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
async def test_loopback_cycle_fails_where_what_comes_is_no_speech(serving, edit, name: str, words: str) -> None:
    async with serving() as server, front(server.address) as (_, opener):
        passed, told = await checks(edited(opener, edit))

    assert not passed
    assert (told[-1].name, told[-1].passed) == (name, False)
    assert words in told[-1].detail


@pytest.mark.parametrize(
    ("faults", "name", "words"),
    [
        (Faults(silent=True), "is not silent", "the audio is silence"),
        (Faults(too_short=True), "lasts as long as its text", "s of audio for 49 characters"),
        (Faults(closes_after_utterance=True), "speaks a second sentence", "broke off"),
        (Faults(never_completes=True), "completes", "no synthesis_complete"),
        (Faults(ignores_close=True), "closes when asked", "no session_complete"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
async def test_loopback_cycle_fails_on_the_line_of_what_a_broken_container_does(
    faults: Faults, name: str, words: str
) -> None:
    timeout_s = 1.0 if words.startswith("no ") else 10.0
    async with broken_server(faults) as url, front(url) as (_, opener):
        passed, told = await checks(opener, timeout_s=timeout_s)

    assert not passed
    assert (told[-1].name, told[-1].passed) == (name, False)
    assert words in told[-1].detail


async def test_loopback_cycle_passes_before_a_stand_in_without_faults() -> None:
    async with broken_server(Faults()) as url, front(url) as (_, opener):
        passed, told = await checks(opener)

    assert (passed, [each.name for each in told]) == (True, whole())
