"""The document of the HTTP routes, and whether the server keeps to it whatever it is asked."""

import json
from pathlib import Path
from typing import Any

import anyio.to_thread
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.checks import load_all_checks
from schemathesis.specs.openapi.checks import positive_data_acceptance
from starlette.routing import Route

from primavoce.access import parse_keys
from primavoce.assets.locations import AssetLocations
from primavoce.errors import AgentError, Overloaded
from primavoce.server.app import create_app
from primavoce.server.lobby import Lobby
from primavoce.server.openapi import NO_ROUTE, OPENAPI_PATH, SESSION_ONLY, codes_by_status, document
from primavoce.server.state import ServerState
from primavoce.settings import Settings
from primavoce.testing.fake_engine import fake_engine
from tests.server.test_http import BAD_BODIES, ask
from tests.server.test_refusal import listed

load_all_checks()

POSITIVE, NEGATIVE = schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE
CASES = [
    ("GET", "/ping", POSITIVE, 3),
    ("POST", "/ping", POSITIVE, 3),
    ("GET", "/metrics", POSITIVE, 3),
    ("POST", "/invocations", POSITIVE, 100),
    ("POST", "/invocations", NEGATIVE, 100),
]
"""What is asked, in a way that the document allows or forbids, and how often."""
UNTYPED = {
    "unknown_voice",
    "unknown_language",
    "language_unavailable",
    "invalid_lexicon",
    "request_stale",
    "utterance_too_long",
}
"""What may be wrong with a body that the document allows; and a blend, or a time stamp, of good shape and no sense."""


@pytest.fixture(scope="module")
def schema(shared_server) -> Any:
    return schemathesis.openapi.from_url(shared_server.address + OPENAPI_PATH)


@pytest.mark.parametrize(("method", "path", "mode", "examples"), CASES)
def test_whatever_is_asked_the_answer_is_as_the_document_says(
    shared_server, schema: Any, method: str, path: str, mode: Any, examples: int
) -> None:
    operation = schema[path][method]
    statuses = set()

    # The same examples each time: what chance finds once in a hundred runs is for the fuzz.
    @settings(max_examples=examples, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(st.data())
    def check(data: st.DataObject) -> None:
        case = data.draw(operation.as_strategy(generation_mode=mode))
        # What is right by its shape may still ask for a voice that nobody has.
        answer = case.call_and_validate(base_url=shared_server.address, excluded_checks=[positive_data_acceptance])
        statuses.add(answer.status_code)
        if mode is POSITIVE and answer.status_code != 200:
            told = answer.json()
            fields = ("field 'voice'", "field 'request_timestamp'")
            assert told["error"] in UNTYPED or told["message"].startswith(fields), told

    check()
    assert (200 in statuses) is (mode is POSITIVE)


def test_the_document_has_every_route_and_no_other() -> None:
    settings = Settings(assets=AssetLocations(cache_dir=Path("/nonexistent")))
    app = create_app(fake_engine(), settings, ServerState(Lobby(1)))
    routes = {
        (route.path, method.lower())
        for route in app.routes
        if isinstance(route, Route) and route.path != OPENAPI_PATH
        for method in (route.methods or {"POST"}) - {"HEAD"}
    }

    made = document(metrics=True, keys=False)

    assert {(path, method) for path, methods in made["paths"].items() for method in methods} == routes


def test_every_code_of_a_bad_body_stands_under_its_status() -> None:
    known = codes_by_status()

    assert all(code in known[status] for _, status, code in BAD_BODIES)
    assert known[503] == ["draining", "queue_saturated"]
    assert "internal" in known[500]


def test_the_codes_of_sessions_alone_are_those_without_a_status_in_the_table() -> None:
    without = {code for code, (status, _) in listed().items() if status == "–"}

    others = {kind.code for kind in AgentError.__subclasses__()}  # told in an agent's own stream
    # Over HTTP, who is one too many hears the published container's name for it.
    assert {kind.code for kind in SESSION_ONLY} == without - others - {Overloaded.code}


def test_what_is_told_where_there_is_no_route_is_in_no_routes_answers() -> None:
    codes = {code for found in codes_by_status().values() for code in found}

    assert not {kind.code for kind in NO_ROUTE} & codes


def test_without_figures_their_route_is_not_in_it() -> None:
    assert "/metrics" not in document(metrics=False, keys=False)["paths"]


@pytest.mark.anyio
async def test_with_keys_it_says_so_and_asks_for_one_itself(serving) -> None:
    key = "a-key-that-is-long-enough"
    async with serving(api_keys=parse_keys("PRIMAVOCE_API_KEYS", key)) as server:
        refused = await ask(server.address, path=OPENAPI_PATH, method="GET")
        status, headers, body = await ask(server.address, path=f"{OPENAPI_PATH}?token={key}", method="GET")

    made = json.loads(body)
    assert refused[0] == 401
    assert (status, headers["content-type"]) == (200, "application/json")
    assert made["security"] == [{"bearer": []}, {"query": []}]
    assert all(each["security"] == [] for each in made["paths"]["/ping"].values())


@pytest.mark.anyio
async def test_a_refusal_without_a_key_is_as_the_document_says(serving) -> None:
    key = "a-key-that-is-long-enough"
    async with serving(api_keys=parse_keys("PRIMAVOCE_API_KEYS", key)) as server:
        address = server.address

        def check() -> None:
            made = schemathesis.openapi.from_url(f"{address}{OPENAPI_PATH}?token={key}")
            case = made["/invocations"]["POST"].Case(body={"text": "Hello."}, media_type="application/json")
            answer = case.call_and_validate(base_url=address, excluded_checks=[positive_data_acceptance])
            assert answer.status_code == 401

        await anyio.to_thread.run_sync(check)
