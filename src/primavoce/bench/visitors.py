"""Those who visit a server in a soak: some talk, some interrupt, some leave without a word, some talk nonsense."""

import json
import random
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from http.client import HTTPException, IncompleteRead

import anyio
import anyio.to_thread
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from primavoce.bench.texts import Texts
from primavoce.bench.writing import Clock, Sleep, answers, write
from primavoce.client import SpeechSession
from primavoce.client.websocket import session_url
from primavoce.errors import ProtocolViolation, RequestFailed, SessionError
from primavoce.protocol.client import Audio, ClientSession
from primavoce.protocol.messages import Error, SynthesisComplete

NONSENSE: dict[str | bytes, str] = {
    "": "empty_frame",
    "no JSON": "invalid_json",
    "[1]": "invalid_message",
    "{}": "invalid_field",
    b"\xff\xfe": "invalid_utf8",
    '{"type":"sing"}': "unknown_type",
    '{"text":7}': "invalid_field",
    '{"text":"Hello.","voice":"nobody"}': "unknown_voice",
    '{"text":"Hello.","speed":9}': "invalid_speed",
    '{"type":"end"}': "unknown_request",
    '{"type":"cancel","request_id":"nothing"}': "unknown_request",
}
"""Frames, and the code of the error that each is answered with."""
NONSENSE_OVER_HTTP: dict[bytes, str] = {
    b"{": "invalid_json",
    b"[]": "invalid_message",
    b'{"text":""}': "text_required",
    b'{"text":"Hi.","format":"mp4"}': "unsupported_format",
}
"""Bodies, and the code of the error that each is answered with."""
NONSENSE_FRAMES, NONSENSE_BODIES = 20, 5
"""Of a visit."""
LEFT_AFTER_FRAMES = 2
WAIT_S = 60.0
"""Longest wait for an answer."""
PAUSE_S = 1.0
"""Between a failure and the next visit, as a client would wait that is told to try again."""
FAILURES = (SessionError, WebSocketException, HTTPException, OSError)
"""What a visitor may meet, whatever the server does: it is counted, and the visits go on."""


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
    """Codes of errors that nonsense doesn't account for, ``no`` and the code where nonsense got no such error, and the
    names of what else was met: a connection that is closed, an answer that breaks off."""


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
                async for _ in utterance:
                    pass
            visits.cancelled += utterance.cancelled is not None
            visits.utterances += utterance.completed is not None  # over before the cancel came


async def leave(address: str, texts: Texts, chance: random.Random, visits: Visits) -> None:
    """Cut the connection in mid-sentence."""
    async with connect(session_url(address), compression=None) as socket:
        visits.sessions += 1
        await socket.send(json.dumps({"text": next(answers(texts, seed=chance.randrange(1000)))}))
        session, frames = ClientSession(), 0
        with anyio.fail_after(WAIT_S):
            while frames < LEFT_AFTER_FRAMES:
                match session.receive(await socket.recv()):
                    case Audio():
                        frames += 1
                    case Error() as error:
                        raise _failed(error)
                    case SynthesisComplete():
                        raise ProtocolViolation("an answer of several sentences came in a frame or two")
                    case _:
                        pass
        socket.transport.abort()
        visits.left += 1


async def confuse(address: str, texts: Texts, chance: random.Random, visits: Visits) -> None:
    """Send nonsense, then something sound on the same connection; then nonsense over HTTP."""
    expected: Counter[str] = Counter()
    async with connect(session_url(address), compression=None) as socket:
        visits.sessions += 1
        for frame in chance.choices(tuple(NONSENSE), k=NONSENSE_FRAMES):
            await socket.send(frame)
            expected[NONSENSE[frame]] += 1
            visits.nonsense += 1
        await socket.send(json.dumps({"text": chance.choice(texts.isolated)}))
        await socket.send(json.dumps({"type": "close"}))
        _compare(await _codes_to_the_end(socket, visits), expected, visits)
    for body in chance.choices(tuple(NONSENSE_OVER_HTTP), k=NONSENSE_BODIES):
        code = await _post(address, body)
        visits.nonsense += 1
        _compare(Counter([] if code is None else [code]), Counter([NONSENSE_OVER_HTTP[body]]), visits)


async def _codes_to_the_end(socket: ClientConnection, visits: Visits) -> Counter[str]:
    """Return the codes of all errors until the session is complete; what is spoken meanwhile counts."""
    session, codes = ClientSession(), Counter[str]()
    with anyio.fail_after(WAIT_S):
        while not session.complete:
            match session.receive(await socket.recv()):
                case Error(fatal=True) as error:
                    raise _failed(error)
                case Error(code=code):
                    codes[code] += 1
                case SynthesisComplete():
                    visits.utterances += 1
                case _:
                    pass
    return codes


def _compare(told: Counter[str], expected: Counter[str], visits: Visits) -> None:
    """Record what nonsense was answered with and shouldn't have been, and the other way round."""
    visits.errors.update(told - expected)
    visits.errors.update({f"no {code}": count for code, count in (expected - told).items()})


async def ask(address: str, texts: Texts, chance: random.Random, visits: Visits) -> None:
    """Have a whole text spoken over HTTP."""
    body = {"text": chance.choice(texts.isolated), "stream": chance.random() < 0.5}
    code = await _post(address, json.dumps(body).encode())
    if code is not None:
        raise RequestFailed(code, "over HTTP", retryable=False)
    visits.requests += 1


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
    clock: Clock,
    sleep: Sleep = anyio.sleep,
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
        sleep: Waits for a number of seconds.
    """
    chance = random.Random(seed)  # noqa: S311 - a choice of texts, not a secret
    while clock() < until_s:
        try:
            await visitor(address, texts, chance, visits)
        except* FAILURES as met:
            visits.errors.update(_names(met))
            await sleep(PAUSE_S)


def _names(error: Exception) -> Iterator[str]:
    """Yield what ``error`` counts as; of several that were met at once, each."""
    if isinstance(error, ExceptionGroup):
        for each in error.exceptions:
            yield from _names(each)
    else:
        yield error.code if isinstance(error, RequestFailed) else type(error).__name__


def _failed(error: Error) -> RequestFailed:
    return RequestFailed(error.code, error.message, retryable=error.retryable, request_id=error.request_id)


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
                if answer.length:  # which http.client only notices in a body that comes in pieces of its own
                    raise IncompleteRead(b"", answer.length)
        except urllib.error.HTTPError as error:
            with error:
                return _code(error.read()) or f"status {error.code}"
        return None

    # The limiter that all threads share lets 40 in: the next visitor, and whoever looks at the server, would wait.
    return await anyio.to_thread.run_sync(send, limiter=anyio.CapacityLimiter(1))


def _code(body: bytes) -> str | None:
    """Return the code of an error's body, if it is one of ours."""
    try:
        return str(json.loads(body)["error"])
    except (ValueError, TypeError, KeyError):
        return None
