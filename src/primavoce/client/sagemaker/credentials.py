"""Credentials of AWS, from wherever botocore finds them; botocore itself blocks, so it is asked in a thread."""

import asyncio
import logging
import math
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache, partial
from typing import Any

import anyio

from primavoce.errors import EndpointRefused, ExtraMissing, InvalidSetting

WHAT = "SageMaker"
EXTRA = "aws"
KEEP_S = 60.0
"""Seconds that credentials are handed out before botocore is asked again. It renews those that expire at least ten
minutes before they do."""
PATIENCE_S = 1.0
"""Seconds that an answer is waited for by whoever has credentials that are still good."""
_REGION = ("region", ["AWS_REGION", "AWS_DEFAULT_REGION"], None, None)
"""Where botocore is to look for the region: by itself it knows only the second."""

log = logging.getLogger("primavoce.client")


@dataclass(frozen=True, slots=True)
class Credentials:
    """What requests are signed with."""

    access_key: str
    secret_key: str = field(repr=False)
    token: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class _Found:
    """Credentials, and for how long they are good; both by the source's clock."""

    credentials: Credentials
    at_s: float
    until_s: float


class _NoneFound(Exception):
    """There are no credentials; its text says why."""


class CredentialSource:
    """Credentials of a botocore session, renewed as they expire.

    Args:
        session: Of botocore; one with the environment's own settings unless given.
        keep_s: Seconds that credentials are handed out before botocore is asked again.
        patience_s: Seconds that an answer is waited for by whoever has credentials that are still good.
        clock: Seconds.
    """

    def __init__(
        self,
        session: Any = None,
        *,
        keep_s: float = KEEP_S,
        patience_s: float = PATIENCE_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._given = session
        self._keep_s = keep_s
        self._patience_s = patience_s
        self._clock = clock
        self._lock = threading.Lock()
        """Of the session's making, and of `_running`: nobody searches for credentials while holding it."""
        self._found: _Found | None = None
        self._running: dict[str, Future[Any]] = {}
        """What botocore is being asked, by its name: each once at a time, for all who want to know."""
        self._ca_file: tuple[str | None] | None = None

    async def current(self, endpoint: str) -> Credentials:
        """Return credentials that are good for a while. A caller that is cancelled leaves botocore to its search.

        Args:
            endpoint: That they are for, for the error's sentence.

        Raises:
            EndpointRefused: there are none.
            ExtraMissing: botocore isn't installed.
        """
        found = self._found
        if found is not None and self._clock() - found.at_s < self._keep_s:
            return found.credentials
        if found is None or self._clock() >= found.until_s:
            return await self._search(endpoint)
        try:
            with anyio.move_on_after(self._patience_s):
                return await self._search(endpoint)
            log.warning("credentials take long to be renewed; those before are still good")
        except EndpointRefused as error:
            log.warning("credentials can't be renewed, but those before are still good: %s", error)
        return found.credentials

    async def _search(self, endpoint: str) -> Credentials:
        try:
            found: _Found = await self._answer("credentials", self._ask)
        except _NoneFound as error:
            raise EndpointRefused(endpoint, str(error)) from error
        return found.credentials

    async def region(self) -> str:
        """Return the region that the environment or the profile names.

        Raises:
            InvalidSetting: they name none.
            ExtraMissing: botocore isn't installed.
        """
        found = await self._answer("region", partial(self._setting, "region"))
        if not found:
            raise InvalidSetting("AWS_REGION", "no region is named: set it, or give one in the profile")
        return str(found)

    async def ca_file(self) -> str | None:
        """Return the file of those who may sign certificates (``AWS_CA_BUNDLE``, or the profile's ``ca_bundle``).

        Raises:
            ExtraMissing: botocore isn't installed.
        """
        if self._ca_file is None:
            self._ca_file = (await self._answer("ca_bundle", partial(self._setting, "ca_bundle")),)
        return self._ca_file[0]

    @property
    def session(self) -> Any:
        """The botocore session."""
        with self._lock:
            if self._given is None:
                self._given = _session()
            return self._given

    async def _answer(self, name: str, ask: Callable[[], Any]) -> Any:
        """Return what ``ask`` does, in a thread that keeps no process from ending; join whoever asks already."""
        with self._lock:
            running = self._running.get(name)
            if running is None:
                running = self._running[name] = Future()
                running.set_running_or_notify_cancel()  # from now on, nobody who leaves takes it from the others
                threading.Thread(target=self._run, args=(name, ask), name=f"aws-{name}", daemon=True).start()
        return await asyncio.wrap_future(running)

    def _run(self, name: str, ask: Callable[[], Any]) -> None:
        try:
            answer, failure = ask(), None
        except BaseException as error:  # noqa: BLE001 - whatever it is, somebody waits for it
            answer, failure = None, error
        with self._lock:
            running = self._running.pop(name)
        if failure is None:
            running.set_result(answer)
        else:
            running.set_exception(failure)

    def _ask(self) -> _Found:
        try:
            found = self.session.get_credentials()
            frozen = None if found is None else found.get_frozen_credentials()
        except ExtraMissing:
            raise
        except Exception as error:  # files, commands and services fail in ways of their own
            raise _NoneFound(f"no credentials can be had ({type(error).__name__})") from error
        if frozen is None or not frozen.access_key:
            raise _NoneFound("there are no credentials of AWS here")
        now = self._clock()
        current = Credentials(frozen.access_key, frozen.secret_key, frozen.token)
        self._found = _Found(current, now, now + _seconds_left(found))
        return self._found

    def _setting(self, name: str) -> str | None:
        try:
            found: str | None = self.session.get_config_variable(name)
        except ExtraMissing:
            raise
        except Exception as error:
            raise InvalidSetting("AWS_PROFILE", f"its settings can't be read ({type(error).__name__})") from error
        return found


def _seconds_left(found: Any) -> float:
    """Return for how long botocore's credentials are good: for ever, unless they say when they expire."""
    expiry = getattr(found, "_expiry_time", None)  # which it tells in no other way
    return (expiry - datetime.now(UTC)).total_seconds() if isinstance(expiry, datetime) else math.inf


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
