"""What the dialects' whole requests have in common, before an engine that isn't there."""

import json
from typing import Any

import pytest
from starlette.requests import ClientDisconnect, Request
from starlette.types import Message, Receive, Scope, Send

from primavoce.errors import TextRequired
from primavoce.server.bodies import Bodies
from primavoce.server.dialects.invoking import InvokingRoute, Translated, given_first
from primavoce.server.observation import Observer

pytestmark = pytest.mark.anyio

SCOPE = {"type": "http", "method": "POST", "path": "/v1/audio/speech", "headers": [], "query_string": b""}


class Invocations:
    """Answers every request by the text in it, and remembers what comes after it."""

    def __init__(self) -> None:
        self.asked: list[Any] = []
        self.then: list[Message] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.asked.append(json.loads(await Request(scope, receive).body()))
        self.then.append(await receive())
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"spoken"})


async def answer(body: bytes, invocations: Invocations, *, leaves: bool = False) -> list[Message]:
    """Return what is sent in answer to ``body``."""
    coming: list[Message] = [{"type": "http.request", "body": body, "more_body": leaves}]
    sent: list[Message] = []

    async def receive() -> Message:
        return coming.pop(0) if coming else {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    def translate(_: Request, found: Any, request_id: str) -> Translated:
        if "say" not in found:
            raise TextRequired
        return Translated({"text": found["say"], "request_id": request_id})

    bodies = Bodies(1024, 10.0)
    route = InvokingRoute(
        invocations, bodies, Observer(), translate=translate, make_id=lambda: "id-1", id_header="x-their-id"
    )
    await route(SCOPE, receive, send)
    return sent


async def test_a_request_is_asked_in_our_words_and_its_client_can_still_leave() -> None:
    invocations = Invocations()

    start, body = await answer(b'{"say": "Hello."}', invocations)

    assert invocations.asked == [{"text": "Hello.", "request_id": "id-1"}]
    assert invocations.then == [{"type": "http.disconnect"}]
    assert start["headers"] == [(b"x-their-id", b"id-1")]
    assert body["body"] == b"spoken"


@pytest.mark.parametrize("body", [b"{", b"{}"])
async def test_what_cannot_be_said_in_our_words_is_refused_with_its_id_and_nobody_is_asked(body: bytes) -> None:
    invocations = Invocations()

    start, _ = await answer(body, invocations)

    assert start["status"] == 400
    assert (b"x-their-id", b"id-1") in start["headers"]
    assert invocations.asked == []


async def test_a_client_that_leaves_before_it_has_asked_is_not_answered() -> None:
    assert await answer(b'{"say"', Invocations(), leaves=True) == []


async def test_what_is_given_first_is_followed_by_what_comes() -> None:
    async def receive() -> Message:
        raise ClientDisconnect

    received = given_first(b"body", receive)

    assert (await received())["body"] == b"body"
    with pytest.raises(ClientDisconnect):
        await received()
