"""What is answered where no route does: nothing there, another method, and bugs of ours."""

import json
from collections.abc import Callable

import pytest

from primavoce.errors import Draining, TextRequired
from primavoce.server.http import InvocationRoute
from tests.server.test_http import ask
from tests.server.test_limits import LAST_PIECE, connect_to, read_all, request
from tests.server.test_metrics import of, scraped

pytestmark = pytest.mark.anyio

INTERNAL = {
    "error": "internal",
    "message": "something went wrong on this side",
    "request_id": None,
    "retryable": False,
}


def failing(error: Exception) -> Callable[..., object]:
    def fail(*_: object, **__: object) -> object:
        raise error

    return fail


@pytest.mark.parametrize(
    "bug", [ZeroDivisionError("secret"), ExceptionGroup("secret", [Draining(), TextRequired()])], ids=["one", "group"]
)
async def test_a_bug_of_ours_is_told_as_internal_and_counted(
    serving, monkeypatch: pytest.MonkeyPatch, bug: Exception
) -> None:
    monkeypatch.setattr(InvocationRoute, "_options", failing(bug))
    async with serving(max_sessions=3) as server:
        status, headers, body = await ask(server.address, {"text": "Hello.", "request_id": "r"})
        found = await scraped(server.address)
        assert len(server.lobby) == 0

    assert (status, headers["content-type"]) == (500, "application/json")
    assert json.loads(body) == INTERNAL
    assert found[of("primavoce_errors_total", code="internal")] == 1
    assert found[of("primavoce_http_requests_total", route="/invocations", status="500")] == 1


async def test_a_bug_in_the_middle_of_an_answer_breaks_it_off(serving, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("primavoce.server.watch.Watch.sent", failing(ZeroDivisionError()))
    async with serving(max_sessions=3) as server, await connect_to(server.address) as stream:
        await stream.send(request({"text": "Hello."}))
        told = await read_all(stream)
        found = await scraped(server.address)

    assert told.startswith(b"HTTP/1.1 200 ")
    assert told.count(b"HTTP/1.1 ") == 1
    assert not told.endswith(LAST_PIECE)
    assert found[of("primavoce_errors_total", code="internal")] == 0


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
async def test_a_path_that_there_is_not_is_told_as_an_error(serving, method: str) -> None:
    async with serving(max_sessions=3) as server:
        status, headers, body = await ask(server.address, path="/nowhere", method=method)
        found = await scraped(server.address)

    told = json.loads(body)
    assert (status, headers["content-type"], told["error"]) == (404, "application/json", "unknown_route")
    assert set(told) == {"error", "message", "request_id", "retryable"}
    assert found[of("primavoce_errors_total", code="unknown_route")] == 1


@pytest.mark.parametrize(
    ("path", "method", "allowed"),
    [
        ("/invocations", "GET", {"POST"}),
        ("/ping", "DELETE", {"GET", "HEAD", "POST"}),
        ("/metrics", "POST", {"GET", "HEAD"}),
    ],
)
async def test_a_method_that_a_path_does_not_take_is_told_with_those_it_does(
    serving, path: str, method: str, allowed: set[str]
) -> None:
    async with serving() as server:
        status, headers, body = await ask(server.address, path=path, method=method)

    told = json.loads(body)
    assert (status, headers["content-type"], told["error"]) == (405, "application/json", "method_not_allowed")
    assert set(headers["allow"].split(", ")) == allowed
    assert all(each in told["message"] for each in allowed)
