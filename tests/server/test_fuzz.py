"""Bytes by chance on the server's port, before the handshake and after it; each time the next client is served."""

import http.client
import json
import logging
import random
import time
from collections.abc import Iterator
from urllib.parse import urlsplit

import anyio
import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from structlog.testing import capture_logs
from structlog.typing import EventDict
from websockets.sync.client import connect

from primavoce.server.run import is_news
from tests.conftest import RunningServer, run_server
from tests.server.rough_clients import bother

BURST = 20
"""Rough clients between two looks at whether the server is well."""
PLAIN_S = 2.0


class Patient:
    """A server, and how it is."""

    def __init__(self, portal: BlockingPortal, server: RunningServer, said: list[EventDict]) -> None:
        self._portal = portal
        self._server = server
        self._said = said
        parts = urlsplit(server.address)
        self.place = (str(parts.hostname), int(parts.port or 0))

    def check(self) -> None:
        """Assert that it is well: nobody is left inside, it answers, it speaks, and it calls nothing our fault."""
        self._portal.call(self._until_empty)
        connection = http.client.HTTPConnection(*self.place, timeout=10)
        connection.request("GET", "/ping")
        assert connection.getresponse().status == 200
        connection.close()
        self._speak()
        faults = [said for said in self._said if said["log_level"] in ("error", "critical")]
        assert not faults

    def _speak(self) -> None:
        frames: list[str | bytes] = []
        with connect(self._server.session_url, compression=None) as session:
            session.send(json.dumps({"text": "Are you well?", "request_id": "r"}))
            while not frames or "synthesis_complete" not in str(frames[-1]):
                frames.append(session.recv(timeout=10))
            session.send('{"type": "close"}')
            assert json.loads(session.recv(timeout=10))["type"] == "session_complete"
        assert any(isinstance(frame, bytes) for frame in frames)

    async def _until_empty(self) -> None:
        with anyio.fail_after(10):
            while len(self._server.lobby):  # noqa: ASYNC110 - the server has no event for a test to wait for
                await anyio.sleep(0.001)


@pytest.fixture
def patient() -> Iterator[Patient]:
    # A half-open session ends when its client has not been heard of; rough clients are not waited for that long.
    changes = {"first_message_s": 5.0, "session_idle_s": 5.0, "receive_timeout_s": 5.0, "send_timeout_s": 5.0}
    with capture_logs() as said, start_blocking_portal() as portal:
        with portal.wrap_async_context_manager(run_server(**changes)) as server:
            yield Patient(portal, server, said)


def fuzz(patient: Patient, *, seed: int, for_s: float) -> int:
    """Bother the server for so many seconds, and return how many clients did."""
    ends_at = time.monotonic() + for_s
    clients = 0
    while time.monotonic() < ends_at:
        for _ in range(BURST):
            # One seed a client: that of the client who did the harm is enough to see it again.
            bother(random.Random(f"{seed}/{clients}"), patient.place)
            clients += 1
        try:
            patient.check()
        except Exception as failure:
            failure.add_note(f"--fuzz-seed {seed}, clients {clients - BURST} to {clients - 1}")
            raise
    return clients


def faults_of_libraries(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return what was logged as an error by what the server stands on."""
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR and is_news(record)]


def test_no_bytes_hold_up_the_next_client(patient: Patient, caplog: pytest.LogCaptureFixture, request) -> None:
    seed = request.config.getoption("--fuzz-seed") or random.SystemRandom().randrange(10**6)

    clients = fuzz(patient, seed=seed, for_s=PLAIN_S)

    assert clients >= BURST
    assert faults_of_libraries(caplog) == [], f"--fuzz-seed {seed}"


@pytest.mark.fuzz
@pytest.mark.timeout(0)
def test_no_bytes_hold_up_the_next_client_for_long(patient: Patient, caplog: pytest.LogCaptureFixture, request) -> None:
    seed = request.config.getoption("--fuzz-seed") or random.SystemRandom().randrange(10**6)

    clients = fuzz(patient, seed=seed, for_s=request.config.getoption("--fuzz-s"))

    assert clients >= BURST
    assert faults_of_libraries(caplog) == [], f"--fuzz-seed {seed}"
