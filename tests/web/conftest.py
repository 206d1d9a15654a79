"""A real Chromium, and a server with the page's modules and scripted answers."""

import os
import re
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, ExitStack, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import anyio
import pytest
import uvicorn
from anyio.from_thread import start_blocking_portal
from starlette.applications import Starlette
from starlette.responses import HTMLResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from primavoce.server.page import page_routes
from primavoce.server.run import listen
from tests.conftest import RunningServer, run_server
from tests.web.scripted import ScriptedAgent
from tests.web.writing import Serving, Writer, page_info, serving

if TYPE_CHECKING:  # the plain run of the tests has no browser
    from playwright.sync_api import Browser, ConsoleMessage, Page, Playwright

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
WEB = Path(__file__).parents[2] / "src/primavoce/web"
PAGES = Path(__file__).parent / "pages"
BLANK = "<!doctype html><html lang=en><title>A test</title><link rel=icon href=data:,><button>Go</button>"
HERE = "127.0.0.1"
PLAYER_SETUP = """
const { recordings, event, state, noise, sine, pushCut, difference, largestStep } = await import('/pages/recording.js');
const { Player } = await import('/player.js');
"""
AUTOPLAY = "--autoplay-policy=no-user-gesture-required"


@pytest.fixture(scope="session")
def playwright() -> "Iterator[Playwright]":
    from playwright.sync_api import sync_playwright

    with sync_playwright() as running:
        yield running


@pytest.fixture(scope="session")
def browser(playwright: "Playwright") -> "Iterator[Browser]":
    """Chromium that lets pages sound unasked."""
    running = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", AUTOPLAY])
    yield running
    running.close()


@pytest.fixture
def tolerated() -> list[str]:
    """Patterns of console errors that a test brings about on purpose; it appends its own."""
    return []


@pytest.fixture
def watched(tolerated: list[str]) -> "Iterator[Callable[[Page], Page]]":
    """Return what watches a page: an error in it, or a request to another host, fails the test."""
    wrong: list[str] = []

    def console(message: "ConsoleMessage") -> None:
        if message.type == "error" and not any(re.search(pattern, message.text) for pattern in tolerated):
            wrong.append(f"console: {message.text}")

    def requested(url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("data", "blob") and parts.hostname != HERE:
            wrong.append(f"request to another host: {url}")

    def watch(page: "Page") -> "Page":
        page.on("console", console)
        page.on("pageerror", lambda error: wrong.append(f"page error: {error}"))
        page.on("request", lambda request: requested(request.url))
        page.on("websocket", lambda socket: requested(socket.url))
        return page

    yield watch
    assert wrong == []


@pytest.fixture
def entered() -> "Iterator[Callable[[AbstractAsyncContextManager[Any]], Any]]":
    """Return what enters context managers on a loop of its own; they are left when the test's pages are gone."""
    with ExitStack() as stack:
        portal = stack.enter_context(start_blocking_portal())
        yield lambda manager: stack.enter_context(portal.wrap_async_context_manager(manager))


@pytest.fixture
def page(browser: "Browser", watched: "Callable[[Page], Page]", entered: object) -> "Iterator[Page]":
    """A page of its own context, watched."""
    context = browser.new_context()
    context.set_default_timeout(20_000)
    yield watched(context.new_page())
    context.close()


def modules(*routes: BaseRoute) -> Starlette:
    """Return a server of the modules and of ``routes``."""

    async def blank(_: object) -> HTMLResponse:
        return HTMLResponse(BLANK)

    return Starlette(
        routes=[
            Route("/blank", blank),
            *routes,
            Mount("/pages", StaticFiles(directory=PAGES)),
            Mount("/", StaticFiles(directory=WEB)),
        ]
    )


@pytest.fixture(scope="session")
def serve_app() -> "Iterator[Callable[[Any], str]]":
    """Return what runs an ASGI application until the tests end, and returns its address."""
    with start_blocking_portal() as portal:
        stops = []

        @asynccontextmanager
        async def running(app: Any) -> AsyncIterator[str]:
            listener = listen(HERE, 0)
            server = uvicorn.Server(uvicorn.Config(app, log_config=None, lifespan="off", ws="websockets-sansio"))
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(server.serve, [listener])
                yield f"http://{HERE}:{listener.getsockname()[1]}"
                server.should_exit = server.force_exit = True

        def serve(app: Any) -> str:
            manager = portal.wrap_async_context_manager(running(app))
            stops.append(manager)
            return manager.__enter__()

        yield serve
        for manager in reversed(stops):
            manager.__exit__(None, None, None)


@pytest.fixture
def agent(shared_server: RunningServer, entered: Callable[..., Any]) -> Callable[..., Serving]:
    """Return what serves the agent itself until the test ends: what writes, other routes than the page's, settings."""

    def serve(writer: Writer | None = None, **options: Any) -> Serving:
        return entered(serving(writer or Writer(), shared_server.address, **options))

    return serve


@pytest.fixture
def speaking_server(entered: Callable[..., Any]) -> Callable[..., str]:
    """Return what serves a humming engine, by settings, until the test ends, and returns its address."""
    return lambda **settings: entered(run_server(**settings)).address


@pytest.fixture
def stand_in(serve_app: Callable[[Any], str]) -> str:
    """Return the address of a stand-in that misbehaves where it is asked to, with the page."""
    return serve_app(Starlette(routes=[*ScriptedAgent().routes(), *page_routes(page_info)]))


@pytest.fixture(scope="session")
def modules_address(serve_app: Callable[[Any], str]) -> str:
    """Return the address of the page's modules, with a blank page beside them."""
    return serve_app(modules())


@pytest.fixture
def run_player(page: "Page", modules_address: str) -> Callable[[str], Any]:
    """Return what runs a function's body in a page, with the player and the recorder at hand."""
    page.goto(f"{modules_address}/blank")
    return lambda body: page.evaluate(f"async () => {{ {PLAYER_SETUP} {body} }}")
