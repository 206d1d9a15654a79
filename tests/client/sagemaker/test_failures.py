import json

import pytest

from primavoce.client.sagemaker.failures import network_error, refusal, unanswered
from primavoce.errors import EndpointFailed, EndpointRefused, EndpointThrottled, SessionError


def told(status: int, kind: str | None, **fields: object) -> SessionError:
    headers = {} if kind is None else {"x-amzn-errortype": kind}
    return refusal("speech", status, headers, json.dumps(fields).encode())


@pytest.mark.parametrize(
    ("status", "kind", "error", "said"),
    [
        (403, "AccessDeniedException", EndpointRefused, "they need sagemaker:InvokeEndpointWithBidirectionalStream"),
        (400, "ExpiredTokenException:http://x/", EndpointRefused, "these credentials may not use it"),
        (400, "ThrottlingException", EndpointThrottled, "asked too often"),
        (429, None, EndpointThrottled, "asked too often"),
        (404, "ResourceNotFound", EndpointRefused, "there is no endpoint of this name"),
        (424, "ModelError", EndpointFailed, "its container took no session"),
        (500, "InternalServerError", EndpointFailed, "the service failed (InternalServerError"),
        (503, "com.amazonaws.sagemaker#ServiceUnavailableError", EndpointFailed, "(ServiceUnavailableError: why)"),
        (400, "ValidationError", EndpointRefused, "refuses the request with 400 (ValidationError: why)"),
        (418, None, EndpointRefused, "refuses the request with 418 (why)"),
    ],
)
def test_an_answer_without_a_stream_means(status: int, kind: str | None, error: type, said: str) -> None:
    found = told(status, kind, Message="why")

    assert type(found) is error
    assert said in str(found)


def test_an_endpoint_that_isnt_there_is_known_by_what_is_said() -> None:
    found = told(400, "ValidationError", message="Endpoint speech of account 1 not found.")

    assert "there is no endpoint of this name in this account and region" in str(found)


def test_the_containers_own_status_is_told() -> None:
    assert "and answered 503" in str(told(424, "ModelError", Message="x", OriginalStatusCode=503))


def test_the_kind_may_be_in_the_body() -> None:
    assert isinstance(told(400, None, __type="com.amazonaws#ThrottlingException"), EndpointThrottled)


def test_a_body_that_is_no_json_is_none_at_all() -> None:
    assert isinstance(refusal("speech", 502, {}, b"<html>"), EndpointFailed)
    assert isinstance(refusal("speech", 502, {}, b"[]"), EndpointFailed)


def test_long_words_of_the_service_are_shortened() -> None:
    assert len(str(told(500, "InternalServerError", Message="x" * 10_000))) < 500


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("AWS_IO_SOCKET_CONNECTION_REFUSED", "the connection was refused (port 8443"),
        ("AWS_IO_DNS_INVALID_NAME", "its name can't be resolved"),
        ("AWS_NEW", "AWS_NEW"),
    ],
)
def test_a_network_that_fails_is_told_in_words(name: str, said: str) -> None:
    assert said in str(network_error("https://example.com:8443", name))


def test_tls_that_fails_is_told_as_such_and_tried_again_for_it_may_pass() -> None:
    found = network_error("https://example.com:8443", "AWS_IO_TLS_ERROR_NEGOTIATION_FAILURE")

    assert "TLS failed" in str(found)
    assert found.retryable


@pytest.mark.parametrize(
    ("obstacle", "said", "retryable"),
    [
        ("port", "no connection within 10 s (port 8443", False),
        ("unknown", "no connection within 10 s (port 8443", True),
        ("name", "its name can't be resolved within 10 s", True),
    ],
)
def test_a_connection_that_nobody_answers_is_told_with_its_time_and_what_is_in_the_way(
    obstacle: str, said: str, retryable: bool
) -> None:
    found = unanswered("speech", "https://example.com:8443", 9.98, obstacle)

    assert f"https://example.com:8443: {said}" in str(found)
    assert found.retryable is retryable
