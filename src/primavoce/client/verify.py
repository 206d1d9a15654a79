"""The whole-cycle check: does a server do, over one session, what a talking agent needs?

A server that answers ``/ping`` can still be useless. Each check has a name of its own, they run in the order of
`primavoce.client.verification.checks`, and the first that fails ends the run: what comes after would only fail for the
same reason.
"""

import ssl
import time
from collections.abc import AsyncIterator

from primavoce.client.verification.checks import Check, Clock, outcomes, steps_of
from primavoce.client.verification.conversation import Conversation

__all__ = ["Check", "Verification"]


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
        clock: Clock = time.perf_counter,
    ) -> None:
        self._talk = Conversation(url, voice=voice, timeout_s=timeout_s, api_key=api_key, ssl_context=ssl_context)
        self._clock = clock

    async def run(self) -> AsyncIterator[Check]:
        """Yield each check's outcome; the last one yielded may have failed, none before it has."""
        try:
            async for check in outcomes(steps_of(self._talk), clock=self._clock):
                yield check
        finally:
            await self._talk.disconnect()
