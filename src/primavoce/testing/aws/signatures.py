"""Signatures of AWS (SigV4), verified: of a request, and of the events of its body, each chained to the one before.

The request's is computed anew by botocore. The events' is by the rules themselves, so that a client's own signing isn't
compared with itself.
"""

import hashlib
import hmac
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta

from botocore.auth import SigV4Auth  # type: ignore[import-untyped]
from botocore.awsrequest import AWSRequest  # type: ignore[import-untyped]
from botocore.credentials import ReadOnlyCredentials  # type: ignore[import-untyped]

from primavoce.testing.aws.event_stream import Message, encode_headers

STREAM_OF_EVENTS = "STREAMING-AWS4-HMAC-SHA256-EVENTS"
MOST_OFF = timedelta(minutes=5)
"""Between a signature's time and ours."""
TIME_FORMAT = "%Y%m%dT%H%M%SZ"

type Clock = Callable[[], datetime]
"""Tells the time, in UTC."""

_AUTHORIZATION = re.compile(
    r"AWS4-HMAC-SHA256 Credential=(?P<key>[^/]+)/(?P<date>\d{8})/(?P<region>[^/]+)/(?P<service>[^/]+)/aws4_request, ?"
    r"SignedHeaders=(?P<names>[^,]+), ?Signature=(?P<signature>[0-9a-f]{64})"
)


class NotVerified(Exception):
    """A signature isn't what it should be; its text says how."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        """As AWS calls it."""


def utc_now() -> datetime:
    """Return the time."""
    return datetime.now(UTC)


class EventChain:
    """The signatures of a stream's events, in order.

    Args:
        secret_key: Of the credentials that the request was signed with; they stay the same for its whole stream.
        region: That is signed for.
        service: That is signed for.
        signature: The request's, in hexadecimal.
        expiry: When the credentials expire, if they do.
        clock: Tells the time that an event's is compared with.
    """

    def __init__(
        self,
        secret_key: str,
        region: str,
        service: str,
        signature: str,
        *,
        expiry: datetime | None = None,
        clock: Clock = utc_now,
    ) -> None:
        self._secret_key = secret_key
        self._region = region
        self._service = service
        self._before = signature
        self._expiry = expiry
        self._clock = clock

    def verify(self, event: Message) -> None:
        """See that ``event``, as it came, goes on from the one before.

        Raises:
            NotVerified: it doesn't.
        """
        moment, found = event.headers.get(":date"), event.headers.get(":chunk-signature")
        if not isinstance(moment, datetime) or not isinstance(found, bytes):
            raise NotVerified("InvalidSignatureException", "an event without :date and :chunk-signature")
        _check_time(moment, self._expiry, self._clock())
        time = moment.strftime(TIME_FORMAT)
        to_sign = "\n".join(
            (
                "AWS4-HMAC-SHA256-PAYLOAD",
                time,
                f"{time[:8]}/{self._region}/{self._service}/aws4_request",
                self._before,
                hashlib.sha256(encode_headers({":date": moment})).hexdigest(),
                hashlib.sha256(event.payload).hexdigest(),
            )
        )
        key = signing_key(self._secret_key, time[:8], self._region, self._service)
        expected = _hmac(key, to_sign)
        if not hmac.compare_digest(expected, found):
            raise NotVerified("InvalidSignatureException", "its signature is another")
        self._before = expected.hex()


class Verifier:
    """Knows secrets, and verifies by them.

    Args:
        secrets: Secret key by access key id.
        service: That is signed for.
        region: That is signed for.
        tokens: By access key id, of the temporary ones; a role's have one, and are nothing without it.
        expiries: When they expire, by access key id.
        clock: Tells the time that a signature's is compared with.
    """

    def __init__(
        self,
        secrets: Mapping[str, str],
        *,
        service: str,
        region: str,
        tokens: Mapping[str, str] | None = None,
        expiries: Mapping[str, datetime] | None = None,
        clock: Clock = utc_now,
    ) -> None:
        self._secrets = secrets
        self._tokens = tokens or {}
        self._expiries = expiries or {}
        self._clock = clock
        self._service = service
        self._region = region

    def verify(self, method: str, path: str, headers: Mapping[str, str], body: bytes | None) -> EventChain:
        """See that a request is signed by somebody who is known; return what goes on with the events of its body.

        Args:
            method: Of HTTP.
            path: With its query, as it was sent.
            headers: By their names in lower case.
            body: Of the request; `None` for a stream of events.

        Raises:
            NotVerified: it isn't.
        """
        said = _AUTHORIZATION.fullmatch(headers.get("authorization", ""))
        if said is None:
            raise NotVerified("MissingAuthenticationTokenException", "Missing Authentication Token")
        secret = self._secrets.get(said["key"])
        token = self._tokens.get(said["key"])
        if secret is None or token != headers.get("x-amz-security-token"):
            raise NotVerified("UnrecognizedClientException", "The security token included in the request is invalid.")
        if (said["region"], said["service"]) != (self._region, self._service):
            raise NotVerified("InvalidSignatureException", "Credential should be scoped to a valid region and service.")
        try:
            moment = datetime.strptime(headers.get("x-amz-date", ""), TIME_FORMAT).replace(tzinfo=UTC)
        except ValueError:
            raise NotVerified("IncompleteSignatureException", "no x-amz-date") from None
        if moment.strftime("%Y%m%d") != said["date"]:
            raise NotVerified("InvalidSignatureException", "the date in the credential scope isn't that of x-amz-date")
        expiry = self._expiries.get(said["key"])
        _check_time(moment, expiry, self._clock())
        body_hash = STREAM_OF_EVENTS if body is None else hashlib.sha256(body).hexdigest()
        if headers.get("x-amz-content-sha256", body_hash) != body_hash:
            raise NotVerified("InvalidSignatureException", "x-amz-content-sha256 isn't of this body")
        names = said["names"].split(";")
        if not {"host", "x-amz-date"} <= set(names) or (body is None and "x-amz-content-sha256" not in names):
            raise NotVerified("InvalidSignatureException", "a header that must be signed isn't")
        if token is not None and "x-amz-security-token" not in names:
            raise NotVerified("InvalidSignatureException", "the token isn't signed")
        signed = {name: headers.get(name, "") for name in names}
        signer = SigV4Auth(ReadOnlyCredentials(said["key"], secret, None), self._service, self._region)
        if not hmac.compare_digest(_signature(signer, method, path, signed, body or b""), said["signature"]):
            raise NotVerified(
                "InvalidSignatureException",
                "The request signature we calculated does not match the signature you provided.",
            )
        return EventChain(secret, self._region, self._service, said["signature"], expiry=expiry, clock=self._clock)


def _check_time(moment: datetime, expiry: datetime | None, now: datetime) -> None:
    """See that what was signed at ``moment`` counts now."""
    if expiry is not None and now >= expiry:
        raise NotVerified("ExpiredTokenException", "The security token included in the request is expired")
    if now - moment > MOST_OFF:
        raise NotVerified("InvalidSignatureException", f"Signature expired: {moment:{TIME_FORMAT}} is too long ago")
    if moment - now > MOST_OFF:
        raise NotVerified("InvalidSignatureException", f"Signature not yet current: {moment:{TIME_FORMAT}}")


def _signature(signer: SigV4Auth, method: str, path: str, signed: Mapping[str, str], body: bytes) -> str:
    """Return what the signature of a request must be, by botocore's own steps."""
    request = AWSRequest(method=method, url=f"https://{signed['host']}{path}", headers=dict(signed), data=body)
    request.context["timestamp"] = signed["x-amz-date"]
    return str(signer.signature(signer.string_to_sign(request, signer.canonical_request(request)), request))


def signing_key(secret_key: str, date: str, region: str, service: str) -> bytes:
    """Return the key of a day, a region and a service."""
    key = f"AWS4{secret_key}".encode()
    for part in (date, region, service, "aws4_request"):
        key = _hmac(key, part)
    return key


def _hmac(key: bytes, text: str) -> bytes:
    return hmac.new(key, text.encode(), hashlib.sha256).digest()
