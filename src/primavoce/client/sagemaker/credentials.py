"""Credentials of AWS, from wherever botocore finds them; botocore itself blocks, so it is asked in a thread."""

import asyncio
import logging
import math
import threading
import time
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache, partial
from typing import Any

import anyio

from primavoce.client.sagemaker.blocking import begun
from primavoce.errors import EndpointRefused, ExtraMissing, InvalidSetting

WHAT = "SageMaker"
EXTRA = "aws"
SIGN_IN = "`aws configure`, `aws sso login`, or set AWS_ACCESS_KEY_ID and the others"
"""What to do where there are no credentials."""
NO_CREDENTIALS = f"there are no credentials: {SIGN_IN}"
KEEP_S = 60.0
"""Seconds that credentials are handed out before botocore is asked again. It renews those that expire at least ten
minutes before they do."""
PATIENCE_S = 1.0
"""Seconds that an answer is waited for by whoever has credentials that are still good."""
AGAIN_S = 60.0
"""Seconds after which another search is begun beside one that doesn't end: a command may ask its user something."""
MOST_SEARCHES = 3
"""Threads that may search at once; if all of them hang, there is nothing but to wait."""
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
    asked_s: float
    """When the search began."""


@dataclass(frozen=True, slots=True)
class _Setting:
    """What a setting is, or why it can't be read."""

    value: str | None
    failure: str | None
    at_s: float
    """By the source's clock."""


@dataclass(frozen=True, slots=True)
class _Search:
    """What botocore is being asked."""

    answer: Future[Any]
    session: "_Session"
    since_s: float
    """By the source's clock."""


class _NoneFound(Exception):
    """There are no credentials; its text says why."""


class _Session:
    """A session of botocore's, made when it is first asked for."""

    def __init__(self, made: Any = None) -> None:
        self._made = made
        self._making = threading.Lock()

    def made(self) -> Any:
        """Return it; the first time, that blocks for a while."""
        with self._making:
            if self._made is None:
                self._made = _session()
            return self._made


class CredentialSource:
    """Credentials of a botocore session, renewed as they expire.

    Args:
        session: Of botocore; one with the environment's own settings unless given.
        keep_s: Seconds that credentials are handed out before botocore is asked again.
        patience_s: Seconds that an answer is waited for by whoever has credentials that are still good.
        again_s: Seconds after which another search is begun beside one that doesn't end, by a session of its own unless
            one was given.
        clock: Seconds.
    """

    def __init__(
        self,
        session: Any = None,
        *,
        keep_s: float = KEEP_S,
        patience_s: float = PATIENCE_S,
        again_s: float = AGAIN_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._session = _Session(session)
        self._is_given = session is not None
        self._keep_s = keep_s
        self._patience_s = patience_s
        self._again_s = again_s
        self._clock = clock
        self._lock = threading.Lock()
        """Of what threads share: nobody searches for credentials, nor makes a session, while holding it."""
        self._found: _Found | None = None
        self._searches: dict[str, list[_Search]] = defaultdict(list)
        """What botocore is being asked, by its name: once at a time, unless it hangs, for all who want to know."""
        self._waiting: dict[str, set[Future[Any]]] = defaultdict(set)
        """What those who want to know wait for, by the name of what they do."""
        self._settings: dict[str, _Setting] = {}

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
        found = await self._setting("region")
        if not found:
            raise InvalidSetting("AWS_REGION", "no region is named: set it, or give one in the profile")
        return found

    async def ca_file(self) -> str | None:
        """Return the file of those who may sign certificates (``AWS_CA_BUNDLE``, or the profile's ``ca_bundle``).

        Raises:
            ExtraMissing: botocore isn't installed.
        """
        return await self._setting("ca_bundle")

    async def _setting(self, name: str) -> str | None:
        """Return a setting: read once, or once in a while for as long as it can't be."""
        known = self._settings.get(name)
        if known is None or (known.failure is not None and self._clock() - known.at_s >= self._keep_s):
            known = self._settings[name] = await self._answer(name, partial(self._read, name))
        if known.failure is not None:
            raise InvalidSetting("AWS_PROFILE", known.failure)
        return known.value

    @property
    def session(self) -> Any:
        """The botocore session: another, unless it was given, once a search by it hangs, and one by another doesn't."""
        return self._session.made()

    async def _answer(self, name: str, ask: Callable[[Any], Any]) -> Any:
        """Return what ``ask`` does, in a thread that keeps no process from ending; join whoever asks already."""
        mine: Future[Any] = Future()
        with self._lock:
            self._waiting[name].add(mine)
            begun_now = self._begin(name, ask)
        if begun_now is not None:
            begun_now.add_done_callback(partial(self._tell, name))
        try:
            return await asyncio.wrap_future(mine)
        finally:
            with self._lock:
                self._waiting[name].discard(mine)

    def _begin(self, name: str, ask: Callable[[Any], Any]) -> Future[Any] | None:
        """Begin a search, unless there is one already that may end; whoever calls holds the lock."""
        running = self._searches[name] = [search for search in self._searches[name] if not search.answer.done()]
        session, is_another = self._session, False
        if running:
            if len(running) >= MOST_SEARCHES or self._clock() - running[-1].since_s < self._again_s:
                return None
            if not self._is_given and any(search.session is session for search in running):
                session, is_another = _Session(), True  # who hangs may hold a lock of the first

        def search() -> Any:
            found = ask(session.made())
            if is_another:
                self._session = session
            return found

        answer = begun(search, f"aws-{name}")
        running.append(_Search(answer, session, self._clock()))
        return answer

    def _tell(self, name: str, answer: Future[Any]) -> None:
        """Tell all who wait what has come first."""
        with self._lock:
            waiting = self._waiting.pop(name, set())
        for each in waiting:
            if not each.set_running_or_notify_cancel():
                continue
            if (error := answer.exception()) is not None:
                each.set_exception(error)
            else:
                each.set_result(answer.result())

    def _ask(self, session: Any) -> _Found:
        asked_s = self._clock()
        try:
            found = session.get_credentials()
            frozen = None if found is None else found.get_frozen_credentials()
        except ExtraMissing:
            raise
        except Exception as error:  # files, commands and services fail in ways of their own
            raise _NoneFound(f"no credentials can be had ({type(error).__name__}): {SIGN_IN}") from error
        if frozen is None or not frozen.access_key:
            raise _NoneFound(NO_CREDENTIALS)
        now = self._clock()
        current = Credentials(frozen.access_key, frozen.secret_key, frozen.token)
        with self._lock:
            if self._found is None or asked_s >= self._found.asked_s:  # what hung knows less than what came after
                self._found = _Found(current, now, now + _seconds_left(found), asked_s)
            return self._found

    def _read(self, name: str, session: Any) -> _Setting:
        try:
            return _Setting(session.get_config_variable(name), None, self._clock())
        except ExtraMissing:
            raise
        except Exception as error:  # noqa: BLE001 - files fail in ways of their own
            return _Setting(None, f"its settings can't be read ({type(error).__name__})", self._clock())


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
