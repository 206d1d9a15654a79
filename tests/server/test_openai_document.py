"""Whether OpenAI's routes keep to the document of all routes, whatever they are asked."""

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.checks import load_all_checks
from schemathesis.specs.openapi.checks import positive_data_acceptance

from primavoce.server.openapi import OPENAPI_PATH, codes_by_status, document
from tests.server.test_openai import BAD_REQUESTS
from tests.server.test_openapi import UNTYPED

load_all_checks()

POSITIVE, NEGATIVE = schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE
CASES = [
    ("GET", "/v1/models", POSITIVE, 3),
    ("GET", "/v1/models/{model}", POSITIVE, 20),
    ("GET", "/v1/audio/voices", POSITIVE, 5),
    ("POST", "/v1/audio/speech", POSITIVE, 60),
    ("POST", "/v1/audio/speech", NEGATIVE, 60),
]
"""What is asked, in a way that the document allows or forbids, and how often."""


@pytest.fixture(scope="module")
def schema(shared_server: Any) -> Any:
    return schemathesis.openapi.from_url(shared_server.address + OPENAPI_PATH)


@pytest.mark.parametrize(("method", "path", "mode", "examples"), CASES)
def test_whatever_is_asked_the_answer_is_as_the_document_says(
    shared_server: Any, schema: Any, method: str, path: str, mode: Any, examples: int
) -> None:
    operation = schema[path][method]
    statuses = set()

    @settings(max_examples=examples, suppress_health_check=list(HealthCheck))
    @given(st.data())
    def check(data: st.DataObject) -> None:
        case = data.draw(operation.as_strategy(generation_mode=mode))
        # What is right by its shape may still ask for a voice that nobody has.
        answer = case.call_and_validate(base_url=shared_server.address, excluded_checks=[positive_data_acceptance])
        statuses.add(answer.status_code)
        if mode is POSITIVE and path == "/v1/audio/speech" and answer.status_code != 200:
            told = answer.json()["error"]
            assert told["code"] in UNTYPED or told["param"] in ("voice", "request_timestamp", "sample_rate"), told

    check()
    assert (200 in statuses or "{model}" in path) is (mode is POSITIVE)


def test_every_code_of_a_bad_request_stands_under_its_status() -> None:
    known = codes_by_status()
    speech = document(metrics=True, keys=False)["paths"]["/v1/audio/speech"]["post"]["responses"]

    assert all(code in known[status] for _, status, code, _ in BAD_REQUESTS if code != "model_not_found")
    assert "model_not_found" in str(speech["404"])
