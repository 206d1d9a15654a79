"""A tab in the background of a real browser. To Playwright, each of its pages is always in front."""

import json
import re
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from websockets.sync.client import ClientConnection, connect

WAIT_S = 20
UNTIL = """
const until = (found) => new Promise((resolve) => {
  const look = () => {
    const it = found();
    if (!it) return;
    clearInterval(timer);
    resolve(typeof it === 'string' ? it : true);
  };
  const timer = setInterval(look, 20);
});
"""
"""For `Tab.run`: waits for what a function finds. A hidden page's timers are slow, and come."""


class Tab:
    """A page that is driven by the browser's own protocol."""

    def __init__(self, browser: ClientConnection, address: str) -> None:
        self._browser = browser
        self._asked = 0
        tab = self._ask("Target.createTarget", {"url": "about:blank"})["targetId"]
        self._session = self._ask("Target.attachToTarget", {"targetId": tab, "flatten": True})["sessionId"]
        self._ask("Page.navigate", {"url": address}, sessionId=self._session)

    def run(self, expression: str) -> Any:
        """Return what ``expression`` is in the page; a promise is waited for."""
        body = f"(async () => {{ {UNTIL} return ({expression}); }})()"
        given = {"expression": body, "awaitPromise": True, "returnByValue": True}
        told = self._ask("Runtime.evaluate", given, sessionId=self._session)
        assert "exceptionDetails" not in told, told
        return told["result"].get("value")

    def hide(self) -> None:
        """Open another tab before it."""
        self._ask("Target.createTarget", {"url": "about:blank"})

    def _ask(self, method: str, parameters: dict[str, Any], **more: str) -> Any:
        self._asked += 1
        self._browser.send(json.dumps({"id": self._asked, "method": method, "params": parameters, **more}))
        while True:
            answer = json.loads(self._browser.recv(timeout=WAIT_S))
            if answer.get("id") == self._asked:
                return answer["result"]


@contextmanager
def browser_tab(chromium: str, option: str, address: str) -> Iterator[Tab]:
    """Open the page at ``address`` in a browser of its own while the block runs.

    Args:
        chromium: The browser.
        option: Of its command line.
        address: Of the page.
    """
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [chromium, "--headless", "--no-sandbox", "--remote-debugging-port=0", f"--user-data-dir={profile}"]
        with subprocess.Popen([*command, option, "about:blank"], stderr=subprocess.PIPE, text=True) as browser:
            try:
                lines = browser.stderr or ()
                told = next(found for line in lines if (found := re.search(r"listening on (ws://\S+)", line)))
                with connect(told[1], max_size=None) as socket:
                    yield Tab(socket, address)
            finally:
                browser.terminate()
