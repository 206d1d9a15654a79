"""The session over which a server is checked: requests out, what comes for each of them in."""

import json
import ssl
from dataclasses import dataclass, field

import anyio
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI

from primavoce.client.closing import close_within
from primavoce.client.handshake import connect_error, credentials, shown_url
from primavoce.client.websocket import MAX_FRAME_BYTES, session_url
from primavoce.protocol.client import Audio, ClientEvent, ClientSession
from primavoce.protocol.codec import encode
from primavoce.protocol.messages import (
    AnyClientMessage,
    Cancelled,
    Close,
    End,
    Error,
    Flush,
    Ping,
    SynthesisComplete,
    SynthesisStart,
    Text,
)

NEAR_S = 0.01
"""Between what is announced and what comes, for figures are rounded."""
SAMPLE_WIDTH = 2
STILL_HERE = "Still here."
LEAVE_S = 2.0
"""Seconds that a server has to take part in the closing of the socket."""


Ending = SynthesisComplete | Cancelled | Error


class CheckFailed(Exception):
    """A check did not pass; its text says what came instead."""


@dataclass(slots=True)
class Spoken:
    """What has arrived for one request."""

    start: SynthesisStart | None = None
    pcm: bytearray = field(default_factory=bytearray)
    ending: Ending | None = None

    @property
    def audio_s(self) -> float:
        """Seconds of audio that came; 0 before it was said how it comes."""
        return 0.0 if self.start is None else len(self.pcm) / SAMPLE_WIDTH / self.start.sample_rate

    def take(self, pcm: bytes) -> None:
        """Take what came.

        Raises:
            CheckFailed: it is cut in the middle of a sample: whoever plays it frame by frame hears noise.
        """
        if len(pcm) % SAMPLE_WIDTH:
            raise CheckFailed(f"{len(pcm)} bytes of audio came, which is half a sample more than whole ones")
        self.pcm += pcm


class Conversation:
    """One session with a server that may do anything.

    Args:
        url: The server's address, as `primavoce.client.SpeechSession` takes it.
        voice: The voice to ask for; the server's default unless given.
        timeout_s: The longest wait for any one message.
        api_key: Shown to a server that asks for one.
        ssl_context: For ``wss``; the system's certificates unless given.
    """

    def __init__(
        self, url: str, *, voice: str | None, timeout_s: float, api_key: str | None, ssl_context: ssl.SSLContext | None
    ) -> None:
        self.url = session_url(url)
        self.timeout_s = timeout_s
        self.ssl_context = ssl_context
        self.headers = credentials(api_key)
        self._voice = voice
        self._api_key = api_key
        self._protocol = ClientSession()
        self._socket: ClientConnection | None = None
        self._requests = 0

    # --- the connection

    async def connect(self) -> str:
        """Open the session, and return its address as it may be shown."""
        try:
            self._socket = await connect(
                self.url,
                compression=None,
                max_size=MAX_FRAME_BYTES,
                open_timeout=10,
                close_timeout=LEAVE_S,
                additional_headers=self.headers,
                ssl=self.ssl_context,
            )
        except (OSError, TimeoutError, InvalidHandshake, InvalidURI, ValueError) as error:
            raise CheckFailed(str(connect_error(self.url, error, api_key=self._api_key))) from error
        return shown_url(self.url)

    async def disconnect(self) -> None:
        """Close the socket, whatever the server does, within `LEAVE_S` seconds."""
        if self._socket is None:
            return
        with anyio.CancelScope(shield=True):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(_discard, self._socket)
                await close_within(self._socket, LEAVE_S)

    # --- out

    async def request(self, text: str, *, binary: bool = False) -> str:
        """Ask for ``text`` to be spoken, whole, and return the request's id."""
        request_id = self._new_id()
        # Without a type, as the published sample's clients write it.
        body = {"text": text, "request_id": request_id, **({"voice": self._voice} if self._voice else {})}
        await self.send(json.dumps(body), binary=binary)
        return request_id

    async def begin(self, delta: str) -> str:
        """Send the first ``delta`` of an utterance, and return its id."""
        request_id = self._new_id()
        await self.send(Text(text=delta, request_id=request_id, voice=self._voice))
        return request_id

    async def add(self, delta: str, request_id: str) -> None:
        """Send one more ``delta``."""
        await self.send(Text(text=delta, request_id=request_id))

    async def flush(self, request_id: str) -> None:
        """Have what was sent spoken now."""
        await self.send(Flush(request_id))

    async def hold_the_turn(self, text: str) -> tuple[str, Spoken]:
        """Begin an utterance with ``text`` and have it spoken; its turn lasts until `end`, or a cancel."""
        spoken = Spoken()
        request_id = await self.begin(text)
        await self.flush(request_id)
        await self.audio(spoken, request_id, waiting_for="audio after a flush")
        return request_id, spoken

    async def end(self, request_id: str) -> None:
        """Say that the text of an utterance is complete."""
        await self.send(End(request_id))

    async def ping(self) -> None:
        """Ask for a sign of life."""
        await self.send(Ping())

    async def close(self) -> None:
        """Ask for the end of the session."""
        await self.send(Close())

    async def send(self, message: AnyClientMessage | str, *, binary: bool = False) -> None:
        """Send a message, or a text that is none."""
        assert self._socket is not None
        frame = message if isinstance(message, str) else encode(message)
        try:
            with anyio.fail_after(self.timeout_s):
                await self._socket.send(frame.encode() if binary else frame)
        except TimeoutError:
            raise CheckFailed(f"no message was taken within {self.timeout_s:g} s") from None

    # --- in

    async def next(self, waiting_for: str) -> ClientEvent:
        """Return what comes next; ``waiting_for`` is told if nothing does."""
        assert self._socket is not None
        try:
            with anyio.fail_after(self.timeout_s):
                return self._protocol.receive(await self._socket.recv())
        except TimeoutError:
            raise CheckFailed(f"no {waiting_for} within {self.timeout_s:g} s") from None

    async def audio(self, spoken: Spoken, request_id: str, *, least_s: float = 0.0, waiting_for: str = "audio") -> None:
        """Read until there is audio of ``request_id``, and ``least_s`` seconds of it at least."""
        while not spoken.pcm or spoken.audio_s < least_s:
            await self._take(spoken, request_id, waiting_for)
            if spoken.ending is not None:
                raise CheckFailed(f"{describe(spoken.ending)} came instead of {waiting_for}")

    async def ending(self, spoken: Spoken, request_id: str, *, waiting_for: str) -> Ending:
        """Read until ``request_id`` has ended, and return how."""
        while spoken.ending is None:
            await self._take(spoken, request_id, waiting_for)
        return spoken.ending

    async def completion(self, spoken: Spoken, request_id: str) -> SynthesisComplete:
        """Read until ``request_id`` is spoken, whole."""
        ending = await self.ending(spoken, request_id, waiting_for="synthesis_complete")
        if not isinstance(ending, SynthesisComplete):
            raise CheckFailed(f"{describe(ending)} came instead of synthesis_complete")
        return ending

    async def spoken(self, request_id: str, spoken: Spoken | None = None) -> Spoken:
        """Read until ``request_id`` is spoken, whole; there is audio, and as much as was announced."""
        spoken = spoken or Spoken()
        complete = await self.completion(spoken, request_id)
        if not spoken.pcm:
            raise CheckFailed(f"{request_id} got no audio")
        if abs(spoken.audio_s - complete.total_duration_s) > NEAR_S:
            raise CheckFailed(f"{spoken.audio_s:.2f} s of audio, but {complete.total_duration_s:.2f} s announced")
        return spoken

    async def still_speaks(self) -> None:
        """See that the session goes on."""
        await self.spoken(await self.request(STILL_HERE))

    async def _take(self, spoken: Spoken, request_id: str, waiting_for: str) -> None:
        event = await self.next(waiting_for)
        if getattr(event, "request_id", None) not in (None, request_id):
            raise CheckFailed(f"{describe(event)} came while {request_id} was due")
        match event:
            case SynthesisStart():
                spoken.start = event
            case Audio():
                spoken.take(event.pcm)
            case SynthesisComplete() | Cancelled() | Error():
                spoken.ending = event
            case _:
                raise CheckFailed(f"{describe(event)} came instead of {waiting_for}")

    def _new_id(self) -> str:
        self._requests += 1
        return f"verify-{self._requests}"


async def _discard(socket: ClientConnection) -> None:
    """Read what nobody wants any more: the server's goodbye is behind it."""
    try:
        async for _ in socket:
            pass
    except ConnectionClosed:
        pass


def describe(event: ClientEvent) -> str:
    """Return what came, in the protocol's words."""
    match event:
        case Audio():
            return f"audio of {event.request_id}"
        case Error():
            return f"error {event.code}"
        case SynthesisStart() | SynthesisComplete() | Cancelled():
            return f"{event.__struct_config__.tag} of {event.request_id}"
        case _:
            return str(event.__struct_config__.tag)
