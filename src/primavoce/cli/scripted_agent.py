"""The agent that `primavoce bench agent` measures unless told otherwise: the real one, round a script of a set pace."""

from collections.abc import Mapping
from dataclasses import replace

import anyio

from primavoce.agent.running import serve_agent
from primavoce.agent.settings import AgentSettings
from primavoce.agent.speech import speech_by
from primavoce.errors import ExtraMissing
from primavoce.server.run import configure_logging, listen
from primavoce.settings import Settings


def serve_scripted(environ: Mapping[str, str], *, tokens_per_s: float, first_token_s: float) -> None:
    """Serve on a free loopback port until told to leave.

    Args:
        environ: Settings.
        tokens_per_s: Mean rate of the script.
        first_token_s: Seconds before its first token.

    Raises:
        PrimavoceError: a setting can't be used, or something is missing.
    """
    settings, chosen = Settings.from_env(environ), AgentSettings.from_env(environ)
    configure_logging(settings.log_level)
    try:
        from primavoce.agent.strands.assembling import conversations_with
        from primavoce.agent.strands.scripted_model import ScriptedModel
    except ModuleNotFoundError as error:
        raise ExtraMissing("an agent", "agent") from error
    # Each conversation begins with the same answer, and every answer has the rhythm of the same seed.
    model = ScriptedModel(tokens_per_s=tokens_per_s, first_token_s=first_token_s)
    converse = conversations_with(model, system_prompt=chosen.read_system_prompt())
    listener = listen("127.0.0.1", 0)

    def announce(address: str) -> None:
        print(f"ready {address}", flush=True)  # noqa: T201 - whoever started it waits for it

    async def run() -> None:
        async with speech_by(chosen.speech, settings) as speech:
            await serve_agent(
                converse, speech, replace(chosen, model="scripted"), settings, listener, on_ready=announce
            )

    anyio.run(run)
