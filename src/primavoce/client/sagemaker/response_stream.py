"""Sessions with an endpoint whose utterances are calls of their own: where streams in both directions can't be had.

The text of an utterance is sent when it is complete, and its audio comes as it is made. So a first sentence waits for
the last, and words have no times.
"""

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import anyio.to_thread

from primavoce.client.link import Opener
from primavoce.client.resuming.policy import ResumePolicy
from primavoce.client.sagemaker.credentials import CredentialSource, own_credentials
from primavoce.client.sagemaker.response_call import ResponseStreams
from primavoce.client.sagemaker.response_link import ResponseStreamLink
from primavoce.errors import SessionTimeout, lone_error


def response_stream_link(
    endpoint: str,
    *,
    region: str | None = None,
    variant: str | None = None,
    url: str | None = None,
    ca_file: str | Path | None = None,
    credentials: CredentialSource | None = None,
    connect_timeout_s: float = 10.0,
    silence_s: float = 30.0,
    policy: ResumePolicy | None = None,
) -> Opener:
    """Return what opens a link with an endpoint, for `primavoce.client.SpeechSession.over`; needs the extra ``aws``.

    Nothing is sent before the first utterance's text is complete. A call that fails is tried again as long as nothing
    of its audio has come; after that, the utterance ends with the error.

    Args:
        endpoint: Its name.
        region: Of AWS; the environment's or the profile's unless given.
        variant: Of the endpoint; SageMaker chooses unless given.
        url: Address of the service; the region's own unless given.
        ca_file: Who may have signed the service's certificate, as PEM; what botocore trusts unless given.
        credentials: Where they come from; botocore's chain unless given.
        connect_timeout_s: The longest wait for credentials, and for a connection.
        silence_s: Seconds without a byte after which a call is given up.
        policy: How often an utterance is asked for before anything is heard of it, and with what pauses.
    """
    made: list[ResponseStreams] = []
    one_at_a_time = threading.Lock()

    def make(region: str, source: CredentialSource) -> None:
        with one_at_a_time:
            if not made or made[0].session is not source.session:  # by the one before, calls may wait for ever
                made[:] = [
                    ResponseStreams(
                        endpoint,
                        region=region,
                        variant=variant,
                        url=url,
                        ca_file=None if ca_file is None else str(ca_file),
                        credentials=source,
                        connect_timeout_s=connect_timeout_s,
                        silence_s=silence_s,
                    )
                ]

    @asynccontextmanager
    async def open_link() -> AsyncIterator[ResponseStreamLink]:
        source = own_credentials() if credentials is None else credentials
        try:
            with anyio.fail_after(connect_timeout_s):
                await source.current(endpoint)
                in_region = region or await source.region()
                await anyio.to_thread.run_sync(make, in_region, source, abandon_on_cancel=True)  # once, for a while
        except TimeoutError:
            raise SessionTimeout(f"credentials for endpoint {endpoint}", connect_timeout_s) from None
        link = ResponseStreamLink(made[0], ResumePolicy() if policy is None else policy)
        with lone_error():
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(link.speak_all)
                try:
                    yield link
                finally:
                    tasks.cancel_scope.cancel()
                    link.close()

    return open_link
