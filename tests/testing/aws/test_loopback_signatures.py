"""What the fronts verify: against botocore's and the SDK's own signing."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from aws_sdk_signers import AsyncEventSigner
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import ReadOnlyCredentials
from smithy_aws_core.identity import AWSCredentialsIdentity
from smithy_aws_event_stream.events import EventHeaderEncoder, EventMessage

from primavoce.testing.aws.event_stream import decode
from primavoce.testing.aws.signatures import Clock, EventChain, NotVerified, Verifier, utc_now

pytestmark = [pytest.mark.anyio, pytest.mark.aws]

PATH = "/endpoints/speech/invocations-response-stream"


def signed(
    body: bytes = b"{}",
    *,
    key: str = "id",
    secret: str = "secret",
    region: str = "us-east-1",
    service: str = "sagemaker",
    token: str | None = None,
) -> dict[str, str]:
    request = AWSRequest("POST", f"http://example.com{PATH}", headers={"Content-Type": "text/plain"}, data=body)
    SigV4Auth(ReadOnlyCredentials(key, secret, token), service, region).add_auth(request)
    return {"host": "example.com", **{name.lower(): value for name, value in request.headers.items()}}


VERIFIER = Verifier({"id": "secret"}, service="sagemaker", region="us-east-1")


def test_a_request_that_botocore_has_signed_is_verified() -> None:
    VERIFIER.verify("POST", PATH, signed(), b"{}")


@pytest.mark.parametrize(
    ("headers", "path", "body", "code"),
    [
        ({}, PATH, b"{}", "MissingAuthenticationTokenException"),
        (signed(key="another"), PATH, b"{}", "UnrecognizedClientException"),
        (signed(secret="another"), PATH, b"{}", "InvalidSignatureException"),
        (signed(region="eu-west-1"), PATH, b"{}", "InvalidSignatureException"),
        (signed(service="s3"), PATH, b"{}", "InvalidSignatureException"),
        (signed(), PATH + "x", b"{}", "InvalidSignatureException"),
        (signed(), PATH, b"{ }", "InvalidSignatureException"),
        ({**signed(), "host": "example.org"}, PATH, b"{}", "InvalidSignatureException"),
        ({**signed(), "x-amz-date": "yesterday"}, PATH, b"{}", "IncompleteSignatureException"),
        (signed(), PATH, None, "InvalidSignatureException"),  # no stream of events was signed
    ],
)
def test_what_is_not_as_it_was_signed_is_refused(headers: dict, path: str, body: bytes | None, code: str) -> None:
    with pytest.raises(NotVerified) as refused:
        VERIFIER.verify("POST", path, headers, body)

    assert refused.value.code == code


def test_the_date_of_the_scope_is_that_of_the_request() -> None:
    headers = signed()
    date = headers["x-amz-date"][:8]

    with pytest.raises(NotVerified, match="the date in the credential scope"):
        VERIFIER.verify(
            "POST",
            PATH,
            {**headers, "authorization": headers["authorization"].replace(date, "20200101")},
            b"{}",
        )


def later(seconds: float) -> Clock:
    return lambda: datetime.now(UTC) + timedelta(seconds=seconds)


def verifier(clock: Clock = utc_now, **more: Any) -> Verifier:
    return Verifier({"id": "secret"}, service="sagemaker", region="us-east-1", clock=clock, **more)


@pytest.mark.parametrize("off_s", [-290, 290])
def test_a_clock_may_be_off_by_almost_five_minutes(off_s: int) -> None:
    verifier(later(off_s)).verify("POST", PATH, signed(), b"{}")


@pytest.mark.parametrize(("off_s", "said"), [(310, "Signature expired"), (-310, "Signature not yet current")])
def test_a_signature_out_of_its_time_is_refused(off_s: int, said: str) -> None:
    with pytest.raises(NotVerified, match=said) as refused:
        verifier(later(off_s)).verify("POST", PATH, signed(), b"{}")

    assert refused.value.code == "InvalidSignatureException"


def test_a_temporary_key_is_taken_with_its_token_until_it_expires() -> None:
    role = verifier(tokens={"id": "token"}, expiries={"id": datetime.now(UTC) + timedelta(seconds=100)})

    role.verify("POST", PATH, signed(token="token"), b"{}")


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        (signed(), "UnrecognizedClientException"),
        (signed(token="another"), "UnrecognizedClientException"),
        ({**signed(), "x-amz-security-token": "token"}, "InvalidSignatureException"),  # sent, but not signed
    ],
)
def test_a_temporary_key_is_nothing_without_its_token(headers: dict, code: str) -> None:
    with pytest.raises(NotVerified) as refused:
        verifier(tokens={"id": "token"}).verify("POST", PATH, headers, b"{}")

    assert refused.value.code == code


def test_a_key_that_has_none_is_refused_with_a_token() -> None:
    with pytest.raises(NotVerified, match="security token included in the request is invalid"):
        VERIFIER.verify("POST", PATH, signed(token="token"), b"{}")


def test_a_key_that_has_expired_is_refused() -> None:
    with pytest.raises(NotVerified, match="is expired") as refused:
        verifier(expiries={"id": datetime.now(UTC)}).verify("POST", PATH, signed(), b"{}")

    assert refused.value.code == "ExpiredTokenException"


async def events(count: int, *, secret: str = "secret") -> list[bytes]:
    signer = AsyncEventSigner(initial_signature=b"ab" * 32, event_encoder_cls=EventHeaderEncoder)
    identity = AWSCredentialsIdentity(access_key_id="id", secret_access_key=secret)
    made = []
    for number in range(count):
        event = EventMessage(headers={"DataType": "UTF8"}, payload=str(number).encode())
        signed_event = await signer.sign(
            event=event, identity=identity, properties={"region": "us-east-1", "service": "sagemaker"}
        )
        made.append(signed_event.encode())
    return made


def chain(clock: Clock = utc_now, **more: Any) -> EventChain:
    return EventChain("secret", "us-east-1", "sagemaker", "ab" * 32, clock=clock, **more)


async def test_events_that_the_sdk_has_signed_are_verified_in_order() -> None:
    verifying = chain()

    for event in await events(3):
        verifying.verify(decode(event))


async def test_an_event_that_is_left_out_is_noticed() -> None:
    first, _, third = await events(3)
    verifying = chain()
    verifying.verify(decode(first))

    with pytest.raises(NotVerified, match="its signature is another"):
        verifying.verify(decode(third))


async def test_an_event_of_other_credentials_is_noticed() -> None:
    (event,) = await events(1, secret="another")

    with pytest.raises(NotVerified, match="its signature is another"):
        chain().verify(decode(event))


@pytest.mark.parametrize(("off_s", "said"), [(310, "Signature expired"), (-310, "Signature not yet current")])
async def test_an_event_out_of_its_time_is_refused(off_s: int, said: str) -> None:
    (event,) = await events(1)

    with pytest.raises(NotVerified, match=said):
        chain(later(off_s)).verify(decode(event))


async def test_an_event_of_credentials_that_have_expired_since_is_refused() -> None:
    first, second = await events(2)
    times = iter([datetime.now(UTC), datetime.now(UTC) + timedelta(seconds=2)])
    verifying = chain(lambda: next(times), expiry=datetime.now(UTC) + timedelta(seconds=1))
    verifying.verify(decode(first))

    with pytest.raises(NotVerified, match="is expired") as refused:
        verifying.verify(decode(second))

    assert refused.value.code == "ExpiredTokenException"
