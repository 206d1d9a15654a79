"""The process in front of a deployed runtime."""

import socket
from collections.abc import Callable

import anyio.to_thread

from primavoce.agent.runtime.arn import RuntimeArn
from primavoce.errors import ExtraMissing
from primavoce.server.gate import is_loopback
from primavoce.server.lobby import Lobby
from primavoce.server.page import PageInfo, page_info, page_routes
from primavoce.server.policies import gate_policy
from primavoce.server.serving import serve_app
from primavoce.server.state import ServerState
from primavoce.settings import Settings


async def serve_runtime(
    arn: str,
    settings: Settings,
    listener: socket.socket,
    *,
    on_ready: Callable[[str], None] = lambda _: None,
) -> None:
    """Serve the page in front of a deployed runtime, on ``listener``, until a signal comes.

    Args:
        arn: The runtime's.
        settings: Of the server.
        listener: Bound and listening.
        on_ready: Called once with the server's address.

    Raises:
        InvalidSetting: it is no ARN of a runtime; a file of keys, or of TLS, can't be used; or everybody could reach
            the page, and no key is asked for.
        RuntimeRefused: there are no credentials for it.
        ExtraMissing: the extra ``agent`` isn't installed.
    """
    found = RuntimeArn.parse(arn)
    try:
        from primavoce.agent.runtime.app import PRESIGNED, RuntimeFront, create_runtime_app
        from primavoce.agent.runtime.deployed import DeployedRuntime
        from primavoce.agent.runtime.relay import Relay
        from primavoce.agent.runtime.threads import CallThreads
    except ModuleNotFoundError as error:
        raise ExtraMissing("a deployed agent", "agent") from error
    runtime = await anyio.to_thread.run_sync(lambda: DeployedRuntime.of(found, connections=settings.max_sessions))
    state = ServerState(Lobby(settings.max_sessions))
    relay = Relay(runtime, CallThreads(settings.max_sessions), state.lobby, settings.send_timeout_s)
    on_loopback = is_loopback(listener.getsockname()[0])
    gate = gate_policy(settings, on_loopback=on_loopback, told=state.observer.error_told)

    def info() -> PageInfo:
        shown = f"AgentCore runtime {found.name}"
        return page_info(settings, kind="agent", model=shown, key_required=gate.keys.asks, presigned=PRESIGNED)

    app = create_runtime_app(RuntimeFront(relay), gate, settings, more=page_routes(info) if settings.page else ())
    state.ready.set()
    try:
        await serve_app(app, settings, listener, state, on_ready=on_ready)
    finally:
        runtime.close()
