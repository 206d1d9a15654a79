"""Visits to a running agent: an answer heard out over server-sent events, one interrupted over a socket."""

import functools
import http.client
import json
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from urllib.parse import SplitResult, urlsplit, urlunsplit

import anyio
import anyio.to_thread
import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI

from primavoce.agent.identity import SESSION_HEADER, new_session_id
from primavoce.bench.agent_listening import AnswerHeard, AnswerListener
from primavoce.bench.session import Clock
from primavoce.client.events import EventReader
from primavoce.client.handshake import connect_error, credentials, shown_url
from primavoce.errors import ConnectFailed, KeyRefused, RequestFailed, SessionBroken, SessionTimeout

BLOCK_BYTES = 64 * 1024
"""Bytes that are taken from a connection at a time."""
SILENCE_S = 120.0
"""Longest silence on a stream; an agent comments on its own every 15 s."""
ANSWER_S = 600.0
"""Longest wait for the audio of an answer."""
STOP_S = 30.0
"""Longest wait for an answer to stop."""
STRAY_S = 0.2
"""Seconds after the end of an interrupted answer in which stray audio is still noticed."""


@dataclass(frozen=True, slots=True)
class AgentAddress:
    """Where an agent answers."""

    url: str
    """``http://`` or ``https://``, without the routes."""
    api_key: str | None = field(default=None, repr=False)

    def headers(self) -> dict[str, str]:
        """Return the headers of a new conversation.

        Raises:
            InvalidSetting: the key can't be sent.
        """
        return credentials(self.api_key, {SESSION_HEADER: new_session_id(), "Content-Type": "application/json"})

    def parts(self) -> SplitResult:
        """Return the address in its parts.

        Raises:
            ConnectFailed: it is none.
        """
        try:
            parts = urlsplit(self.url)
            _ = parts.port
        except ValueError as error:
            raise ConnectFailed(shown_url(self.url), str(error)) from error
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise ConnectFailed(shown_url(self.url), "an agent has an http:// or https:// address")
        return parts

    def socket_url(self) -> str:
        """Return the address of its socket."""
        parts = self.parts()
        scheme = {"http": "ws", "https": "wss"}[parts.scheme]
        return urlunsplit(parts._replace(scheme=scheme, path=f"{parts.path.rstrip('/')}/ws"))

    def invocations(self) -> str:
        """Return the path of its answers over HTTP."""
        return f"{self.parts().path.rstrip('/')}/invocations"

    def connection(self) -> http.client.HTTPConnection:
        """Return a connection that isn't open yet."""
        parts = self.parts()
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        return kind(parts.hostname or "", parts.port, timeout=SILENCE_S)


@dataclass(frozen=True, slots=True)
class Asked:
    """What an agent is asked, in every trial."""

    prompt: str
    voice: str | None = None

    def body(self, **more: str) -> bytes:
        """Return the message."""
        return json.dumps({"prompt": self.prompt, **({"voice": self.voice} if self.voice else {}), **more}).encode()


# --- an answer, heard out


async def hear_answer(agent: AgentAddress, asked: Asked, mode: str, *, clock: Clock = time.perf_counter) -> AnswerHeard:
    """Have ``asked`` answered in a conversation of its own, and hear the answer out.

    The connection is open, and the conversation there, before the prompt is sent: what that takes isn't counted.

    Args:
        agent: Answers.
        asked: What.
        mode: How text and speech follow each other.
        clock: Seconds; called on another thread.

    Raises:
        SessionError: the agent can't be reached, or fails.
        SynthesisFailed: there was no sound.
    """
    listen = functools.partial(_hear_answer, agent, asked, mode, clock)
    return await anyio.to_thread.run_sync(listen, abandon_on_cancel=True)


def _hear_answer(agent: AgentAddress, asked: Asked, mode: str, clock: Clock) -> AnswerHeard:
    headers, path = agent.headers(), agent.invocations()
    listener, events = AnswerListener(), EventReader()
    with closing(agent.connection()) as connection, _told(agent.url):
        # What there is nothing of is cancelled, which wakes whatever a conversation needs, and leaves no trace in it.
        connection.request("POST", path, b'{"type": "cancel"}', headers)
        connection.getresponse().read()
        began = clock()
        connection.request("POST", path, asked.body(mode=mode), headers)
        answer = connection.getresponse()
        if answer.status != 200:
            raise _refused(agent, answer.status, answer.read())
        while not listener.ended and (block := answer.read1(BLOCK_BYTES)):
            at_s = clock() - began
            for event in events.push(block):
                listener.take(_decoded(event.data), at_s)
    return listener.end()


@contextmanager
def _told(url: str) -> Iterator[None]:
    """Make errors of ours of what a connection may meet."""
    try:
        yield
    except TimeoutError as error:
        raise SessionTimeout("answer", SILENCE_S) from error
    except http.client.HTTPException as error:
        raise SessionBroken("the answer broke off") from error
    except OSError as error:
        raise ConnectFailed(shown_url(url), error.strerror or type(error).__name__) from error


def _refused(agent: AgentAddress, status: int, body: bytes) -> RequestFailed | KeyRefused:
    if status == 401:
        return KeyRefused(shown_url(agent.url), shown=agent.api_key is not None)
    told = _decoded(body)
    return RequestFailed(
        str(told.get("error", f"status {status}")),
        str(told.get("message", "")),
        retryable=told.get("retryable") is True,
    )


# --- an answer, interrupted


@dataclass(frozen=True, slots=True)
class Interrupted:
    """One interruption; seconds count from the sending of the ``cancel``."""

    last_audio_s: float
    """Until the last byte of audio came; 0 where none did."""
    cancelled_s: float
    """Until the answer's last event came, which says that it is cancelled."""


async def interrupt_answer(
    agent: AgentAddress, asked: Asked, *, after_s: float, clock: Clock = time.perf_counter
) -> Interrupted | None:
    """Have ``asked`` answered over a socket, and interrupt the answer while it is heard.

    Args:
        agent: Answers.
        asked: What.
        after_s: Seconds after the first audio.
        clock: Seconds.

    Returns:
        What came of it; `None` where the answer had ended by itself.

    Raises:
        SessionError: the agent can't be reached, or fails.
    """
    try:
        socket = await connect(
            agent.socket_url(), additional_headers=agent.headers(), compression=None, max_size=None, ping_interval=None
        )
    except (OSError, TimeoutError, InvalidHandshake, InvalidURI, ValueError) as error:
        raise connect_error(agent.url, error, api_key=agent.api_key) from error
    try:
        return await _interrupt(socket, asked, after_s, clock)
    except ConnectionClosed as error:
        raise SessionBroken("the agent closed the socket") from error
    finally:
        with anyio.CancelScope(shield=True):
            await socket.close()


async def _interrupt(socket: ClientConnection, asked: Asked, after_s: float, clock: Clock) -> Interrupted | None:
    await socket.send(asked.body(mode="stream", transport="binary").decode())
    with _within(ANSWER_S, "audio"):
        while not isinstance(frame := await socket.recv(), bytes):
            if _kind(frame) == "agent_end":
                return None
    with anyio.move_on_after(after_s):
        while True:
            if _kind(await socket.recv()) == "agent_end":
                return None
    began, last_audio_s = clock(), 0.0
    await socket.send('{"type": "cancel"}')
    cancelled_s: float | None = None
    with _within(STOP_S, "end of what was cancelled"):
        while cancelled_s is None:
            kind, at_s = _kind(await socket.recv()), clock() - began
            if kind == "agent_end":
                return None
            if kind == "audio":
                last_audio_s = at_s
            elif kind == "cancelled":
                cancelled_s = at_s
    with anyio.move_on_after(STRAY_S):
        while True:
            if _kind(await socket.recv()) == "audio":
                last_audio_s = clock() - began
    return Interrupted(last_audio_s, cancelled_s)


@contextmanager
def _within(seconds: float, waiting_for: str) -> Iterator[None]:
    try:
        with anyio.fail_after(seconds):
            yield
    except TimeoutError as error:
        raise SessionTimeout(waiting_for, seconds) from error


def _kind(frame: str | bytes) -> str:
    """Return what a frame is: ``audio``, or the event's type.

    Raises:
        RequestFailed: it tells of an error.
    """
    if isinstance(frame, bytes):
        return "audio"
    event = _decoded(frame)
    if event.get("type") == "error":
        raise RequestFailed(str(event.get("code")), str(event.get("message")), retryable=event.get("retryable") is True)
    return str(event.get("type"))


def _decoded(text: str | bytes) -> dict[str, object]:
    """Return the JSON object in ``text``; an empty one where there is none."""
    try:
        found = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return {}
    return found if isinstance(found, dict) else {}
