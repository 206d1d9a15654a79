"""Language models by a short name, as ``--model`` takes them."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

from primavoce.agent.scripted import FIRST_TOKEN_S, TOKENS_PER_S
from primavoce.errors import ExtraMissing, InvalidSetting

if TYPE_CHECKING:  # what is asked for is imported when it is asked for: without the extra there is a sentence to say
    from strands.models import Model

    from primavoce.assets.store import AssetStore

MODELS = ("local", "scripted", "bedrock:ID", "ollama:NAME", "openai:URL[#NAME]", "llamacpp:URL[#NAME]")
"""Every form of a model's name."""
LIST_TIMEOUT_S = 10.0
"""Seconds that a server may take to say which models it has."""


def model_for(
    spec: str,
    *,
    setting: str = "--model",
    assets: AssetStore | None = None,
    threads: int = 1,
    openai_key: str | None = None,
    bedrock_endpoint: str | None = None,
    tokens_per_s: float = TOKENS_PER_S,
    first_token_s: float = FIRST_TOKEN_S,
    seed: int = 0,
) -> Model:
    """Return the model that ``spec`` names. Blocking: ``local`` may be fetched, a server be asked for its models.

    Args:
        spec: One of `MODELS`.
        setting: What the errors call it.
        assets: Has the weights of ``local``.
        threads: Threads of ``local``.
        openai_key: Key for ``openai`` and ``llamacpp``.
        bedrock_endpoint: Address of Bedrock, where it isn't the region's own.
        tokens_per_s: Mean rate of ``scripted``.
        first_token_s: Seconds before its first token.
        seed: Of its rhythm.

    Raises:
        InvalidSetting: there is no such model.
        ExtraMissing: the extra ``agent`` isn't installed.
        AssetError: the weights of ``local`` can't be had.
        AgentError: ``local`` doesn't run here, or a server doesn't say which models it has.
    """
    kind, _, which = spec.partition(":")
    try:
        match kind, which:
            case "scripted", "":
                from primavoce.agent.strands.scripted_model import ScriptedModel

                return ScriptedModel(tokens_per_s=tokens_per_s, first_token_s=first_token_s, seed=seed)
            case "local", "":
                return _local(assets, threads, setting)
            case "bedrock", str(identifier) if identifier:
                from strands.models import BedrockModel

                return BedrockModel(model_id=identifier, endpoint_url=bedrock_endpoint)
            case "ollama", str(name) if name:
                from strands.models.ollama import OllamaModel

                return OllamaModel(host=None, model_id=name)
            case "openai" | "llamacpp", str(place) if place:
                return _openai(place, openai_key, setting, adds_version=kind == "llamacpp")
    except ImportError as error:
        raise ExtraMissing("an agent", "agent") from error
    raise InvalidSetting(setting, f"unknown model {spec[:80]!r}; a model is {', '.join(MODELS)}")


def _local(assets: AssetStore | None, threads: int, setting: str) -> Model:
    from primavoce.agent.strands.local_model import LocalModel

    if assets is None:
        raise InvalidSetting(setting, "local needs a place for its weights")
    return LocalModel.load(assets.language_model(), threads=threads)


def _openai(place: str, key: str | None, setting: str, *, adds_version: bool) -> Model:
    """Return a model behind OpenAI's API, which llama.cpp's server has, too.

    Strands' own client for llama.cpp reads an answer to its end before it gives anything of it.
    """
    from strands.models.openai import OpenAIModel

    address, _, name = place.partition("#")
    parts = urlsplit(address)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise InvalidSetting(setting, f"{address[:80]!r} is no http:// or https:// address")
    if adds_version and parts.path in {"", "/"}:
        address = urlunsplit(parts._replace(path="/v1"))
    # Its client wants a key even for servers that don't.
    client = {"base_url": address, "api_key": key or "none"}
    return OpenAIModel(client_args=client, model_id=name or _first_model(client))


def _first_model(client: dict[str, str]) -> str:
    import openai

    from primavoce.agent.strands.failures import agent_error
    from primavoce.errors import ModelUnavailable

    try:
        with openai.OpenAI(**client, timeout=LIST_TIMEOUT_S, max_retries=1) as asking:  # type: ignore[arg-type]
            models = [model.id for model in asking.models.list()]
    except openai.OpenAIError as error:
        raise agent_error(error) from error
    if not models:
        raise ModelUnavailable("its server has no model")
    return models[0]
