"""The event loop does nothing for long: everybody's frames, pings and accepts wait for it."""

import os

import anyio
import pytest

from primavoce.bench.humming_server import HummingServer, humming_server
from primavoce.bench.loop_meter import Longest
from primavoce.bench.writing import tokens
from primavoce.client import SpeechSession

SESSIONS = 20
LONGEST_CALLBACK_S = 0.020
TEXT = (
    "Yes, I can help with that. Your order of March 3rd, number 4471, left our warehouse at 9:30 and cost $48.20. "
    "It should be with you by Thursday evening; if it isn't, call us at 555-0199. Is there anything else? "
) * 3


async def talk(address: str) -> None:
    """Send a text token by token, and hear it to its end."""
    async with SpeechSession(address) as session, session.utterance() as utterance:
        for token in tokens(TEXT):
            await utterance.send(token)
        await utterance.end()
        async for _ in utterance:
            pass


async def longest_among_many(server: HummingServer) -> Longest:
    """Return the loop's longest callback while all talk at once, from their connecting on."""
    await server.longest()
    with anyio.fail_after(50):
        async with anyio.create_task_group() as tasks:
            for _ in range(SESSIONS):
                tasks.start_soon(talk, server.address)
    return await server.longest()


@pytest.mark.anyio
@pytest.mark.timeout(180)
async def test_no_callback_takes_longer_than_twenty_milliseconds_of_the_processor() -> None:
    environ = {**os.environ, "PRIMAVOCE_LOG_LEVEL": "warning", "PRIMAVOCE_MAX_AHEAD_S": "3600"}
    async with humming_server(environ) as server:
        await talk(server.address)  # what is done for the first time is over
        found = await longest_among_many(server)
        if found.longest_callback_cpu_s > LONGEST_CALLBACK_S:  # a machine may stumble once
            found = await longest_among_many(server)

    assert found.callbacks > 20 * SESSIONS
    assert found.longest_callback_cpu_s <= LONGEST_CALLBACK_S, found
