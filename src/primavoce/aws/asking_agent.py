"""One question to a deployed agent through AgentCore, its events as they come; needs the extra ``agent``."""

import json
import time
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from primavoce.agent.identity import new_session_id
from primavoce.client.events import EventReader
from primavoce.errors import ExtraMissing, RuntimeFailed

if TYPE_CHECKING:
    from primavoce.agent.runtime.deployed import DeployedRuntime

type Clock = Callable[[], float]
type TimedEvent = tuple[Mapping[str, object], float]
"""An event, and the seconds after the question at which it came."""


def open_runtime(arn: str) -> "DeployedRuntime":
    """Return the runtime of ``arn``; nothing is sent yet.

    Raises:
        InvalidSetting: it is no ARN of a runtime.
        RuntimeRefused: there are no credentials for it.
        ExtraMissing: the extra ``agent`` isn't installed.
    """
    from primavoce.agent.runtime.arn import RuntimeArn

    found = RuntimeArn.parse(arn)
    try:
        from primavoce.agent.runtime.deployed import DeployedRuntime
    except ModuleNotFoundError as error:
        raise ExtraMissing("a deployed agent", "agent") from error
    return DeployedRuntime.of(found, connections=2)


def wake(runtime: "DeployedRuntime", session_id: str) -> None:
    """Have a session's machine started: the first message to it waits for that.

    Raises:
        AgentError: the runtime can't be had.
    """
    from primavoce.agent.runtime.calls import OBJECT, RuntimeCall

    # What there is nothing of is cancelled: it leaves no trace in the conversation.
    call = RuntimeCall(runtime, b'{"type": "cancel"}', session_id, accept=OBJECT)
    try:
        call.open()
        call.read_object()
    except RuntimeFailed:
        pass  # the container says that it knows nothing to cancel: so it is awake
    finally:
        call.end()


def ask(
    runtime: "DeployedRuntime",
    prompt: str,
    *,
    session_id: str | None = None,
    mode: str = "stream",
    voice: str | None = None,
    clock: Clock = time.perf_counter,
) -> Iterator[TimedEvent]:
    """Ask ``prompt``, and yield the answer's events as they come. Blocking.

    Raises:
        AgentError: the answer can't be had, or makes no sense.
    """
    from primavoce.agent.runtime.calls import EVENTS, RuntimeCall

    message = json.dumps({"prompt": prompt, "mode": mode, **({"voice": voice} if voice else {})}).encode()
    call = RuntimeCall(runtime, message, session_id or new_session_id(), accept=EVENTS)
    events, began = EventReader(), clock()
    try:
        call.open()
        while block := call.read():
            at_s = clock() - began
            for event in events.push(block):
                yield _object(event.data), at_s
    finally:
        call.end()


def _object(text: str) -> Mapping[str, object]:
    try:
        found = json.loads(text)
    except ValueError as error:
        raise RuntimeFailed("one of its events can't be read") from error
    if not isinstance(found, dict):
        raise RuntimeFailed("one of its events can't be read")
    return found
