"""Models by their names, and those behind a server's API with a real server."""

import os
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from strands import Agent
from strands.models import BedrockModel
from strands.models.ollama import OllamaModel
from strands.models.openai import OpenAIModel

from primavoce.agent.conversation import FLUSH
from primavoce.agent.strands.conversation import StrandsConversation
from primavoce.agent.strands.models import model_for
from primavoce.agent.strands.scripted_model import ScriptedModel
from primavoce.assets.locations import AssetLocations
from primavoce.assets.store import AssetStore
from primavoce.errors import AgentError, AssetMissing, InvalidSetting, ModelRefused, ModelUnavailable

pytestmark = pytest.mark.agent

type Serve = Callable[[dict[str, tuple[int, str]]], str]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Return what runs a server on loopback that answers each path with a status and a body, and gives its address."""
    running: list[tuple[ThreadingHTTPServer, threading.Thread]] = []

    def start(answers: dict[str, tuple[int, str]]) -> str:
        class Answers(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                status, body = answers.get(self.path, (404, "{}"))
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body.encode())

            def log_message(self, *_: object) -> None:
                """Keep requests off the terminal."""

        server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        running.append((server, thread))
        return f"http://127.0.0.1:{server.server_port}"

    yield start
    for server, thread in running:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture(autouse=True)
def no_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith(("AWS_", "OPENAI_", "OLLAMA_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


def test_a_scripted_model_has_the_pace_that_is_asked_for() -> None:
    model = model_for("scripted", tokens_per_s=12, first_token_s=0.1, seed=5)

    assert isinstance(model, ScriptedModel)
    assert (model._tokens_per_s, model._first_token_s, model._seed) == (12, 0.1, 5)


def test_a_model_of_bedrock_is_called_by_its_id_even_with_colons_in_it() -> None:
    model = model_for("bedrock:some.model-v1:0", bedrock_endpoint="http://127.0.0.1:1")

    assert isinstance(model, BedrockModel)
    assert model.get_config()["model_id"] == "some.model-v1:0"
    assert model.client.meta.endpoint_url == "http://127.0.0.1:1"


def test_a_model_of_ollama_is_called_by_its_name_and_size() -> None:
    model = model_for("ollama:small:3b")

    assert isinstance(model, OllamaModel)
    assert model.get_config()["model_id"] == "small:3b"


@pytest.mark.parametrize(
    ("spec", "address"),
    [
        ("openai:http://example.com/api/v1#one", "http://example.com/api/v1"),
        ("openai:https://example.com#one", "https://example.com"),
        ("llamacpp:http://example.com:8000#one", "http://example.com:8000/v1"),
        ("llamacpp:http://example.com:8000/#one", "http://example.com:8000/v1"),
        ("llamacpp:http://example.com/behind/v1#one", "http://example.com/behind/v1"),
    ],
)
def test_a_model_behind_a_servers_api_has_its_address_a_name_and_a_key(spec: str, address: str) -> None:
    model = model_for(spec, openai_key="the key")

    assert isinstance(model, OpenAIModel)
    assert model.client_args == {"base_url": address, "api_key": "the key"}
    assert model.get_config()["model_id"] == "one"


def test_without_a_name_the_server_is_asked_for_its_first_model(serve: Serve) -> None:
    address = serve({"/v1/models": (200, '{"object": "list", "data": [{"id": "first"}, {"id": "second"}]}')})

    assert model_for(f"llamacpp:{address}").get_config()["model_id"] == "first"
    assert model_for(f"openai:{address}/v1").get_config()["model_id"] == "first"


@pytest.mark.parametrize(
    ("answers", "error"),
    [
        ({}, ModelRefused("there is no model of this name")),
        ({"/v1/models": (401, '{"error": "secret"}')}, ModelRefused("it doesn't let this agent in")),
        ({"/v1/models": (200, '{"object": "list", "data": []}')}, ModelUnavailable("its server has no model")),
    ],
    ids=str,
)
def test_a_server_that_names_no_model_is_one_sentence(serve: Serve, answers: Any, error: AgentError) -> None:
    with pytest.raises(type(error), match=f"^{error}$"):
        model_for(f"llamacpp:{serve(answers)}")


def test_a_server_that_is_not_there_is_one_sentence() -> None:
    with pytest.raises(ModelUnavailable, match=r"it can't be reached$"):
        model_for("openai:http://127.0.0.1:9/v1")


@pytest.mark.parametrize("address", ["example.com", "ftp://example.com", "http://", "file:///etc/passwd"])
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(InvalidSetting, match=r"is no http:// or https:// address$"):
        model_for(f"openai:{address}")


def test_the_local_model_that_cannot_be_had_says_what_fetches_it(tmp_path: Path) -> None:
    store = AssetStore(AssetLocations(cache_dir=tmp_path, offline=True))

    with pytest.raises(AssetMissing, match=r"run `primavoce assets fetch local-llm`$"):
        model_for("local", assets=store)


@pytest.mark.model
@pytest.mark.anyio
async def test_a_llama_cpp_server_streams_and_can_be_interrupted(asset_store: AssetStore) -> None:
    import xllamacpp

    settings = xllamacpp.CommonParams()
    settings.model.path = str(asset_store.language_model())
    settings.n_ctx, settings.n_parallel, settings.verbosity, settings.cache_ram_mib = 1024, 1, -1, 0
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(settings)
    model = model_for(f"llamacpp:{server.listening_address}")
    model.update_config(params={"max_tokens": 40, "temperature": 0})
    agent = Agent(model=model, callback_handler=None)
    conversation = StrandsConversation(agent)

    async with conversation.answering("Tell me a long story about a king.") as pieces:
        taken = [piece async for piece in pieces if piece != FLUSH]
    agent.messages.clear()
    model.update_config(params={"max_tokens": 900, "temperature": 0})
    async with conversation.answering("Tell me a long story about a king.") as pieces:
        before = [await anext(pieces) for _ in range(3)]
    model.update_config(params={"max_tokens": 5, "temperature": 0})
    async with conversation.answering("And a queen?") as pieces:
        after = [piece async for piece in pieces]

    assert len(taken) > 20
    assert len(after) > 3
    assert before == taken[:3]
    assert agent.messages[1]["content"] == [{"text": "".join(before)}]
