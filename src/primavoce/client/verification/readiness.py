"""What ``GET /ping`` says: whether a server is ready, and what it runs on."""

import base64
import json
import ssl
from collections.abc import Mapping
from functools import partial
from http import HTTPStatus
from urllib.parse import unquote, urlsplit, urlunsplit

import anyio
import anyio.to_thread

from primavoce.client.verification.conversation import CheckFailed, Conversation

PING_PATH = "/ping"
MOST_BYTES = 64 * 1024
"""Of the answer that are looked at."""
SILENT = "ready; it doesn't say what it runs on"


async def is_ready(talk: Conversation) -> str:
    """The server says that it is ready; SageMaker, and every load balancer, asks for no more."""
    for url in ping_urls(talk.url):
        path = urlsplit(url).path
        status, body = await _ask(talk, url, path)
        if status in {HTTPStatus.OK, HTTPStatus.SERVICE_UNAVAILABLE}:
            break  # any other may be a gateway's word, for which this is no path
    told = _told(body)
    if status != HTTPStatus.OK:
        word = told.get("status")
        raise CheckFailed(f"{path} answered {status}{f', {word}' if word else ''}")
    device, provider = told.get("device"), told.get("provider")
    if device is None:
        return SILENT
    return device if provider is None else f"{device}, by {provider}"


async def _ask(talk: Conversation, url: str, path: str) -> tuple[int, bytes]:
    """Return the status and the body that ``url`` answers with."""
    ask = partial(_get, url, ping_headers(talk.url, talk.headers), talk.timeout_s, talk.ssl_context)
    try:
        with anyio.fail_after(talk.timeout_s):
            # Left alone when the time is over: its socket has the same limit.
            return await anyio.to_thread.run_sync(ask, abandon_on_cancel=True)
    except TimeoutError:
        raise CheckFailed(f"no answer of {path} within {talk.timeout_s:g} s") from None
    except OSError as error:  # urllib's own errors are of this kind, too
        raise CheckFailed(f"{path}: {getattr(error, 'reason', error)}") from error


def ping_urls(session_url: str) -> tuple[str, ...]:
    """Return where ``GET /ping`` may be for a session: beside it, then at the root of its host; without secrets."""
    parts = urlsplit(session_url)
    scheme = {"ws": "http", "wss": "https"}[parts.scheme]
    beside = parts.path.rpartition("/")[0] + PING_PATH
    host = parts.netloc.rpartition("@")[2]
    return tuple(urlunsplit((scheme, host, path, "", "")) for path in dict.fromkeys((beside, PING_PATH)))


def ping_headers(session_url: str, headers: Mapping[str, str]) -> dict[str, str]:
    """Return ``headers``, and the name and password of the session's address if there are any."""
    who, at, _ = urlsplit(session_url).netloc.rpartition("@")
    if not at:
        return dict(headers)
    shown = base64.b64encode(unquote(who).encode()).decode()
    return {"Authorization": f"Basic {shown}", **headers}


def _get(url: str, headers: dict[str, str], timeout_s: float, ssl_context: ssl.SSLContext | None) -> tuple[int, bytes]:
    """Return the status and the body that ``url`` answers with; blocking."""
    import urllib.request
    from http.client import HTTPException
    from urllib.error import HTTPError

    class Staying(urllib.request.HTTPRedirectHandler):
        """Goes nowhere else: the key is for this host alone."""

        def redirect_request(self, *_: object) -> None:
            return None

    opener = urllib.request.build_opener(Staying, urllib.request.HTTPSHandler(context=ssl_context))
    request = urllib.request.Request(url, headers=headers)  # noqa: S310 - http or https, by how it was made
    try:
        with opener.open(request, timeout=timeout_s) as answer:
            return answer.status, answer.read(MOST_BYTES)
    except HTTPError as error:
        with error:
            return error.code, error.read(MOST_BYTES)
    except HTTPException as error:
        told = f"{urlsplit(url).path} is answered by what is no HTTP ({type(error).__name__})"
        raise CheckFailed(told) from error


def _told(body: bytes) -> dict[str, str]:
    """Return the words of a JSON object, if the body is one."""
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return {name: value for name, value in found.items() if isinstance(value, str)} if isinstance(found, dict) else {}
