"""The answer to one HTTP request: its text is spoken, and its audio sent."""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass

import anyio
from starlette.requests import ClientDisconnect
from starlette.types import Receive, Send

from primavoce.errors import PrimavoceError, UtteranceTooLong, lone_error
from primavoce.protocol.incoming import IncomingText
from primavoce.protocol.options import SpeechOptions
from primavoce.server.deliveries import Delivery
from primavoce.server.feeding import feed
from primavoce.server.records import Moment
from primavoce.server.voicing import voicing
from primavoce.server.watch import Watch
from primavoce.synthesis.engine import Engine
from primavoce.synthesis.segment import SpeechPart
from primavoce.synthesis.speech import Speech


@dataclass(frozen=True, slots=True)
class AnswerBounds:
    """How much audio there may be."""

    max_utterance_s: float
    """Seconds of audio."""
    max_answer_bytes: int
    """Bytes of PCM that an answer in one piece is made of: they are held until the last is made."""
    max_write_bytes: int
    """Bytes that are written at a time: what a reader who has stopped may cost, beside the buffers."""


class Answer:
    """The audio of one text; the status is decided only when there is audio to send.

    Args:
        engine: Speaks.
        options: How.
        text: What.
        delivery: Sends the audio.
        max_utterance_s: Seconds of audio that there may be.
        check: Called when the work starts; raises if it is no longer wanted.
        owner: Whose text it is.
    """

    def __init__(
        self,
        engine: Engine,
        options: SpeechOptions,
        text: str,
        *,
        delivery: Delivery,
        max_utterance_s: float,
        check: Callable[[], None],
        owner: str = "",
    ) -> None:
        self._engine = engine
        self._options = options
        self._text = text
        self._delivery = delivery
        self._max_utterance_s = max_utterance_s
        self._check = check
        self._owner = owner

    @property
    def started(self) -> bool:
        """Whether the status has gone out."""
        return self._delivery.started

    async def send(self, receive: Receive, send: Send, watch: Watch) -> None:
        """Speak and send; stops when the client leaves; ``watch`` is told what goes out.

        Raises:
            PrimavoceError: it can't be spoken; unless it has `started`, the caller answers, else it may `break_off`.
            ClientDisconnect: the client has left.
        """
        text = IncomingText(self._options.language)
        text.push(self._text)
        text.end()
        with lone_error():
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(self._watch_client, receive)
                how = voicing(self._options, owner=self._owner)
                async with self._engine.speaking(how, notice=watch.notice) as speech:
                    self._check()
                    watch.notice(Moment.BEGUN)
                    # Inside: it must have stopped when the speech does, whatever ends it.
                    async with anyio.create_task_group() as feeding:
                        feeding.start_soon(feed, text, speech, anyio.sleep_forever, watch.notice)
                        await self._delivery.deliver(self._short_enough(speech), send, watch)
                tasks.cancel_scope.cancel()

    async def break_off(self, error: PrimavoceError, send: Send) -> None:
        """Say why the rest won't come, as far as that can be said once it has `started`."""
        await self._delivery.break_off(error, send)

    async def _short_enough(self, speech: Speech) -> AsyncIterator[SpeechPart]:
        audio_s = 0.0
        async for part in speech:
            audio_s += part.duration_s
            if audio_s > self._max_utterance_s:
                raise UtteranceTooLong(self._max_utterance_s)
            yield part

    async def _watch_client(self, receive: Receive) -> None:
        """Wait for the client to leave; a request that was read whole has nothing else to receive."""
        while (await receive())["type"] != "http.disconnect":
            pass
        if not self._delivery.ends:
            raise ClientDisconnect
