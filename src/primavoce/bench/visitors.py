"""Those who visit a server in a soak: some talk, some interrupt, some leave without a word, some talk nonsense."""

import json
import random
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field

import anyio
import anyio.to_thread
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from primavoce.bench.texts import Texts
from primavoce.bench.writing import answers, write
from primavoce.client import SpeechSession
from primavoce.client.session import session_url
from primavoce.errors import RequestFailed, SessionError
from primavoce.protocol.client import Audio

NONSENSE: tuple[str | bytes, ...] = (
    "",
    "no JSON",
    "[1]",
    "{}",
    b"\xff\xfe",
    '{"type":"sing"}',
    '{"text":7}',
    '{"text":"Hello.","voice":"nobody"}',
    '{"text":"Hello.","speed":9}',
    '{"type":"end"}',
    '{"type":"cancel","request_id":"nothing"}',
)
LEFT_AFTER_FRAMES = 2
WAIT_S = 60.0
"""Longest wait for an answer."""


@dataclass(slots=True)
class Visits:
    """What came of all visits."""

    sessions: int = 0
    utterances: int = 0
    """Those that were spoken whole."""
    cancelled: int = 0
    left: int = 0
    """Connections that were cut while audio came."""
    requests: int = 0
    """Whole texts over HTTP."""
    nonsense: int = 0
    """Messages and bodies that make no sense."""
    errors: Counter[str] = field(default_factory=Counter)
    """Codes of errors that weren't asked for by nonsense."""


type Visitor = Callable[[str, Texts, random.Random, Visits], Awaitable[None]]


async def talk(address: str, texts: Texts, chance: random.Random, visits: Visits) -> None:
    """Hear a few answers out, each written as an agent writes."""
    async with SpeechSession(address) as session:
        visits.sessions += 1
        for text in _some(texts, chance):
            async with session.utterance(write(text, _untold, language="en-us")) as utterance:
                async for _ in utterance:
                    pass
            visits.utterances += 1


async def interrupt(address: str, texts: Texts, chance: random.Random, visits: Visits) -> None:
    """Barge in on a few answers after their first audio."""
    async with SpeechSession(address) as session:
        visits.sessions += 1
        for text in _some(texts, chance):
            async with session.utterance(text) as utterance:
                async for event in utterance:
                    if isinstance(event, Audio):
                        break
                await utterance.cancel(played_s=0.2)
            visits.cancelled += 1


async def leave(address: str, texts: Texts, chance: random.Random, visits: Visits) -> None:
    """Cut the connection in mid-sentence."""
    async with connect(session_url(address), compression=None) as socket:
        visits.sessions += 1
        await socket.send(json.dumps({"text": next(answers(texts, seed=chance.randrange(1000)))}))
        frames = 0
        with anyio.fail_after(WAIT_S):
            async for frame in socket:
                frames += isinstance(frame, bytes)
                if frames == LEFT_AFTER_FRAMES or (isinstance(frame, str) and "error" in frame):
                    break
        socket.transport.abort()
        visits.left += 1


async def confuse(address: str, texts: Texts, chance: random.Random, visits: Visits) -> None:
    """Send nonsense, then something sound on the same connection."""
    del texts  # none of it makes sense
    async with connect(session_url(address), compression=None) as socket:
        visits.sessions += 1
        for frame in chance.choices(NONSENSE, k=20):
            await socket.send(frame)
            visits.nonsense += 1
        await socket.send(json.dumps({"type": "close"}))
        with anyio.fail_after(WAIT_S):
            async for said in socket:
                if isinstance(said, str) and "session_complete" in said:
                    break
    for _ in range(5):
        await _post(address, chance.choice((b"{", b"[]", b'{"text":""}', b'{"text":"Hi.","format":"mp4"}')))
        visits.nonsense += 1


async def ask(address: str, texts: Texts, chance: random.Random, visits: Visits) -> None:
    """Have a whole text spoken over HTTP."""
    body = {"text": chance.choice(texts.isolated), "stream": chance.random() < 0.5}
    code = await _post(address, json.dumps(body).encode())
    visits.requests += code is None
    if code is not None:
        visits.errors[code] += 1


VISITORS: tuple[Visitor, ...] = (talk, interrupt, leave, confuse, ask)
"""In turn, so that all are there."""


async def visit(
    visitor: Visitor,
    address: str,
    texts: Texts,
    visits: Visits,
    *,
    seed: int,
    until_s: float,
    clock: Callable[[], float],
) -> None:
    """Have ``visitor`` come again and again; nobody comes after ``until_s``.

    Args:
        visitor: What is done each time.
        address: The server's ``http://`` address.
        texts: What is spoken.
        visits: Told what comes of it.
        seed: Of what is said.
        until_s: On ``clock``.
        clock: Seconds.
    """
    chance = random.Random(seed)  # noqa: S311 - a choice of texts, not a secret
    while clock() < until_s:
        try:
            await visitor(address, texts, chance, visits)
        except RequestFailed as error:
            visits.errors[error.code] += 1
            await anyio.sleep(1.0)  # as a client would that is told to try again
        except (SessionError, ConnectionClosed, WebSocketException, OSError, TimeoutError) as error:
            visits.errors[type(error).__name__] += 1
            await anyio.sleep(1.0)


def _some(texts: Texts, chance: random.Random) -> Iterator[str]:
    written = answers(texts, seed=chance.randrange(1000))
    for _ in range(chance.randint(1, 3)):
        yield next(written)


def _untold(_: int, __: float) -> None:
    """Nobody asks when a sentence was certain."""


async def _post(address: str, body: bytes) -> str | None:
    """Send a body to ``/invocations`` and read the answer; return the error's code, if it is one."""

    def send() -> str | None:
        request = urllib.request.Request(f"{address}/invocations", body)  # noqa: S310 - our own server
        try:
            with urllib.request.urlopen(request, timeout=WAIT_S) as answer:  # noqa: S310
                while answer.read(65536):
                    pass
        except urllib.error.HTTPError as error:
            return str(json.loads(error.read()).get("error"))
        return None

    return await anyio.to_thread.run_sync(send)
