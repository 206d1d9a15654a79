"""What we know of botocore's credentials by a name that isn't public: a release that changes it is seen here."""

from datetime import UTC, datetime, timedelta

import pytest
from botocore.credentials import Credentials as PlainCredentials
from botocore.credentials import DeferredRefreshableCredentials, RefreshableCredentials
from botocore.session import Session

from primavoce.client.sagemaker.credentials import CredentialSource

pytestmark = [pytest.mark.anyio, pytest.mark.aws]


def told() -> dict[str, str]:
    expires = datetime.now(UTC) + timedelta(seconds=1200)
    return {"access_key": "id", "secret_key": "secret", "token": "token", "expiry_time": expires.isoformat()}


@pytest.mark.parametrize(
    ("found", "seconds"),
    [
        (lambda: RefreshableCredentials.create_from_metadata(told(), refresh_using=told, method="a role"), 1200),
        (lambda: DeferredRefreshableCredentials(refresh_using=told, method="a role"), 1200),
        (lambda: PlainCredentials("id", "secret"), float("inf")),
    ],
    ids=["refreshable", "deferred", "plain"],
)
async def test_it_is_known_until_when_credentials_are_good(found, seconds: float) -> None:
    session = Session()
    session._credentials = found()
    source = CredentialSource(session, clock=lambda: 0.0)

    await source.current("speech")

    assert source._found is not None
    assert source._found.until_s == pytest.approx(seconds, abs=10)
