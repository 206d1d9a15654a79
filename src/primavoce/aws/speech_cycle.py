"""Does an endpoint do, over one session through SageMaker, what a talking agent needs? In service is no proof of it."""

import time
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress

import anyio

from primavoce.client.link import Opener, SessionLink
from primavoce.client.verification.checks import Check, Clock, outcomes, steps_of
from primavoce.client.verification.conversation import CheckFailed, Conversation
from primavoce.client.verification.steering import answers
from primavoce.errors import PrimavoceError, SessionError
from primavoce.protocol.client import ClientEvent
from primavoce.protocol.codec import encode
from primavoce.protocol.messages import AnyClientMessage

type OnCheck = Callable[[Check], None]
"""Told the outcome of each check when there is one."""

NOWHERE = "wss://sagemaker.invalid"
"""The address of a conversation that has a link instead."""


class LinkConversation(Conversation):
    """A conversation over a link that isn't a WebSocket of ours.

    Args:
        opener: Opens the link.
        told: What the link leads to, in words.
        stack: Closes it.
        voice: The voice to ask for; the server's default unless given.
        timeout_s: The longest wait for any one message.
    """

    def __init__(
        self, opener: Opener, *, told: str, stack: AsyncExitStack, voice: str | None, timeout_s: float
    ) -> None:
        super().__init__(NOWHERE, voice=voice, timeout_s=timeout_s, api_key=None, ssl_context=None)
        self._opener = opener
        self._told = told
        self._stack = stack
        self._link: SessionLink | None = None

    async def connect(self) -> str:
        """Open the link, and have the container answer: SageMaker itself may take a stream that leads nowhere."""
        try:
            self._link = await self._stack.enter_async_context(self._opener())
        except PrimavoceError as error:
            raise CheckFailed(str(error)) from error
        self._frames = aiter(self._link)
        await answers(self)
        return self._told

    async def disconnect(self) -> None:
        """Leave the link to whoever closes it."""

    async def send(self, message: AnyClientMessage | str, *, binary: bool = False) -> None:
        """Send a message, or a text that is none."""
        assert self._link is not None
        frame = message if isinstance(message, str) else encode(message)
        try:
            with anyio.fail_after(self.timeout_s):
                await (_as_binary(self._link, frame) if binary else self._link.send(frame))
        except TimeoutError:
            raise CheckFailed(f"no message was taken within {self.timeout_s:g} s") from None
        except SessionError as error:
            raise CheckFailed(str(error)) from error

    async def next(self, waiting_for: str) -> ClientEvent:
        """Return what comes next; ``waiting_for`` is told if nothing does."""
        try:
            with anyio.fail_after(self.timeout_s):
                return self._protocol.receive(await anext(self._frames))
        except TimeoutError:
            raise CheckFailed(f"no {waiting_for} within {self.timeout_s:g} s") from None
        except StopAsyncIteration:
            raise CheckFailed(f"the stream ended while {waiting_for} was due") from None
        except SessionError as error:
            raise CheckFailed(str(error)) from error


async def _as_binary(link: SessionLink, frame: str) -> None:
    """Send ``frame`` as bytes: so SageMaker delivers what has no type."""
    await link.send(frame.encode())  # type: ignore[arg-type]


async def check_speech(
    opener: Opener,
    *,
    told: str,
    on_check: OnCheck,
    voice: str | None = None,
    timeout_s: float = 60.0,
    clock: Clock = time.perf_counter,
) -> bool:
    """Check an endpoint over one session, up to the first check that fails; return whether none did.

    Args:
        opener: Opens a link with it.
        told: Its name.
        on_check: Told of each outcome.
        voice: The voice to ask for.
        timeout_s: The longest wait for any one message.
        clock: Seconds.
    """
    passed = False
    with suppress(SessionError):  # of the link's own closing alone: a step's is the failure of its check
        async with AsyncExitStack() as stack:
            talk = LinkConversation(opener, told=told, stack=stack, voice=voice, timeout_s=timeout_s)
            async for check in outcomes((step for step in steps_of(talk) if step.relayed), clock=clock):
                on_check(check)
                if not check.passed:
                    break
            else:  # and not by what the checks say so far: a link that breaks may end them in the middle of one
                passed = True
    return passed
