"""One message to a deployed runtime and its answer, by calls that block."""

import json
import threading
from typing import Any

import structlog
import urllib3
from urllib3.exceptions import HTTPError, ReadTimeoutError

from primavoce.agent.runtime.deployed import DeployedRuntime
from primavoce.agent.runtime.failures import BROKEN_OFF, MAY_HAVE_ARRIVED, NOT_UNDERSTOOD, SILENT, kinds_of
from primavoce.errors import AgentError, PrimavoceError, RuntimeBusy, RuntimeFailed, RuntimeUnavailable

EVENTS, OBJECT = "text/event-stream", "application/json"
CONFLICT_PAUSES_S = (0.25, 0.5, 1.0, 2.0)
"""Seconds before a message is sent again to a session that is only just starting, or ending."""
PIECE_BYTES = 64 * 1024
"""The most that is read at a time."""
MAX_OBJECT_BYTES = 1024 * 1024
"""The longest answer in one piece."""

log = structlog.get_logger("primavoce.agent")


class RuntimeCall:
    """A message and its answer. One thread calls all of it, but for `leave`.

    Args:
        runtime: Answers.
        message: A JSON object.
        session_id: Whose conversation it is.
        accept: The media type that the answer must have.
    """

    def __init__(self, runtime: DeployedRuntime, message: bytes, session_id: str, *, accept: str) -> None:
        self._runtime = runtime
        self._message = message
        self._session_id = session_id
        self._accept = accept
        self._left = threading.Event()
        self._body: urllib3.BaseHTTPResponse | None = None
        self.goes_on = False
        """Whether the runtime may be answering still, as far as this thread knows."""

    def open(self) -> None:
        """Send the message, and wait until the answer begins.

        Raises:
            AgentError: it can't be had.
        """
        answer = self._invoked()
        # Of its streams, botocore's own reading waits until as much has come as is asked for; this is what is beneath.
        self._body = answer["response"].__enter__()
        if answer.get("contentType", "").partition(";")[0].strip().lower() != self._accept:
            raise RuntimeFailed(NOT_UNDERSTOOD)

    def read(self) -> bytes:
        """Return what has come of the answer, as soon as something has; nothing when it has ended.

        Raises:
            RuntimeUnavailable: it broke off, or nothing more comes.
        """
        assert self._body is not None
        try:
            piece = self._body.read1(PIECE_BYTES)
        except (HTTPError, OSError) as error:
            raise RuntimeUnavailable(SILENT if isinstance(error, ReadTimeoutError) else BROKEN_OFF) from error
        self.goes_on = bool(piece)
        return piece

    def read_object(self) -> bytes:
        """Return the answer, a JSON object.

        Raises:
            AgentError: it is none, or broke off.
        """
        content = b""
        while piece := self.read():
            content += piece
            if len(content) > MAX_OBJECT_BYTES:
                raise RuntimeFailed(NOT_UNDERSTOOD)
        try:
            found = json.loads(content)
        except ValueError as error:
            raise RuntimeFailed(NOT_UNDERSTOOD) from error
        if not isinstance(found, dict):
            raise RuntimeFailed(NOT_UNDERSTOOD)
        return content

    def leave(self) -> None:
        """Have whatever is being waited for end soon, and fail; from any thread.

        An answer that hasn't begun can't be hurried: that it begins, or doesn't, is waited for.
        """
        self._left.set()
        answer = self._body
        if answer is not None:
            try:
                answer.shutdown()
            except (OSError, RuntimeError, ValueError):
                pass  # it has ended

    def end(self) -> None:
        """Let the connection go."""
        if self._body is not None:
            self._body.close()
            self._body = None

    def _invoked(self) -> dict[str, Any]:
        for pause_s in (*CONFLICT_PAUSES_S, None):
            self.goes_on = True
            try:
                return self._runtime.invoke(self._message, self._session_id, accept=self._accept)
            except AgentError as error:
                self.goes_on = error.__cause__ is not None and bool(
                    MAY_HAVE_ARRIVED.intersection(kinds_of(error.__cause__))
                )
                if not isinstance(error, RuntimeBusy) or pause_s is None or self._left.wait(pause_s):
                    raise
        raise AssertionError


def cancel_answer(runtime: DeployedRuntime, session_id: str, request_id: str) -> None:
    """Tell ``runtime`` that nobody reads an answer any more: it doesn't notice by itself.

    Args:
        runtime: Writes it.
        session_id: Whose conversation it is in.
        request_id: The answer's. One that has ended, or was cancelled, is none that the runtime knows.
    """
    message = json.dumps({"type": "cancel", "request_id": request_id}).encode()
    call = RuntimeCall(runtime, message, session_id, accept=OBJECT)
    try:
        call.open()
        call.read_object()
    except PrimavoceError as error:
        log.info("cancel not taken", session=session_id, request_id=request_id, code=error.code)
    finally:
        call.end()
