"""What the fronts verify: against botocore's and the SDK's own signing."""

from datetime import datetime, timedelta

import pytest
from aws_sdk_signers import AsyncEventSigner
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import ReadOnlyCredentials
from smithy_aws_core.identity import AWSCredentialsIdentity
from smithy_aws_event_stream.events import EventHeaderEncoder, EventMessage

from primavoce.testing.aws import signatures
from primavoce.testing.aws.event_stream import decode
from primavoce.testing.aws.signatures import EventChain, NotVerified, Verifier

pytestmark = [pytest.mark.anyio, pytest.mark.aws]

PATH = "/endpoints/speech/invocations-response-stream"


def signed(
    body: bytes = b"{}",
    *,
    key: str = "id",
    secret: str = "secret",
    region: str = "us-east-1",
    service: str = "sagemaker",
) -> dict[str, str]:
    request = AWSRequest("POST", f"http://example.com{PATH}", headers={"Content-Type": "text/plain"}, data=body)
    SigV4Auth(ReadOnlyCredentials(key, secret, None), service, region).add_auth(request)
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


def test_an_old_signature_is_refused(monkeypatch) -> None:
    class Later(datetime):
        @classmethod
        def now(cls, tz=None) -> datetime:
            return datetime.now(tz) + timedelta(minutes=6)

    headers = signed()
    monkeypatch.setattr(signatures, "datetime", Later)

    with pytest.raises(NotVerified, match="expired"):
        VERIFIER.verify("POST", PATH, headers, b"{}")


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


def chain() -> EventChain:
    return EventChain("secret", "us-east-1", "sagemaker", "ab" * 32)


async def test_events_that_the_sdk_has_signed_are_verified_in_order() -> None:
    verifying = chain()

    for event in await events(3):
        verifying.verify(decode(event))

    assert verifying.verified == 3


async def test_an_event_that_is_left_out_is_noticed() -> None:
    first, _, third = await events(3)
    verifying = chain()
    verifying.verify(decode(first))

    with pytest.raises(NotVerified, match="event 1"):
        verifying.verify(decode(third))


async def test_an_event_of_other_credentials_is_noticed() -> None:
    (event,) = await events(1, secret="another")

    with pytest.raises(NotVerified, match="event 0"):
        chain().verify(decode(event))
