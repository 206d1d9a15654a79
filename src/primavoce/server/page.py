"""The page where one hears the server, and what it needs to know of it.

The files are those of the package's folder ``web``, as they stand; nothing else is served from it. They are read once.
"""

import hashlib
import re
from collections.abc import Callable, Iterator
from importlib import resources
from typing import Literal

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

import primavoce
from primavoce.languages import LANGUAGES
from primavoce.settings import Settings
from primavoce.voices.catalogue import VOICES

PAGE_PATH = "/"
FILES_PREFIX = "/web/"
FILE_PATH = f"{FILES_PREFIX}{{file}}"
INFO_PATH = "/page.json"
INDEX = "index.html"
MEDIA_TYPES = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}
"""Suffix → media type, of what may be served."""
MODEL = "Kokoro-82M"

_HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(:[0-9]+)?")


class PageVoice(msgspec.Struct, frozen=True, kw_only=True):
    """A voice that can be chosen."""

    name: str
    language: str
    """The tag of the language it was made for."""
    gender: str


class PageInfo(msgspec.Struct, frozen=True, kw_only=True):
    """What the page needs to know of the server behind it."""

    kind: Literal["agent", "speech"]
    """Whether an agent answers what is typed, or what is typed is spoken."""
    transports: tuple[str, ...] = ("sse", "websocket")
    """Ways that an answer can come."""
    key_required: bool = False
    """Whether the server asks for an API key."""
    model: str | None = None
    """What writes or speaks, for people."""
    voice: str | None = None
    """The voice of a request that names none."""
    voices: tuple[PageVoice, ...] = ()
    languages: tuple[str, ...] = ()
    """Tags."""
    formats: tuple[str, ...] = ("pcm",)
    version: str | None = None
    """The package's."""
    presigned: str | None = None
    """Path that tells the address of each WebSocket; None where it is the server's own."""


class PublicInfo(msgspec.Struct, frozen=True, kw_only=True):
    """What one is told who hasn't shown the key that is asked for."""

    kind: Literal["agent", "speech"]
    transports: tuple[str, ...]
    key_required: bool


class PageFile(msgspec.Struct, frozen=True):
    """One file of the page."""

    body: bytes
    media_type: str
    tag: str
    """Changes with the body: the answer's ETag."""


def page_info(
    settings: Settings,
    *,
    kind: Literal["agent", "speech"],
    model: str,
    key_required: bool,
    presigned: str | None = None,
) -> PageInfo:
    """Return what the page is told of a server that speaks with Kokoro's voices; see `PageInfo`."""
    return PageInfo(
        kind=kind,
        key_required=key_required,
        model=model,
        voice=settings.voice,
        voices=kokoro_voices(),
        languages=tuple(LANGUAGES),
        version=primavoce.__version__,
        presigned=presigned,
    )


def kokoro_voices() -> tuple[PageVoice, ...]:
    """Return the voices that there are, for the page."""
    return tuple(PageVoice(name=each.name, language=each.language, gender=each.gender) for each in VOICES.values())


def page_routes(info: Callable[[], PageInfo]) -> list[Route]:
    """Return the routes of the page: itself, its files and what it asks of its server.

    Where keys are asked for, these routes must be left open (`is_page_path`), or nobody could type one; who hasn't
    shown one is told `PublicInfo` alone. Whoever stands before them notes who has in ``scope["state"]["owner"]``.

    Args:
        info: Tells what holds now.
    """
    files = dict(_page_files())

    async def index(request: Request) -> Response:
        return _answer(request, files[INDEX], info())

    async def file(request: Request) -> Response:
        found = files.get(request.path_params["file"])
        if found is None:
            raise HTTPException(404)
        return _answer(request, found, info())

    async def told(request: Request) -> Response:
        full = info()
        known = not full.key_required or "owner" in request.scope.get("state", {})
        shown = full if known else PublicInfo(**{name: getattr(full, name) for name in PublicInfo.__struct_fields__})
        headers = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
        return Response(msgspec.json.encode(shown), headers=headers, media_type="application/json")

    return [Route(PAGE_PATH, index), Route(FILE_PATH, file), Route(INFO_PATH, told)]


def is_page_path(path: str) -> bool:
    """Return whether ``path`` is one of the page's, which tell nothing secret."""
    return path in (PAGE_PATH, INFO_PATH) or path.startswith(FILES_PREFIX)


def content_policy(info: PageInfo, host: str) -> str:
    """Return the ``Content-Security-Policy``: the page's own files, and its own server.

    Args:
        info: Of the server.
        host: What the request calls it. Not every browser takes a WebSocket of the page's own host for ``'self'``.
    """
    sockets = f" ws://{host} wss://{host}" if _HOST.fullmatch(host) else ""
    elsewhere = " wss:" if info.presigned else ""
    return (
        "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; img-src 'self'; "
        f"connect-src 'self'{sockets}{elsewhere}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


def _page_files() -> Iterator[tuple[str, PageFile]]:
    """Yield the name and the content of each file of the page."""
    for entry in resources.files(primavoce).joinpath("web").iterdir():
        media_type = MEDIA_TYPES.get(entry.name.rpartition(".")[2])
        if media_type is not None and entry.is_file():
            body = entry.read_bytes()
            yield entry.name, PageFile(body, media_type, f'"{hashlib.sha256(body).hexdigest()[:32]}"')


def _answer(request: Request, file: PageFile, info: PageInfo) -> Response:
    """Return ``file``, or word that the browser's copy of it is the same."""
    headers = {
        "Cache-Control": "no-cache",
        "Content-Security-Policy": content_policy(info, request.headers.get("host", "")),
        "ETag": file.tag,
        "Permissions-Policy": "camera=(), geolocation=(), microphone=(self)",
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
    }
    known = {tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")}
    if known & {file.tag, "*"}:
        return Response(status_code=304, headers=headers)
    return Response(file.body, headers=headers, media_type=file.media_type)
