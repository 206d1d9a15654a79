"""A deployed agent's whole cycle on loopback: the SDKs of AWS, a stand-in of AgentCore, the real application."""

import threading
from collections.abc import AsyncIterator
from functools import partial

import anyio
import anyio.to_thread
import pytest

from primavoce.agent.conversation import Piece
from primavoce.client.verify import Check
from tests.agent.runtime.conftest import (  # noqa: F401 - fixtures
    authority,
    credentials,
    front,
    logging_of_the_sdk_as_it_was,
)
from tests.agent.runtime.data_plane import ARN

pytestmark = [pytest.mark.anyio, pytest.mark.agent]


async def verified(heard: threading.Event | None = None) -> tuple[bool, list[Check]]:
    """Ask the agent, and return what it came to; ``heard`` is set at the first audio."""
    from primavoce.aws import verifying
    from primavoce.aws.answer_cycle import AnswerCycle

    class Listening(AnswerCycle):
        def take(self, event, at_s) -> None:
            super().take(event, at_s)
            if heard is not None and event["type"] == "audio_chunk":
                heard.set()

    told: list[Check] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(verifying, "AnswerCycle", Listening)
        passed = await anyio.to_thread.run_sync(partial(verifying.verify_agent, ARN, on_check=told.append))
    return passed, told


async def test_loopback_agent_that_speaks_while_it_writes_passes(front) -> None:  # noqa: F811
    heard = threading.Event()

    async def answer(_: str) -> AsyncIterator[Piece]:
        yield "The first sentence is done. "
        yield "And the second "
        await anyio.to_thread.run_sync(partial(heard.wait, 10))
        yield "comes later."

    async with front(answer):
        passed, told = await verified(heard)

    assert passed, told[-1]
    assert [each.name for each in told][-1] == "ends"


async def test_loopback_agent_that_is_refused_says_why_at_its_first_check(front) -> None:  # noqa: F811
    async with front() as running:
        running.plane.refusals.append((403, "AccessDeniedException"))
        passed, told = await verified()

    assert not passed
    assert [(each.name, each.passed) for each in told] == [("answers", False)]
    assert "doesn't let this program in" in told[0].detail


async def test_loopback_agent_whose_answer_breaks_off_fails(front) -> None:  # noqa: F811
    async with front() as running:
        running.plane.breaks_off_after = 2
        passed, told = await verified()

    assert not passed
    assert not told[-1].passed


async def test_loopback_agent_is_measured_in_both_modes(front) -> None:  # noqa: F811
    from primavoce.aws.asking_agent import open_runtime
    from primavoce.aws.measuring import measure_agent, ways_by_runtime
    from primavoce.bench.agent_visits import Asked

    async with front() as running:
        runtime = await anyio.to_thread.run_sync(open_runtime, ARN)
        ways = ways_by_runtime(runtime, Asked("Why is the sky blue?"))
        found = await measure_agent(ways, where="deployed", trials=2, note=print)
        runtime.close()

    modes = [seen.message.get("mode") for seen in running.plane.seen if "prompt" in seen.message]
    assert sorted(modes) == ["batch"] * 2 + ["stream"] * 3
    assert found.first_audio.batch.n == 2
    assert len({seen.session for seen in running.plane.seen}) == 5
