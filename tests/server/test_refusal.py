"""Errors over HTTP, and the one table that lists them all."""

import inspect
import json
import re
from pathlib import Path

import pytest

from primavoce import errors
from primavoce.errors import (
    AssetMissing,
    Draining,
    Overloaded,
    PrimavoceError,
    RequestIncomplete,
    RequestStale,
    TooManyRequests,
)
from primavoce.server.refusal import MAY_TRAVEL, STATUS, error_response

PROTOCOL = Path(__file__).parents[2] / "docs" / "protocol.md"


def listed() -> dict[str, tuple[str, str]]:
    """Return what the table says of each code: its status and whether asking again may help."""
    table = PROTOCOL.read_text().partition("## Codes")[2]
    rows = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \| (\S+) \| (yes|no) \|", table, re.MULTILINE)
    return {code: (status, retryable) for codes, status, retryable in rows for code in re.findall(r"`(\w+)`", codes)}


def told() -> list[type[PrimavoceError]]:
    """Return the errors that a client may be told of."""
    kinds = [kind for _, kind in inspect.getmembers(errors, inspect.isclass) if issubclass(kind, MAY_TRAVEL)]
    return [kind for kind in kinds if not kind.__subclasses__()]


def test_every_code_that_a_client_may_hear_is_in_the_table_with_its_status() -> None:
    table = listed()

    for kind in told():
        status, retryable = table[kind.code]
        assert retryable == ("yes" if kind.retryable else "no"), kind
        assert status in ("–", str(next((each for base, each in STATUS if issubclass(kind, base)), 500))), kind


def test_the_table_has_no_code_that_nobody_sends() -> None:
    known = {kind.code for kind in told()} | {PrimavoceError.code, "queue_saturated"}

    assert set(listed()) == known


@pytest.mark.parametrize(
    ("error", "status"),
    [(Draining(), 503), (Overloaded(1), 503), (TooManyRequests(1), 429)],
    ids=repr,
)
def test_who_may_come_back_is_told_when(error: PrimavoceError, status: int) -> None:
    answer = error_response(error, "r")

    assert (answer.status_code, answer.headers["retry-after"]) == (status, "1")
    assert json.loads(answer.body)["request_id"] == "r"


def test_a_bug_of_ours_is_internal_and_what_the_operator_has_to_see_to_is_not_told() -> None:
    answers = [error_response(error) for error in (PrimavoceError(), AssetMissing("the weights", "/secret"))]

    assert [answer.status_code for answer in answers] == [500, 500]
    assert [json.loads(answer.body)["error"] for answer in answers] == ["internal", "synthesis_failed"]


def test_the_names_of_the_published_container_are_kept() -> None:
    assert json.loads(error_response(Overloaded(1)).body)["error"] == "queue_saturated"
    assert json.loads(error_response(RequestStale(56.0)).body)["error"] == "request_stale"


def test_a_connection_on_which_a_body_stopped_coming_is_closed() -> None:
    assert error_response(RequestIncomplete(30.0)).headers["connection"] == "close"
