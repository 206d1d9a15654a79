"""Speech by an endpoint of SageMaker, for agents and scripts: sessions that don't end when a connection does."""

import logging
from pathlib import Path

import anyio

from primavoce.client.link import Opener
from primavoce.client.resuming import ResumePolicy, resuming
from primavoce.client.sagemaker.address import EndpointAddress
from primavoce.client.sagemaker.credentials import CredentialSource, own_credentials
from primavoce.client.sagemaker.link import address_of, prepared, sagemaker_link
from primavoce.client.sagemaker.response_stream import response_stream_link
from primavoce.client.session import SpeechSession
from primavoce.errors import PrimavoceError, SessionTimeout

log = logging.getLogger("primavoce.client")


class SageMakerSpeech:
    """An endpoint that speaks; call it for a session, which goes on over others when its own ends.

    Opening is tried again, with pauses by chance, before anything was heard; what was heard in part is resumed
    (`primavoce.client.resuming`). Sessions share the connections of their event loop.

    Args:
        address: Which endpoint, and how.
        ca_file: Who may have signed the service's certificate, as PEM; what botocore trusts unless given.
        credentials: Where they come from; botocore's chain unless given.
        timeout_s: The longest wait for anything in a session.
        open_timeout_s: The longest wait for one to open, each time that it is tried.
        policy: How often it is tried, and when one session is given up for another.
    """

    def __init__(
        self,
        address: EndpointAddress,
        *,
        ca_file: str | Path | None = None,
        credentials: CredentialSource | None = None,
        timeout_s: float = 30.0,
        open_timeout_s: float = 10.0,
        policy: ResumePolicy | None = None,
    ) -> None:
        self.address = address
        self._credentials = credentials
        self._ca_file = None if ca_file is None else str(ca_file)
        self._timeout_s = timeout_s
        self._open_timeout_s = open_timeout_s
        self._opener: Opener
        if address.transport == "response-stream":
            self._opener = response_stream_link(
                address.endpoint,
                region=address.region,
                variant=address.variant,
                url=address.url,
                ca_file=self._ca_file,
                credentials=credentials,
                connect_timeout_s=open_timeout_s,
                policy=policy,
            )
        else:
            link = sagemaker_link(
                address.endpoint,
                region=address.region,
                variant=address.variant,
                url=address.url,
                ca_file=self._ca_file,
                credentials=credentials,
                open_timeout_s=open_timeout_s,
            )
            self._opener = resuming(link, policy)

    def __call__(self) -> SpeechSession:
        """Return a session that is yet to be entered; an open one counts as load on the endpoint."""
        return SpeechSession.over(self._opener, timeout_s=self._timeout_s)

    async def prepare(self) -> None:
        """Find out at once whether there is any hope: the SDK, a region, whom to trust, credentials.

        Raises:
            ExtraMissing: the SDK isn't installed.
            InvalidSetting: no region is named, or there is nobody to trust.
            EndpointRefused: there are no credentials.
            SessionTimeout: it takes too long.
        """
        try:
            with anyio.fail_after(self._open_timeout_s):
                await self._prepare()
        except TimeoutError:
            what = f"credentials for endpoint {self.address.endpoint}"
            raise SessionTimeout(what, self._open_timeout_s) from None

    async def _prepare(self) -> None:
        source = own_credentials() if self._credentials is None else self._credentials
        region = self.address.region or await source.region()
        if self.address.transport == "stream":
            http2 = await prepared()
            trusted = self._ca_file or await source.ca_file()
            http2.streams_of_this_loop(region, address_of(region, self.address.url), trusted)  # made once, and kept
        await source.current(self.address.endpoint)

    async def warm(self) -> None:
        """Open a session and close it, so that the first turn finds a connection; what is in its way is logged."""
        try:
            async with self():
                pass
        except PrimavoceError as error:
            log.warning("no session in advance: %s", error)
