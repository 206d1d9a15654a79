"""What tests of the page do and look for."""

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # the plain run of the tests has no browser
    from playwright.sync_api import Page, Request, WebSocket

TRANSPORTS = ["sse", "websocket"]


def ask(page: "Page", prompt: str = "Why?") -> None:
    page.locator("#prompt").click()
    page.keyboard.insert_text(prompt)
    page.keyboard.press("Enter")


def expect(page: "Page", selector: str, *, text: str | re.Pattern[str] | None = None, state: Any = "visible") -> None:
    """Wait for an element of the last answer or the page, and for what stands in it."""
    page.locator(selector, has_text=text).last.wait_for(state=state, timeout=15_000)


def heard(page: "Page") -> str:
    """Return the last answer's text that is not crossed out."""
    return str(
        page.evaluate("""() => {
            const text = [...document.querySelectorAll('.answer-text')].at(-1).cloneNode(true);
            text.querySelectorAll('.unheard').forEach((each) => each.remove());
            return text.textContent;
        }""")
    )


class Traffic:
    """What a page and its server have said to each other, from when this was made."""

    def __init__(self, page: "Page") -> None:
        self.sent: list[dict[str, Any]] = []
        """Messages of the page, by whichever transport."""
        self.audio = bytearray()
        """All that came in binary frames."""
        page.on("request", self._request)
        page.on("websocket", self._socket)

    def of(self, kind: str) -> list[dict[str, Any]]:
        """Return the messages of type ``kind`` that the page has sent."""
        return [message for message in self.sent if message.get("type") == kind]

    def _request(self, request: "Request") -> None:
        if request.method == "POST":
            self.sent.append(request.post_data_json)

    def _socket(self, socket: "WebSocket") -> None:
        socket.on("framesent", lambda frame: self.sent.append(json.loads(frame)))
        socket.on("framereceived", lambda frame: isinstance(frame, bytes) and self.audio.extend(frame))
