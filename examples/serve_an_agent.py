"""Serve an agent of your own, with the page, sessions and interruptions.

uv run --extra agent python examples/serve_an_agent.py       # PRIMAVOCE_AGENT_SPEECH=ws://… speaks elsewhere
"""

import os

import anyio
from strands import Agent

from primavoce.agent.running import serve_agent
from primavoce.agent.settings import AgentSettings
from primavoce.agent.speech import speech_by
from primavoce.agent.strands.conversation import StrandsConversation
from primavoce.agent.strands.scripted_model import ScriptedModel
from primavoce.server.run import listen
from primavoce.settings import Settings


def converse() -> StrandsConversation:
    return StrandsConversation(Agent(model=ScriptedModel(), callback_handler=None))  # yours


async def main() -> None:
    settings, chosen = Settings.from_env(os.environ), AgentSettings.from_env(os.environ)
    listener = listen(settings.host, chosen.port)
    async with speech_by(chosen.speech, settings) as speech:
        await serve_agent(converse, speech, chosen, settings, listener, on_ready=lambda url: print(url, flush=True))


anyio.run(main)
