"""From the text of an utterance to the engine, a slice at a time."""

from collections.abc import Awaitable, Callable

import anyio.lowlevel

from primavoce.protocol.incoming import IncomingText
from primavoce.server.records import Moment
from primavoce.synthesis.speech import Speech


async def feed(
    text: IncomingText,
    speech: Speech,
    wait_for_more: Callable[[], Awaitable[None]],
    notice: Callable[[str], None] = lambda _: None,
) -> None:
    """Say the sentences of ``text`` as they come, and finish when it is complete.

    Args:
        text: Grows, or is complete already.
        speech: Says them.
        wait_for_more: Returns when ``text`` has changed; not called once it is complete.
        notice: Told of the moment at which a sentence is certain.

    Raises:
        PrimavoceError: speaking failed.
    """
    while True:
        more = text.advance()
        for sentence in text.take():
            notice(Moment.SENTENCE)
            await speech.say(sentence)
        if text.exhausted:
            await speech.finish()
            return
        if more:
            await anyio.lowlevel.checkpoint()
        elif not text.startable:
            await wait_for_more()
