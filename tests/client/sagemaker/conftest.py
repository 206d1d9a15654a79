from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:  # light tests must not need the extra
    from primavoce.client.link import Opener
    from primavoce.client.sagemaker import CredentialSource
    from primavoce.testing.aws.response_stream import ResponseStreamFront
    from primavoce.testing.aws.sagemaker_front import SageMakerFront


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out what can't be imported without the extra."""
    heavy = collection_path.name.startswith("test_loopback_")
    return True if heavy and "aws" not in config.getoption("with_groups").split(",") else None


@dataclass
class Loopback:
    """A front that runs, and how to speak to it."""

    front: "SageMakerFront"
    credentials: "CredentialSource"

    def link(self, **changes: object) -> "Opener":
        """Return what opens a link with it."""
        from primavoce.client.sagemaker import sagemaker_link

        how: dict = {
            "endpoint": "speech",
            "region": "us-east-1",
            "url": self.front.url,
            "ca_file": str(self.front.ca_file),
            "credentials": self.credentials,
        }
        return sagemaker_link(**{**how, **changes})


type Fronting = Callable[..., AbstractAsyncContextManager[Loopback]]


def credentials_of_the_front() -> "CredentialSource":
    from botocore.session import Session

    from primavoce.client.sagemaker import CredentialSource
    from primavoce.testing.aws.sagemaker_front import ACCESS_KEY, SECRET_KEY

    session = Session()
    session.set_credentials(ACCESS_KEY, SECRET_KEY)
    return CredentialSource(session)


@pytest.fixture
def fronting(shared_server) -> Fronting:
    """Return what runs SageMaker's front before the shared server, or before another."""

    @asynccontextmanager
    async def run(*faults: object, model_url: str | None = None, **settings: object) -> AsyncIterator[Loopback]:
        from primavoce.testing.aws.sagemaker_front import FrontSettings, sagemaker_front

        url = model_url or shared_server.address
        async with sagemaker_front(url, FrontSettings(**settings), faults=faults) as front:  # type: ignore[arg-type]
            yield Loopback(front, credentials_of_the_front())

    return run


@pytest.fixture
def response_fronting(shared_server) -> "Callable[..., AbstractAsyncContextManager[ResponseStreamFront]]":
    """Return what runs the front of response streams before the shared server."""

    @asynccontextmanager
    async def run(*faults: object, **options: object) -> "AsyncIterator[ResponseStreamFront]":
        from primavoce.testing.aws.response_stream import response_stream_front

        async with response_stream_front(shared_server.address, faults=faults, **options) as front:  # type: ignore[arg-type]
            yield front

    return run
