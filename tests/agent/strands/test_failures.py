import httpx
import pytest
from botocore.exceptions import ClientError, EndpointConnectionError, NoCredentialsError, NoRegionError
from strands.types.exceptions import (
    ConcurrencyException,
    ContextWindowOverflowException,
    EventLoopException,
    ModelThrottledException,
)

from primavoce.agent.strands.failures import agent_error, what_it_was
from primavoce.errors import AgentBusy, ModelContextFull, ModelFailed, ModelRefused, ModelThrottled, ModelUnavailable

pytestmark = pytest.mark.agent


def openai_error(status: int) -> Exception:
    import openai

    answer = httpx.Response(status, request=httpx.Request("POST", "http://example.com/secret"))
    kind = {401: openai.AuthenticationError, 404: openai.NotFoundError, 429: openai.RateLimitError}.get(
        status, openai.InternalServerError
    )
    return kind("secret", response=answer, body=None)


def unreachable() -> Exception:
    import openai

    return openai.APIConnectionError(request=httpx.Request("POST", "http://example.com/secret"))


def ollama_error(status: int) -> Exception:
    import ollama

    return ollama.ResponseError("secret", status)


def bedrock(code: str) -> ClientError:
    return ClientError({"Error": {"Code": code, "Message": "secret"}}, "ConverseStream")


def caused(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (ConcurrencyException("secret"), AgentBusy()),
        (ModelThrottledException("secret"), ModelThrottled()),
        (EventLoopException(ModelThrottledException("secret")), ModelThrottled()),
        (openai_error(429), ModelThrottled()),
        (ContextWindowOverflowException("secret"), ModelContextFull()),
        (ModelUnavailable("as it says"), ModelUnavailable("as it says")),
        (NoCredentialsError(), ModelRefused("there are no credentials for it")),
        (NoRegionError(), ModelRefused("there is no region for it")),
        (EndpointConnectionError(endpoint_url="http://secret"), ModelUnavailable()),
        (unreachable(), ModelUnavailable()),
        (httpx.ConnectError("secret"), ModelUnavailable()),
        (ConnectionError("secret"), ModelUnavailable()),
        (TimeoutError("secret"), ModelUnavailable()),
        (bedrock("AccessDeniedException"), ModelRefused("it doesn't let this agent in")),
        (openai_error(401), ModelRefused("it doesn't let this agent in")),
        (bedrock("ResourceNotFoundException"), ModelRefused("there is no model of this name")),
        (openai_error(404), ModelRefused("there is no model of this name")),
        (ollama_error(404), ModelRefused("there is no model of this name")),
        (bedrock("ServiceUnavailableException"), ModelUnavailable("its service has failed")),
        (openai_error(503), ModelUnavailable("its service has failed")),
        (caused(RuntimeError("secret"), ConnectionRefusedError("secret")), ModelUnavailable()),
        (bedrock("ValidationException"), ModelFailed()),
        (ValueError("secret"), ModelFailed()),
        (KeyError("secret"), ModelFailed()),
    ],
    ids=lambda value: type(value).__name__,
)
def test_each_failure_is_told_in_our_own_words(error: Exception, told: Exception) -> None:
    found = agent_error(error)

    assert (type(found), str(found)) == (type(told), str(told))


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (EventLoopException(NoCredentialsError()), "NoCredentialsError: Unable to locate credentials"),
        (caused(RuntimeError("it failed"), ConnectionRefusedError("by\nnobody")), "ConnectionRefusedError: by nobody"),
        (TimeoutError(), "TimeoutError"),
        (ValueError("x" * 1000), "ValueError: " + "x" * 488),
    ],
)
def test_an_operator_reads_what_began_it_in_one_line(error: Exception, told: str) -> None:
    assert what_it_was(error) == told


def test_asking_again_is_advised_only_where_it_may_help() -> None:
    assert agent_error(TimeoutError()).retryable
    assert not agent_error(NoCredentialsError()).retryable


def test_a_chain_of_causes_that_bites_its_tail_ends() -> None:
    first, second = ValueError(), ValueError()
    first.__cause__, second.__cause__ = second, first

    assert isinstance(agent_error(first), ModelFailed)
