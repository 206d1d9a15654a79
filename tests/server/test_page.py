"""The page's files: which there are, what is said with them, and that they are open to those without a key."""

import json
import re
from importlib import resources
from pathlib import Path

import pytest

import primavoce
from primavoce.access import parse_keys
from primavoce.server.openapi import OPENAPI_PATH
from primavoce.server.page import MEDIA_TYPES, PageInfo, content_policy
from primavoce.voices.catalogue import VOICES
from tests.server.test_gate import ask

pytestmark = pytest.mark.anyio

KEY = "a-key-that-is-long-enough"
KEYS = parse_keys("PRIMAVOCE_API_KEYS", KEY)
FILES = sorted(entry.name for entry in resources.files(primavoce).joinpath("web").iterdir() if entry.is_file())


async def get(address: str, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    found = await ask(address, path=path, method="GET", headers={k.replace("_", "-"): v for k, v in headers.items()})
    return found[0], dict(found[1]), found[2]


@pytest.mark.parametrize("name", FILES)
async def test_every_file_of_the_page_is_served_as_it_stands(serving, name: str) -> None:
    path = "/" if name == "index.html" else f"/web/{name}"
    async with serving() as server:
        status, headers, body = await get(server.address, path)

    assert status == 200
    assert headers["content-type"] == MEDIA_TYPES[Path(name).suffix[1:]]
    assert body == resources.files(primavoce).joinpath("web", name).read_bytes()


@pytest.mark.parametrize(
    "path", ["/web/", "/web/nothing.js", "/web/../server/page.py", "/web/%2e%2e%2fpy.typed", "/web"]
)
async def test_nothing_else_is_served(serving, path: str) -> None:
    async with serving() as server:
        status, _, body = await get(server.address, path)

    assert status == 404
    assert json.loads(body)["error"] == "unknown_route"


@pytest.mark.parametrize("path", ["/", "/web/app.js"])
async def test_a_browser_is_told_to_take_nothing_from_elsewhere(serving, path: str) -> None:
    async with serving() as server:
        _, headers, _ = await get(server.address, path)

    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    ("host", "presigned", "sockets"),
    [
        ("localhost:8080", None, "connect-src 'self' ws://localhost:8080 wss://localhost:8080;"),
        ("[::1]:8080", None, "connect-src 'self' ws://[::1]:8080 wss://[::1]:8080;"),
        ("a; script-src *", None, "connect-src 'self';"),
        ("localhost", "/presigned", "connect-src 'self' ws://localhost wss://localhost wss:;"),
    ],
)
def test_sockets_go_to_the_own_host_unless_others_are_handed_out(
    host: str, presigned: str | None, sockets: str
) -> None:
    assert sockets in content_policy(PageInfo(kind="agent", presigned=presigned), host)


async def test_a_copy_that_is_the_same_is_not_sent_again(serving) -> None:
    async with serving() as server:
        _, headers, _ = await get(server.address, "/")
        same = await get(server.address, "/", if_none_match=f'"other", W/{headers["etag"]}')
        other = await get(server.address, "/", if_none_match='"other"')

    assert (same[0], same[2], same[1]["etag"]) == (304, b"", headers["etag"])
    assert other[0] == 200


async def test_the_page_is_told_what_can_be_chosen(serving) -> None:
    async with serving(voice="bf_emma") as server:
        status, headers, body = await get(server.address, "/page.json")

    told = json.loads(body)
    assert (status, headers["cache-control"]) == (200, "no-store")
    assert told["kind"] == "speech"
    assert told["voice"] == "bf_emma"
    assert [voice["name"] for voice in told["voices"]] == list(VOICES)
    assert told["key_required"] is False
    assert told["version"] == primavoce.__version__


async def test_without_a_key_the_page_opens_and_is_told_that_one_is_asked_for(serving) -> None:
    async with serving(api_keys=KEYS) as server:
        statuses = [(await get(server.address, path))[0] for path in ("/", "/web/app.js", "/page.json")]
        _, _, without = await get(server.address, "/page.json")
        _, _, wrong = await get(server.address, "/page.json", authorization="Bearer nobody-has-this-key")
        _, _, shown = await get(server.address, "/page.json", authorization=f"Bearer {KEY}")

    assert statuses == [200, 200, 200]
    assert json.loads(without) == {"kind": "speech", "transports": ["sse", "websocket"], "key_required": True}
    assert wrong == without
    assert json.loads(shown)["voices"]


async def test_with_the_page_switched_off_its_routes_are_gone(serving) -> None:
    async with serving(page=False) as server:
        statuses = [(await get(server.address, path))[0] for path in ("/", "/web/app.js", "/page.json")]
        _, _, body = await get(server.address, OPENAPI_PATH)
    async with serving(page=False, api_keys=KEYS) as server:
        refused, _, _ = await get(server.address, "/")

    assert statuses == [404, 404, 404]
    assert "/page.json" not in json.loads(body)["paths"]
    assert refused == 401


async def test_the_page_is_counted_by_its_routes(serving) -> None:
    async with serving() as server:
        await get(server.address, "/web/app.js")
        _, _, body = await get(server.address, "/metrics")

    assert re.search(rb'primavoce_http_requests_total\{route="/web/\{file\}",status="200"\} [1-9]', body)


async def test_a_page_of_another_name_for_this_machine_is_refused(serving) -> None:
    async with serving() as server:
        status, _, _ = await get(server.address, "/", host="rebound.example.com")

    assert status == 421


def test_the_page_asks_nothing_of_other_hosts_and_has_no_inline_code() -> None:
    written = "\n".join(resources.files(primavoce).joinpath("web", name).read_text("utf-8") for name in FILES)
    index = resources.files(primavoce).joinpath("web", "index.html").read_text("utf-8")

    elsewhere = set(re.findall(r"(?:https?|wss?)://[\w.]+", written)) - {"http://www.w3.org"}
    assert elsewhere == set()
    assert re.findall(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=", index) == []
