"""Links that do what a test says, and what comes of them."""

import json
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager

import anyio
import anyio.lowlevel

from primavoce.client.link import Opener, SessionLink
from primavoce.client.resuming import ResumePolicy, resuming
from primavoce.errors import ConnectFailed, SessionBroken, SessionError, lone_error

AT_ONCE = ResumePolicy(first_pause_s=0.0)
type OnMessage = Callable[["ScriptedLink", dict], None]


def nothing(link: "ScriptedLink", message: dict) -> None:
    """Answer no more than the link does by itself."""


class ScriptedLink:
    """A link whose other end is a function of the test's.

    Args:
        number: Which of those that were opened.
        on_message: Answers; pings and a close are answered before, unless the link is ``mute``.
        ends_in_s: What its pongs say of the session's end.
        in_steps: Whether others may run while a message is sent.
    """

    typed = True

    def __init__(
        self, number: int, on_message: OnMessage, ends_in_s: float | None = None, *, in_steps: bool = True
    ) -> None:
        self.number = number
        self.said: list[dict] = []
        self.mute: set[str] = set()
        """Types of messages that aren't answered."""
        self.takes = anyio.Event()
        """Unset, messages wait to be taken."""
        self.takes.set()
        self.spoken: list[str] = []
        """By `speak`."""
        self.closed = False
        self._on_message = on_message
        self._ends_in_s = ends_in_s
        self._in_steps = in_steps
        self._push, self._frames = anyio.create_memory_object_stream[str | bytes | None](1000)

    async def send(self, frame: str) -> None:
        message = json.loads(frame)
        if not self.takes.is_set():
            await self.takes.wait()
        if self.closed:
            raise SessionBroken("closed")
        self.said.append(message)
        if self._in_steps:
            await anyio.lowlevel.checkpoint()
            if self.closed:
                raise SessionBroken("closed")
        if message["type"] == "ping" and "ping" not in self.mute:
            left = {} if self._ends_in_s is None else {"session_ends_in_s": self._ends_in_s}
            self.tell(type="pong", request_id=message.get("request_id"), **left)
        elif message["type"] == "close" and "close" not in self.mute:
            self.tell(type="session_complete")
        self._on_message(self, message)

    def close(self) -> None:
        self.closed = True
        self._push.close()
        self._frames.close()

    async def __aiter__(self) -> AsyncIterator[str | bytes]:
        async for frame in self._frames:
            if frame is None:
                raise SessionBroken("cut")
            yield frame

    # --- what a test looks at

    def ids(self, kind: str) -> list[str | None]:
        """Return whose messages of ``kind`` were said, in order."""
        return [message.get("request_id") for message in self.said if message["type"] == kind]

    def texts(self, request_id: str) -> str:
        """Return the text that was said of one."""
        return "".join(
            message["text"]
            for message in self.said
            if message["type"] == "text" and message["request_id"] == request_id
        )

    # --- what a server does

    def cut(self) -> None:
        self._push.send_nowait(None)

    def clog(self) -> None:
        """Take no more messages."""
        self.takes = anyio.Event()

    def tell(self, **fields: object) -> None:
        self._push.send_nowait(json.dumps(fields))

    def sound(self, seconds: float) -> None:
        self._push.send_nowait(bytes(round(seconds * 24_000) * 2))

    def start(self, request_id: str) -> None:
        how = {"voice": "v", "format": "pcm", "sample_rate": 24000, "channels": 1, "sample_width": 2}
        self.tell(type="synthesis_start", protocol=1, request_id=request_id, **how)

    def segment(
        self, request_id: str, text: str, begin: int, at_s: float, *words: tuple[str, int, float, float]
    ) -> None:
        """Begin a segment, of words that each have a place, a beginning and an end."""
        named = {"request_id": request_id, "index": 0}
        self.tell(type="segment", **named, text=text, start=begin, end=begin + len(text), start_s=at_s)
        told = [
            {"text": word, "start": at, "end": at + len(word), "start_s": from_s, "end_s": to_s}
            for word, at, from_s, to_s in words
        ]
        self.tell(type="words", **named, words=told)

    def fail(self, request_id: str | None, code: str, *, fatal: bool = False) -> None:
        self.tell(type="error", request_id=request_id, code=code, message="", retryable=True, fatal=fatal)

    def cancelled(self, request_id: str) -> None:
        self.tell(type="cancelled", request_id=request_id, audio_sent_s=0, spoken_text="", spoken_characters=0)

    def speak(self, request_id: str, seconds: float = 0.1) -> None:
        self.spoken.append(request_id)
        self.start(request_id)
        self.sound(seconds)
        self.complete(request_id)

    def complete(self, request_id: str) -> None:
        numbers = dict.fromkeys(("total_duration_s", "elapsed_s", "queued_s", "segments", "characters"), 0)
        nothing = {"time_to_first_audio_s": None, "real_time_factor": None}
        self.tell(type="synthesis_complete", request_id=request_id, **numbers, **nothing)


def opener(
    on_message: OnMessage,
    made: list[ScriptedLink],
    *,
    gate: anyio.Event | None = None,
    first_ends_in_s: float | None = None,
    most: int | None = None,
    in_steps: bool = True,
    later_mute: Collection[str] = (),
    clogged: Collection[int] = (),
    on_opening: Callable[[], object] = lambda: None,
) -> Opener:
    """Return what opens scripted links.

    Args:
        on_message: Of each.
        made: Gets each.
        gate: All but the first wait for it.
        first_ends_in_s: What the first says of its end; with 0, the next is opened at once.
        most: Links that there are; who asks for more is refused.
        in_steps: Whether others may run while a message is sent.
        later_mute: Types of messages that all but the first don't answer.
        clogged: Numbers of those that take nothing.
        on_opening: Called when one is asked for.
    """

    @asynccontextmanager
    async def open_link() -> AsyncIterator[SessionLink]:
        on_opening()
        if made and gate is not None:
            await gate.wait()
        if len(made) == most:
            raise ConnectFailed("ws://example.com", "nobody there")
        link = ScriptedLink(len(made), on_message, None if made else first_ends_in_s, in_steps=in_steps)
        link.mute = set(later_mute if made else ())
        if link.number in clogged:
            link.clog()
        made.append(link)
        try:
            yield link
        finally:
            link.close()

    return open_link


class Told:
    """What a client has been told, while it is being read.

    Args:
        link: Read.
    """

    def __init__(self, link: SessionLink) -> None:
        self.events: list[tuple[str, str | None]] = []
        """Types and ids; audio as ``audio``, without one."""
        self.messages: list[dict] = []
        self.audio_bytes = 0
        self.error: SessionError | None = None
        self.over = anyio.Event()
        self._link = link

    async def read(self) -> None:
        try:
            async for frame in self._link:
                if isinstance(frame, bytes):
                    self.audio_bytes += len(frame)
                    self.events.append(("audio", None))
                    continue
                message = json.loads(frame)
                self.messages.append(message)
                self.events.append((message["type"], message.get("request_id")))
        except SessionError as error:
            self.error = error
        self.over.set()

    def of(self, request_id: str) -> list[str]:
        """Return the types of what came with an id."""
        return [kind for kind, whose in self.events if whose == request_id]


@asynccontextmanager
async def talking(below: Opener, policy: ResumePolicy = AT_ONCE) -> AsyncIterator[tuple[SessionLink, Told]]:
    """Open a link that outlives those of ``below``, and read it."""
    with lone_error():
        async with resuming(below, policy)() as link, anyio.create_task_group() as tasks:
            told = Told(link)
            tasks.start_soon(told.read)
            yield link, told
            tasks.cancel_scope.cancel()


def said(kind: str, request_id: str | None = None, **fields: object) -> str:
    """Return a message of a client's."""
    named = {} if request_id is None else {"request_id": request_id}
    return json.dumps({"type": kind, **named, **fields})


async def settled() -> None:
    """Wait until nobody has anything to do."""
    await anyio.wait_all_tasks_blocked()
