"""An agent's process: what writes, what speaks, the application, and the server round it."""

import asyncio
import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import anyio.to_thread

from primavoce.agent.agentcore import create_agentcore_app
from primavoce.agent.app import AgentService
from primavoce.agent.conversation import Conversation
from primavoce.agent.sessions import AgentSessions, SpeechFor
from primavoce.agent.settings import AgentSettings
from primavoce.assets.progress import Report
from primavoce.assets.store import AssetStore
from primavoce.errors import ExtraMissing
from primavoce.server.gate import is_loopback
from primavoce.server.lobby import Lobby
from primavoce.server.page import PageInfo, page_info, page_routes
from primavoce.server.policies import gate_policy
from primavoce.server.serving import serve_app
from primavoce.server.state import ServerState
from primavoce.settings import Settings

TOOL_THREADS = 64
"""As many synchronous tools may run at a time, in the whole process."""
SHOWN = {"local": "SmolLM2-135M on this machine", "scripted": "built-in answers"}
"""What the page calls models whose own names say little."""


async def conversations(
    chosen: AgentSettings, settings: Settings, *, progress: Report | None = None, openai_key: str | None = None
) -> Callable[[], Conversation]:
    """Return what begins a conversation with the model that was chosen.

    Args:
        chosen: The model, and its system prompt.
        settings: Where the weights of ``local`` come from.
        progress: Told of what is fetched.
        openai_key: For models behind OpenAI's API.

    Raises:
        ExtraMissing: the extra ``agent`` isn't installed.
        InvalidSetting: there is no such model, or its system prompt can't be read.
        AssetError: its weights can't be had.
        AgentError: it can't be had otherwise.
    """
    prompt = chosen.read_system_prompt()
    try:
        from primavoce.agent.strands.assembling import conversations_with
        from primavoce.agent.strands.models import model_for
    except ModuleNotFoundError as error:
        raise ExtraMissing("an agent", "agent") from error
    store = AssetStore(settings.assets, progress=progress)

    def load() -> Callable[[], Conversation]:
        model = model_for(chosen.model, assets=store, openai_key=openai_key)
        return conversations_with(model, system_prompt=prompt)

    return await anyio.to_thread.run_sync(load)


async def serve_agent(
    converse: Callable[[], Conversation],
    speech: SpeechFor,
    chosen: AgentSettings,
    settings: Settings,
    listener: socket.socket,
    *,
    on_ready: Callable[[str], None] = lambda _: None,
) -> None:
    """Serve an agent on ``listener`` until a signal comes.

    Args:
        converse: Begins a conversation.
        speech: Opens what speaks.
        chosen: Of the agent.
        settings: Of the server.
        listener: Bound and listening.
        on_ready: Called once with the server's address.

    Raises:
        InvalidSetting: a file of keys, or of TLS, can't be used; or everybody could reach the agent, and no key is
            asked for.
        ExtraMissing: the extra ``agent`` isn't installed.
    """
    # Strands runs tools on the loop's own threads. A tool that hangs keeps its thread, and there are only a few unless
    # told.
    threads = ThreadPoolExecutor(TOOL_THREADS, thread_name_prefix="primavoce-agent")
    asyncio.get_running_loop().set_default_executor(threads)
    state = ServerState(Lobby(settings.max_sessions))
    sessions = AgentSessions(
        converse,
        speech,
        state.lobby,
        voice=settings.voice,
        max_conversations=chosen.max_conversations,
        idle_s=chosen.conversation_idle_s,
    )
    service = AgentService(sessions, settings)
    on_loopback = is_loopback(listener.getsockname()[0])
    gate = gate_policy(settings, on_loopback=on_loopback, told=state.observer.error_told)

    def info() -> PageInfo:
        shown = SHOWN.get(chosen.model, chosen.model)
        return page_info(settings, kind="agent", model=shown, key_required=gate.keys.asks)

    app = create_agentcore_app(service, gate, more=page_routes(info) if settings.page else ())
    state.ready.set()
    await serve_app(app, settings, listener, state, on_ready=on_ready)
