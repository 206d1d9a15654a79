"""The opening of a connection: who is calling, and what a refusal means."""

import json
import re
from collections.abc import Mapping
from urllib.parse import urlsplit, urlunsplit

from websockets.exceptions import InvalidStatus

from primavoce.errors import ConnectFailed, InvalidSetting, KeyRefused, RequestFailed, SessionError

_KEY = re.compile(r"[!-~]+")


def credentials(api_key: str | None, headers: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the headers to send with the handshake: ``headers``, and the key if there is one.

    Raises:
        InvalidSetting: the key can't be sent; the sentence doesn't tell it.
    """
    sent = dict(headers or {})
    if api_key is not None:
        if not _KEY.fullmatch(api_key):
            raise InvalidSetting("api_key", "a key is printable ASCII, without spaces")
        sent["Authorization"] = f"Bearer {api_key}"
    return sent


def connect_error(url: str, error: Exception, *, api_key: str | None) -> SessionError:
    """Return what ``error``, met while connecting to ``url``, means to whoever called."""
    if isinstance(error, InvalidStatus):
        if error.response.status_code == 401:
            return KeyRefused(shown_url(url), shown=api_key is not None)
        if (refusal := _told(error)) is not None:
            return refusal
    return ConnectFailed(shown_url(url), str(error) or type(error).__name__)


def shown_url(url: str) -> str:
    """Return ``url`` as it may be shown: a query may hold a key, and what stands before ``@`` a password."""
    try:
        parts = urlsplit(url)
        return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment=""))
    except ValueError:
        return url.partition("?")[0]


def _told(error: InvalidStatus) -> RequestFailed | None:
    """Return the error that the server's answer tells, if it is an answer of ours."""
    try:
        body = json.loads(error.response.body or b"")
        return RequestFailed(str(body["error"]), str(body["message"]), retryable=bool(body.get("retryable")))
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
