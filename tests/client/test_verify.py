"""The whole-cycle check, against a sound server and against broken ones."""

import pytest

from primavoce.client.verify import Check, Verification
from primavoce.testing.broken_servers import Faults, broken_server

pytestmark = pytest.mark.anyio


async def verify(url: str, *, timeout_s: float = 10.0) -> list[Check]:
    return [check async for check in Verification(url, timeout_s=timeout_s).run()]


async def test_our_server_passes_every_check(serving) -> None:
    async with serving() as server:
        checks = await verify(server.address)

    assert [check for check in checks if not check.passed] == []
    assert [check.name for check in checks] == [
        "connects",
        "takes a binary frame",
        "sends audio",
        "completes",
        "lasts as long as its text",
        "is not silent",
        "speaks a second sentence",
        "keeps utterances apart",
        "survives a bad message",
        "answers a ping",
        "closes when asked",
    ]


async def test_the_stand_in_without_faults_passes_every_check() -> None:
    async with broken_server(Faults()) as url:
        checks = await verify(url)

    assert all(check.passed for check in checks)
    assert checks[-1].name == "closes when asked"


@pytest.mark.parametrize(
    ("faults", "name", "detail"),
    [
        (Faults(text_frames_only=True), "takes a binary frame", "error invalid_json"),
        (Faults(never_completes=True), "completes", "no synthesis_complete"),
        (Faults(too_short=True), "lasts as long as its text", "s of audio for"),
        (Faults(silent=True), "is not silent", "silence"),
        (Faults(closes_after_utterance=True), "speaks a second sentence", "closed with 1000"),
        (Faults(interleaves=True), "keeps utterances apart", "started inside another"),
        (Faults(dies_on_bad_message=True), "survives a bad message", "ended the session"),
        (Faults(ignores_pings=True), "answers a ping", "no pong"),
        (Faults(ignores_close=True), "closes when asked", "no session_complete"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
async def test_each_broken_server_fails_on_its_own_line(faults: Faults, name: str, detail: str) -> None:
    async with broken_server(faults) as url:
        checks = await verify(url, timeout_s=0.3)

    assert all(check.passed for check in checks[:-1])
    assert (checks[-1].name, checks[-1].passed) == (name, False)
    assert detail in checks[-1].detail


async def test_nobody_there_fails_on_the_first_line() -> None:
    (check,) = await verify("ws://127.0.0.1:9")

    assert (check.name, check.passed) == ("connects", False)
