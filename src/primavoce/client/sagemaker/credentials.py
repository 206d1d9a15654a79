"""Credentials of AWS, from wherever botocore finds them; botocore itself blocks, so it is asked in a thread."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import anyio.to_thread

from primavoce.errors import EndpointRefused, ExtraMissing, InvalidSetting

WHAT = "SageMaker"
EXTRA = "aws"
KEEP_S = 60.0
"""Seconds that credentials are handed out before botocore is asked again. It renews those that expire at least ten
minutes before they do."""
_REGION = ("region", ["AWS_REGION", "AWS_DEFAULT_REGION"], None, None)
"""Where botocore is to look for the region: by itself it knows only the second."""


@dataclass(frozen=True, slots=True)
class Credentials:
    """What requests are signed with."""

    access_key: str
    secret_key: str = field(repr=False)
    token: str | None = field(default=None, repr=False)


class CredentialSource:
    """Credentials of a botocore session, renewed as they expire.

    Args:
        session: Of botocore; one with the environment's own settings unless given.
        keep_s: Seconds that credentials are handed out before botocore is asked again.
        clock: Seconds.
    """

    def __init__(
        self, session: Any = None, *, keep_s: float = KEEP_S, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._given = session
        self._keep_s = keep_s
        self._clock = clock
        self._lock = threading.Lock()
        self._found: tuple[float, Credentials] | None = None
        self._ca_file: tuple[str | None] | None = None

    async def current(self, endpoint: str) -> Credentials:
        """Return credentials that are good for a while. A caller that is cancelled leaves botocore to its search.

        Args:
            endpoint: That they are for, for the error's sentence.

        Raises:
            EndpointRefused: there are none.
            ExtraMissing: botocore isn't installed.
        """
        if self._found is not None and self._clock() - self._found[0] < self._keep_s:
            return self._found[1]
        return await anyio.to_thread.run_sync(self._ask, endpoint, abandon_on_cancel=True)

    async def region(self) -> str:
        """Return the region that the environment or the profile names.

        Raises:
            InvalidSetting: they name none.
            ExtraMissing: botocore isn't installed.
        """
        found = await anyio.to_thread.run_sync(self._setting, "region", abandon_on_cancel=True)
        if not found:
            raise InvalidSetting("AWS_REGION", "no region is named: set it, or give one in the profile")
        return str(found)

    async def ca_file(self) -> str | None:
        """Return the file of those who may sign certificates (``AWS_CA_BUNDLE``, or the profile's ``ca_bundle``).

        Raises:
            ExtraMissing: botocore isn't installed.
        """
        if self._ca_file is None:
            self._ca_file = (await anyio.to_thread.run_sync(self._setting, "ca_bundle", abandon_on_cancel=True),)
        return self._ca_file[0]

    @property
    def session(self) -> Any:
        """The botocore session."""
        with self._lock:
            if self._given is None:
                self._given = _session()
            return self._given

    def _ask(self, endpoint: str) -> Credentials:
        session = self.session
        with self._lock:  # one at a time: where credentials come from is often a service
            try:
                found = session.get_credentials()
                frozen = None if found is None else found.get_frozen_credentials()
            except Exception as error:  # files, commands and services fail in ways of their own
                raise EndpointRefused(endpoint, f"no credentials can be had ({type(error).__name__})") from error
            if frozen is None or not frozen.access_key:
                raise EndpointRefused(endpoint, "there are no credentials of AWS here")
            current = Credentials(frozen.access_key, frozen.secret_key, frozen.token)
            self._found = self._clock(), current
            return current

    def _setting(self, name: str) -> str | None:
        try:
            found: str | None = self.session.get_config_variable(name)
        except ExtraMissing:
            raise
        except Exception as error:
            raise InvalidSetting("AWS_PROFILE", f"its settings can't be read ({type(error).__name__})") from error
        return found


@cache
def own_credentials() -> CredentialSource:
    """Return this process's own source: looking for credentials costs a second, once."""
    return CredentialSource()


def _session() -> Any:
    try:
        from botocore.session import Session  # type: ignore[import-untyped]
    except ImportError as error:
        raise ExtraMissing(WHAT, EXTRA) from error
    return Session(session_vars={"region": _REGION})
