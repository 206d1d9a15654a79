"""Who is let in: the name that the server is called by, where a web page comes from, and the API key.

Nothing of a request but its headers and its query is looked at before. ``/ping`` is open to all, since a load
balancer has no key, and tells nothing but whether the server is ready and what it runs on. The page asks for no key
either, or nobody could type one there.
"""

import ipaddress
import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from urllib.parse import unquote_to_bytes, urlsplit

import structlog
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

from primavoce.access import ANY_ORIGIN, DEFAULT_PORTS, parse_origin
from primavoce.errors import AccessRefused, HostRefused, OriginRefused, Unauthorized
from primavoce.server.keys import KeyRing
from primavoce.server.refusal import error_response

OPEN_PATH = "/ping"
SCHEMES = (b"bearer", b"token")
SECURE_SCHEMES = ("https", "wss")
"""Of a request that came by TLS, or whose proxy says so."""
KEY_PARAMETERS = (b"token", b"api_key")
"""Browsers can't set a header of a WebSocket; they may show their key in the query."""
EXPOSED_HEADERS = (
    "Retry-After",
    "X-Audio-Duration",
    "X-Characters-Processed",
    "X-Inference-Time-Ms",
    "X-RTF",
    "X-Request-Id",
)
"""What a web page's script may read of an answer, besides what every script may."""
ALLOWED_HEADERS = (
    "Authorization",
    "OpenAI-Organization",
    "OpenAI-Project",
    "User-Agent",  # Chromium keeps its own, others take the script's
    "X-Stainless-Arch",
    "X-Stainless-Helper-Method",
    "X-Stainless-Lang",
    "X-Stainless-OS",
    "X-Stainless-Package-Version",
    "X-Stainless-Retry-Count",
    "X-Stainless-Runtime",
    "X-Stainless-Runtime-Version",
    "X-Stainless-Timeout",
)
"""What it may put into a request, besides what every script may: a key, and what OpenAI's package for it sends."""
DENIAL = "websocket.http.response"

_HOST = re.compile(rb"(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9._-]+))(?::[0-9]*)?")

log = structlog.get_logger("primavoce.server")


@dataclass(frozen=True, slots=True)
class GatePolicy:
    """Who is let in."""

    keys: KeyRing
    allowed_origins: tuple[str, ...] = ()
    """Web pages that may speak to the server besides its own; ``*`` is all."""
    on_loopback: bool = False
    """Whether only this machine reaches the server."""
    told: Callable[[str], None] = lambda _: None
    """Told of the code of each refusal."""
    keyless: Callable[[str], bool] = lambda _: False
    """Whether a path is open to those without a key; who shows one is still noted."""

    @property
    def checks_hosts(self) -> bool:
        """Whether the server answers by its own names alone.

        Where a page's name can be made to resolve to this machine, the page is of the server's own origin in the
        browser's eyes (DNS rebinding). A key keeps it out; on loopback without one, only the name tells. Where the
        network reaches the server, its names are not known here.
        """
        return self.on_loopback and not self.keys.asks and ANY_ORIGIN not in self.allowed_origins


class Gate:
    """An ASGI application round another one that only sees whoever is let in.

    The name of the key is left in ``scope["state"]["owner"]``, and the key itself is taken out of the query: no log
    line that is written of the request can tell it.

    Args:
        app: What is behind the gate.
        policy: Who may pass.
    """

    def __init__(self, app: ASGIApp, policy: GatePolicy) -> None:
        self._app = app
        self._policy = policy

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request or a socket in, or answer with the reason why not."""
        if scope["type"] in ("http", "websocket"):
            # In place: the server's own lines are written of this very scope.
            shown, scope["query_string"] = take_key(scope.get("query_string", b""))
            try:
                if scope["path"] != OPEN_PATH:
                    self._check(scope, shown)
            except AccessRefused as refusal:
                # Not the path, which may be of any length, and hold a key by mistake: /invocations&token=KEY.
                log.info("refused", code=refusal.code, kind=scope["type"])
                self._policy.told(refusal.code)
                await _refuse(refusal, scope, receive, send)
                return
        await self._app(scope, receive, send)

    def _check(self, scope: Scope, shown: bytes | None) -> None:
        """Raise why ``scope`` isn't let in, if it isn't."""
        headers = list(scope["headers"])
        host = _header(headers, b"host") or b""
        if self._policy.checks_hosts and not names_this_machine(host, self._policy.allowed_origins):
            raise HostRefused
        origin = _header(headers, b"origin")
        changes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD", "OPTIONS")
        secure = scope.get("scheme") in SECURE_SCHEMES
        if origin is not None and changes and not may_speak(origin, host, self._policy.allowed_origins, secure=secure):
            raise OriginRefused
        if self._policy.keys.asks:
            owner = self._owner(headers, shown)
            if owner is not None:
                scope.setdefault("state", {})["owner"] = owner
            elif not self._policy.keyless(scope["path"]):
                raise Unauthorized

    def _owner(self, headers: Iterable[tuple[bytes, bytes]], shown: bytes | None) -> str | None:
        for key in (_bearer(_header(headers, b"authorization")), shown):
            name = None if key is None else self._policy.keys.name_of(key)
            if name is not None:
                return name
        return None


def gates(policy: GatePolicy) -> list[Middleware]:
    """Return what stands round the application, outermost first.

    The answer to a web page's preflight needs no key, for a browser sends none; and a refusal says for which page it
    is, or its script couldn't read it.
    """
    gate = Middleware(Gate, policy)
    if not policy.allowed_origins:
        return [gate]
    sharing = Middleware(
        CORSMiddleware,
        allow_origins=policy.allowed_origins,
        allow_methods=("GET", "POST"),
        allow_headers=ALLOWED_HEADERS,
        expose_headers=EXPOSED_HEADERS,
    )
    return [sharing, gate]


def take_key(query: bytes) -> tuple[bytes | None, bytes]:
    """Return the first key in ``query``, and the query without any."""
    shown: bytes | None = None
    kept = []
    for part in query.split(b"&"):
        name, _, value = part.partition(b"=")
        if unquote_to_bytes(name).lower() not in KEY_PARAMETERS:
            kept.append(part)
        elif shown is None:
            shown = unquote_to_bytes(value)  # a key has no spaces, so a + is no space either, as it would be in a form
    return shown, b"&".join(kept)


def may_speak(origin: bytes, host: bytes, allowed: Collection[str], *, secure: bool) -> bool:
    """Return whether a web page of ``origin`` may speak to the server that it called by ``host``.

    Args:
        origin: What its browser says.
        host: The request's.
        allowed: Those that may besides the server's own.
        secure: Whether the request came by TLS.
    """
    page = parse_origin(origin.decode("latin-1"))
    if ANY_ORIGIN in allowed:
        return True
    if page is None:  # "null", of a page without an origin of its own
        return False
    if page in allowed:
        return True
    parts = urlsplit(page)
    if secure and parts.scheme != "https":  # anybody on the way may have written it
        return False
    called = host.decode("latin-1").lower()
    # By its own scheme's port, for TLS may have ended before us.
    return parts.netloc == called.removesuffix(f":{DEFAULT_PORTS.get(parts.scheme)}")


def names_this_machine(host: bytes, allowed: Iterable[str]) -> bool:
    """Return whether the ``Host`` header names loopback, or the host of an origin that is ``allowed``."""
    found = _HOST.fullmatch(host)
    if found is None:
        return False
    name = (found[1] or found[2]).decode("ascii").lower()
    return is_loopback(name) or any(name == urlsplit(origin).hostname for origin in allowed)


def is_loopback(host: str) -> bool:
    """Return whether only this machine reaches ``host``, an address or ``localhost``."""
    if host == "localhost":
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_loopback


def _header(headers: Iterable[tuple[bytes, bytes]], wanted: bytes) -> bytes | None:
    """Return the value of the first header of this name."""
    return next((value for name, value in headers if name.lower() == wanted), None)


def _bearer(value: bytes | None) -> bytes | None:
    """Return the key of an ``Authorization`` header, if it shows one."""
    scheme, _, key = (value or b"").strip().partition(b" ")
    return key.strip() if scheme.lower() in SCHEMES else None


async def _refuse(refusal: AccessRefused, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket" and DENIAL not in scope.get("extensions", {}):
        await send({"type": "websocket.close"})  # before it was accepted: the client sees 403
        return
    await error_response(refusal)(scope, receive, send)
