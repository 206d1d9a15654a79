"""A stand-in for SageMaker's front: streams in both directions over HTTP/2, to the WebSocket of a real server.

It does what the developer guide says of containers and what the service's model says of clients: one part is one frame
(of the type UTF8 a text frame, of BINARY or none a binary one), PARTIAL … COMPLETE is one message in fragments, a Close
of the container's is a ModelStreamError, and whatever isn't a WebSocket is a 424. It verifies the signatures of the
request, and of each event.

What the guide doesn't say, it does in the way that is worst for a client: a session that has lasted as long as it may
ends like one that is finished.
"""

import json
import ssl
import tempfile
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import anyio
import trustme

from primavoce.testing.aws.event_stream import MEDIA_TYPE
from primavoce.testing.aws.faults import Fault, FaultPlan, Trouble
from primavoce.testing.aws.front_session import FrontSession, SeenSession
from primavoce.testing.aws.http2_server import Http2Stream, http2_server
from primavoce.testing.aws.signatures import EventChain, NotVerified, Verifier

ACCESS_KEY, SECRET_KEY = "AKIDOFTHEFRONT", "secretofthefront"
"""Credentials that a front takes, unless it is told others."""
SERVICE = "sagemaker"
SESSION_PATH = "/invocations-bidirectional-stream"
REFUSALS: Mapping[Trouble, tuple[int, str, Mapping[str, object]]] = {
    Trouble.ACCESS_DENIED: (403, "AccessDeniedException", {"Message": "User is not authorized to perform this"}),
    Trouble.THROTTLING: (400, "ThrottlingException", {"Message": "Rate exceeded"}),
    Trouble.NO_ENDPOINT: (400, "ValidationError", {"message": "Endpoint speech of account 000000000000 not found."}),
    Trouble.UNAVAILABLE: (503, "ServiceUnavailableError", {"Message": "The service is unavailable"}),
}
"""What is answered instead of a stream: status, kind and fields."""


@dataclass(frozen=True, slots=True)
class FrontSettings:
    """How a front behaves when nothing goes wrong."""

    endpoint: str = "speech"
    """The one endpoint that there is."""
    region: str = "us-east-1"
    secrets: Mapping[str, str] = field(default_factory=lambda: {ACCESS_KEY: SECRET_KEY})
    """Secret key by access key id, of who is let in."""
    tokens: Mapping[str, str] = field(default_factory=dict)
    """Token by access key id, of those whose keys are temporary."""
    session_s: float = 1800.0
    """Seconds after which a session is ended."""
    ping_s: float = 60.0
    """Between WebSocket Pings to the container."""
    most_streams: int = 100
    """At a time, on one connection."""


class SageMakerFront:
    """A front that runs; it is to be had from `sagemaker_front`."""

    def __init__(self, model_url: str, settings: FrontSettings, faults: FaultPlan, ca_file: Path) -> None:
        self.settings = settings
        self.faults = faults
        """What goes wrong with the sessions to come."""
        self.ca_file = ca_file
        """Of whoever signed its certificate, as PEM."""
        self.url = ""
        """``https://`` address."""
        self.wrong_url = ""
        """The same by a port where whoever comes is let in and never answered, as by 443."""
        self.sessions: list[SeenSession] = []
        """What was seen of each, in order."""
        self._model_url = model_url
        self._verifier = Verifier(settings.secrets, service=SERVICE, region=settings.region, tokens=settings.tokens)

    @property
    def open_sessions(self) -> int:
        """Those that are under way."""
        return sum(not seen.over.is_set() for seen in self.sessions)

    async def serve(self, stream: Http2Stream) -> None:
        """Answer one request."""
        seen = SeenSession(dict(stream.headers))
        self.sessions.append(seen)
        fault = self.faults.next()
        try:
            if fault is not None and fault.trouble.at_once:
                await _fail(stream, fault.trouble)
                return
            try:
                chain = self._verified(stream)
            except NotVerified as error:
                seen.problems.append(str(error))
                await _refuse(stream, 403, error.code, {"Message": str(error)})
                return
            if stream.headers[":path"].partition("?")[0] != self._path:
                await _refuse(stream, *REFUSALS[Trouble.NO_ENDPOINT])
                return
            await self._session(stream, seen, chain, fault)
        finally:
            seen.over.set()

    async def serve_nobody(self, stream: Http2Stream) -> None:
        """Take a request, and never answer."""
        seen = SeenSession(dict(stream.headers))
        self.sessions.append(seen)
        try:
            await anyio.sleep_forever()
        finally:
            seen.over.set()

    @property
    def _path(self) -> str:
        return f"/endpoints/{self.settings.endpoint}/invocations-bidirectional-stream"

    def _verified(self, stream: Http2Stream) -> EventChain:
        headers = {"host": stream.headers.get(":authority", ""), **stream.headers}
        return self._verifier.verify("POST", headers[":path"].rstrip("?"), headers, None)

    async def _session(self, stream: Http2Stream, seen: SeenSession, chain: EventChain, fault: Fault | None) -> None:
        session = FrontSession(stream, seen, chain, fault, self.settings.session_s)
        async with session.container(self._container_url(stream), self.settings.ping_s) as taken:
            if not taken:
                await _fail(stream, Trouble.MODEL_ERROR)
                return
            await stream.answer(200, {"content-type": MEDIA_TYPE, "x-amzn-invoked-production-variant": "AllTraffic"})
            await session.run()

    def _container_url(self, stream: Http2Stream) -> str:
        path = stream.headers.get("x-amzn-sagemaker-model-invocation-path", SESSION_PATH)
        query = stream.headers.get("x-amzn-sagemaker-model-query-string")
        return f"{self._model_url}/{path.lstrip('/')}" + (f"?{query}" if query else "")


async def _fail(stream: Http2Stream, trouble: Trouble) -> None:
    match trouble:
        case Trouble.MODEL_ERROR:
            told = {"Message": "Failed to establish WebSocket connection", "OriginalStatusCode": 424}
            await _refuse(stream, 424, "ModelError", told)
        case Trouble.RESET_BEFORE_HEADERS:
            await stream.reset()
        case Trouble.DROP_BEFORE_HEADERS:
            await stream.drop()
        case Trouble.STALL_BEFORE_HEADERS:
            await anyio.sleep_forever()
        case _:
            await _refuse(stream, *REFUSALS[trouble])


async def _refuse(stream: Http2Stream, status: int, kind: str, told: Mapping[str, object]) -> None:
    headers = {"content-type": "application/json", "x-amzn-errortype": kind, "x-amzn-requestid": "of-the-front"}
    await stream.answer(status, headers, json.dumps(told).encode(), last=True)


@asynccontextmanager
async def sagemaker_front(
    model_url: str, settings: FrontSettings | None = None, *, faults: Iterable[Fault | Trouble | None] = ()
) -> AsyncIterator[SageMakerFront]:
    """Run a front on free loopback ports while the block runs.

    Args:
        model_url: ``ws://`` or ``http://`` address of the server that stands for the container.
        settings: How it behaves.
        faults: What goes wrong with its sessions, one after another.
    """
    settings = settings or FrontSettings()
    authority = trustme.CA()
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert("localhost", "127.0.0.1").configure_cert(context)
    with tempfile.TemporaryDirectory() as folder:
        ca_file = Path(folder) / "ca.pem"
        authority.cert_pem.write_to_path(str(ca_file))
        front = SageMakerFront(model_url.rstrip("/").replace("http", "ws", 1), settings, FaultPlan(faults), ca_file)
        async with (
            http2_server(front.serve, context, most_streams=settings.most_streams) as port,
            http2_server(front.serve_nobody, context) as wrong_port,
        ):
            front.url, front.wrong_url = f"https://localhost:{port}", f"https://localhost:{wrong_port}"
            yield front
