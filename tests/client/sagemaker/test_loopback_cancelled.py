"""Whoever is cancelled while a session opens leaves nothing behind that is told of in a log."""

import asyncio
import gc

import pytest

from primavoce.client.sagemaker import http2
from tests.client.resuming.cutting import until
from tests.client.sagemaker.complaining import at_work, complaints

pytestmark = [pytest.mark.anyio, pytest.mark.aws]

MOST_STEPS = 12
"""Of the loop, before a cancel; by then, streams on a connection that is kept are begun."""


@pytest.mark.parametrize("kept", [True, False], ids=["kept", "fresh"])
async def test_no_error_of_a_stream_that_is_left_while_it_is_begun_is_nobodys(fronting, kept: bool) -> None:
    async with complaints() as told, fronting() as loopback:
        async with loopback.link()():
            pass  # the SDK is imported, and there is a connection
        streams = http2.streams_of_this_loop("us-east-1", loopback.front.url, str(loopback.front.ca_file))
        credentials = await loopback.credentials.current("speech")
        ways = set()
        for steps in range(MOST_STEPS):
            if not kept:
                streams.close()
            opening = asyncio.ensure_future(streams.open(http2.StreamRequest("speech"), credentials))
            for _ in range(steps):
                await asyncio.sleep(0)
            opening.cancel()
            await asyncio.wait({opening})
            ways.add(opening.cancelled())
            if not opening.cancelled():
                await opening.result().close(0.0)
            del opening
            await until(lambda: not at_work())
            gc.collect()
        await until(lambda: not loopback.front.open_sessions)

    assert told == []
    assert True in ways


async def test_no_error_of_a_link_that_is_left_while_it_opens_is_nobodys(fronting) -> None:
    async with complaints() as told, fronting() as loopback:
        async with loopback.link()():
            pass

        async def stay() -> None:
            async with loopback.link()():
                await asyncio.Event().wait()

        for steps in range(2 * MOST_STEPS):
            opening = asyncio.ensure_future(stay())
            for _ in range(steps):
                await asyncio.sleep(0)
            opening.cancel()
            await asyncio.wait({opening})
            del opening
            await until(lambda: not at_work())
            gc.collect()
        await until(lambda: not loopback.front.open_sessions)

    assert told == []
