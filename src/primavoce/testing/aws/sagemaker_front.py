"""A stand-in for SageMaker's front: streams in both directions over HTTP/2, to the WebSocket of a real server.

It does what the developer guide says of containers and what the service's model says of clients: one part is one frame
(of the type UTF8 a text frame, of BINARY or none a binary one), PARTIAL … COMPLETE is one message in fragments, a Close
of the container's is a ModelStreamError, and whatever isn't a WebSocket is a 424. It verifies the signatures of the
request, and of each event.

What nothing says of the service, it does in the way that is worst for a client, some of it only when it is told to: a
session that has lasted as long as it may, or whose container answers no Ping any more, ends like one that is finished;
credentials that expire end it too (``expiries``); its answer begins when the container speaks, or never (``answered``);
and a part may be no longer than it is told (``most_part_bytes``).
"""

import ssl
import tempfile
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import trustme

from primavoce.testing.aws.container import container_socket
from primavoce.testing.aws.faults import Fault, FaultPlan, Trouble
from primavoce.testing.aws.front_session import FrontSession, SeenSession
from primavoce.testing.aws.front_settings import ACCESS_KEY, SECRET_KEY, SERVICE, Answered, FrontSettings
from primavoce.testing.aws.http2_server import Http2Stream, http2_server
from primavoce.testing.aws.refusals import OF_SESSIONS, Refusal, refuse
from primavoce.testing.aws.signatures import EventChain, NotVerified

__all__ = ["ACCESS_KEY", "SECRET_KEY", "SERVICE", "Answered", "FrontSettings", "SageMakerFront", "sagemaker_front"]

SESSION_PATH = "/invocations-bidirectional-stream"


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
        self._verifier = settings.verifier()

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
                await refuse(stream, Refusal(403, error.code, {"Message": str(error)}))
                return
            if stream.headers[":path"].partition("?")[0] != self._path:
                await refuse(stream, OF_SESSIONS[Trouble.NO_ENDPOINT])
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
        async with container_socket(self._container_url(stream), self.settings.accept_s) as socket:
            if socket is None:
                await _fail(stream, Trouble.MODEL_ERROR)
                return
            await FrontSession(stream, socket, seen, chain, fault, self.settings).run()

    def _container_url(self, stream: Http2Stream) -> str:
        path = stream.headers.get("x-amzn-sagemaker-model-invocation-path", SESSION_PATH)
        query = stream.headers.get("x-amzn-sagemaker-model-query-string")
        return f"{self._model_url}/{path.lstrip('/')}" + (f"?{query}" if query else "")


async def _fail(stream: Http2Stream, trouble: Trouble) -> None:
    match trouble:
        case Trouble.RESET_BEFORE_HEADERS:
            await stream.reset()
        case Trouble.DROP_BEFORE_HEADERS:
            await stream.drop()
        case Trouble.STALL_BEFORE_HEADERS:
            await anyio.sleep_forever()
        case _:
            await refuse(stream, OF_SESSIONS[trouble])


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
