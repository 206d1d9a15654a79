"""The application in front of a deployed runtime: the agent's routes, and the address of its socket."""

import hashlib
import json
import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from primavoce.agent.app import HEALTHY, INVOCATIONS, PING, CheckedBodies
from primavoce.agent.identity import new_session_id, session_id_in
from primavoce.agent.runtime.relay import Relay, RelayedAnswer, in_thread, relayed_object
from primavoce.errors import InvalidRequest, UnknownRequest, UnknownType
from primavoce.protocol.agent import CancelAnswer, Prompt
from primavoce.protocol.agent_codec import POSTED, decode_agent_object
from primavoce.protocol.codec import Rejected
from primavoce.server.bodies import Bodies
from primavoce.server.boundary import ErrorBoundary, route_errors
from primavoce.server.gate import GatePolicy, gates
from primavoce.server.http import object_in
from primavoce.server.refusal import error_response
from primavoce.server.voicing import owner_of
from primavoce.settings import Settings

PRESIGNED = "/presigned"
SECRET = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff"}


@dataclass(slots=True, eq=False)
class RuntimeFront:
    """What answers in front of a deployed runtime."""

    relay: Relay
    wall_clock: Callable[[], float] = time.time

    async def invocation(self, request: Request) -> Response:
        """Relay a prompt or a cancel that the runtime would take; of why it refuses one, the service tells nothing."""
        body = await request.body()
        given = object_in(body)
        request_id: str | None = None
        try:
            asked = session_id_in(request.headers, request.query_params)
            found = decode_agent_object(given)
            if isinstance(found, Rejected):
                request_id = found.request_id
                raise found.error
            if not isinstance(found, Prompt | CancelAnswer):
                raise UnknownType(POSTED)
            request_id = found.request_id
            if isinstance(found, CancelAnswer) and asked is None:
                raise UnknownRequest
        except InvalidRequest as error:
            return error_response(error, request_id)
        asked_id = asked or new_session_id()
        session_id = session_id_of(asked_id, owner=owner_of(request.scope))
        if isinstance(found, CancelAnswer):
            return await relayed_object(self.relay, body, session_id, request_id)
        if request_id is None:  # without one, nobody could cancel this answer and no other
            request_id = uuid.uuid4().hex
            body = json.dumps({**given, "request_id": request_id}).encode()
        return RelayedAnswer(self.relay, body, session_id=session_id, asked_id=asked_id, request_id=request_id)

    async def presigned(self, request: Request) -> Response:
        """Answer with the address of a socket, which is a secret: whoever has it may open the session."""
        try:
            asked = session_id_in(request.headers, request.query_params)
        except InvalidRequest as error:
            return error_response(error)
        session_id = session_id_of(asked or new_session_id(), owner=owner_of(request.scope))
        url = await in_thread(self.relay, partial(self.relay.runtime.presigned, session_id))
        return url if isinstance(url, Response) else JSONResponse({"url": url}, headers=SECRET)

    async def ping(self, _: Request) -> Response:
        """Answer that this process lives; how the runtime is, the runtime's own is asked by the service."""
        return JSONResponse({"status": HEALTHY, "time_of_last_update": int(self.wall_clock())})


def session_id_of(asked_id: str, *, owner: str) -> str:
    """Return the runtime's session id for the one that was asked for.

    Args:
        asked_id: It.
        owner: Whose API key was shown: nobody comes into the conversation of another by its id.
    """
    return hashlib.sha256(f"{owner}\n{asked_id}".encode()).hexdigest() if owner else asked_id


def create_runtime_app(
    front: RuntimeFront, gate: GatePolicy, settings: Settings, *, more: Sequence[BaseRoute] = ()
) -> Starlette:
    """Return the application.

    Args:
        front: Answers.
        gate: Who is let in.
        settings: Limits.
        more: Other routes: the page's.
    """
    bodies = Bodies(settings.max_message_bytes, settings.receive_timeout_s)
    return Starlette(
        routes=[
            Route(INVOCATIONS, front.invocation, methods=["POST"]),
            Route(PRESIGNED, front.presigned),
            Route(PING, front.ping),
            *more,
        ],
        middleware=[
            *gates(gate),
            Middleware(ErrorBoundary, told=gate.told),
            Middleware(CheckedBodies, bodies=bodies),
        ],
        exception_handlers=route_errors(gate.told),
    )
