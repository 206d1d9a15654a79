"""``primavoce agent`` as users start it."""

import io
import json
import os
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from primavoce.cli.agent import _conversations, _declined, _in_a_container
from primavoce.cli.commands import app

ROOT = Path(__file__).parents[2]


@contextmanager
def running(*command: str, **environ: str) -> Iterator[tuple[str, "subprocess.Popen[str]"]]:
    """Run a process, and yield the address that it says it is ready at."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PRIMAVOCE_")}
    with subprocess.Popen(
        [sys.executable, *command],
        env={**clean, **environ},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"http://\S+", process.stdout.readline())
            assert found is not None, process.stderr and process.stderr.read()
            yield found[0], process
        finally:
            process.kill()


def ask(address: str, prompt: str) -> list[dict]:
    request = urllib.request.Request(f"{address}/invocations", json.dumps({"prompt": prompt}).encode())
    with urllib.request.urlopen(request, timeout=50) as answer:
        return [json.loads(line[6:]) for line in answer if line.startswith(b"data: ")]


@pytest.mark.agent
def test_an_agent_answers_serves_its_page_and_leaves_when_told(shared_server) -> None:
    command = ("-m", "primavoce", "agent", "--model", "scripted", "--port", "0", "--speech", shared_server.address)

    with running(*command) as (address, process):
        events = ask(address, "Hello?")
        refused = urllib.request.Request(f"{address}/invocations", b'{"prompt": "Hello?", "loudness": 1}')
        with pytest.raises(urllib.error.HTTPError, match="400"):
            urllib.request.urlopen(refused, timeout=10)
        page = urllib.request.urlopen(address, timeout=10).read()
        told = json.loads(urllib.request.urlopen(f"{address}/page.json", timeout=10).read())
        process.send_signal(signal.SIGTERM)
        status = process.wait(20)
        log = process.stderr.read() if process.stderr else ""

    assert events[-1]["type"] == "agent_end"
    assert b"<html" in page
    assert (told["kind"], told["model"]) == ("agent", "built-in answers")
    assert status == 0
    lines = [json.loads(line) for line in log.splitlines() if line.startswith("{")]
    assert [line["outcome"] for line in lines if line["event"] == "answer"] == ["complete"]
    assert [line["code"] for line in lines if line["event"] == "prompt refused"] == ["unknown_field"]
    assert {line["logger"].partition(".")[0] for line in lines} == {"primavoce"}  # no library's small talk
    assert "Hello?" not in log  # what is said is never in the log


@pytest.mark.agent
@pytest.mark.model
@pytest.mark.timeout(600)  # the first time, the voice and the language model are fetched
def test_as_it_comes_it_answers_by_a_model_and_a_voice_of_this_machine() -> None:
    with running("-m", "primavoce", "agent", "--port", "0") as (address, _):
        told = json.loads(urllib.request.urlopen(f"{address}/page.json", timeout=10).read())
        events = ask(address, "What is the capital of France?")

    assert told["model"].startswith("SmolLM2")  # and not the answers that take its place
    text = "".join(event["text"] for event in events if event["type"] == "text_delta")
    assert "Paris" in text
    assert events[-1]["type"] == "agent_end"
    assert events[-1]["timings"]["audio_s"] > 1
    assert events[-1]["timings"]["first_sound_s"] is not None


@pytest.mark.agent
def test_the_example_that_serves_an_agent_does(shared_server) -> None:
    environ = {"PRIMAVOCE_AGENT_SPEECH": shared_server.address, "PRIMAVOCE_AGENT_PORT": "0"}

    with running(str(ROOT / "examples" / "serve_an_agent.py"), **environ) as (address, _):
        assert ask(address, "Hello?")[-1]["type"] == "agent_end"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--speech", "parrot"], "--speech: unknown: 'parrot'"),
        (["--speech", "sagemaker:-"], "--speech: '-' is no name of an endpoint"),
        (["--voice", "nobody"], "PRIMAVOCE_VOICE: unknown voice"),
        (["--host", "0.0.0.0"], "PRIMAVOCE_HOST: others reach 0.0.0.0, and no API key is asked for"),
    ],
)
def test_what_cant_be_had_is_refused_before_anything_is_loaded(options: list[str], sentence: str) -> None:
    done = CliRunner().invoke(app, ["agent", "--port", "0", *options])

    assert done.exit_code == 1
    assert done.stderr.startswith(f"primavoce: {sentence}")


@pytest.mark.agent
@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--model", "parrot"], "--model: unknown model 'parrot'"),
        (["--model", "scripted", "--system-prompt", "/nowhere"], "--system-prompt: can't read /nowhere"),
    ],
)
def test_a_model_that_isnt_there_is_refused(options: list[str], sentence: str) -> None:
    command = [sys.executable, "-m", "primavoce", "agent", "--port", "0", "--speech", "ws://127.0.0.1:9", *options]

    done = subprocess.run(command, capture_output=True, text=True, timeout=50, check=False)

    assert done.returncode == 1
    assert f"primavoce: {sentence}" in done.stderr


@pytest.mark.parametrize("model", ["scripted", "local"])
def test_without_its_extra_the_command_says_so_and_no_more(model: str) -> None:
    code = (
        "import sys; sys.modules['strands'] = sys.modules['bedrock_agentcore'] = None; "
        "from primavoce.cli import main; main()"
    )
    command = [
        sys.executable,
        "-c",
        code,
        "agent",
        "--port",
        "0",
        "--model",
        model,
        "--speech",
        "ws://127.0.0.1:9",
    ]

    done = subprocess.run(command, capture_output=True, text=True, timeout=50, check=False)

    assert done.returncode == 1
    assert done.stderr.startswith("primavoce: an agent needs the extra 'agent'")
    assert done.stdout == ""


def test_in_the_image_it_listens_where_the_platform_looks() -> None:
    from primavoce.agent.settings import AgentSettings
    from primavoce.settings import Settings

    settings, chosen = Settings.from_env({"HOME": "/h"}), AgentSettings()

    inside = _in_a_container(settings, chosen, {"DOCKER_CONTAINER": "1"})
    told = _in_a_container(settings, chosen, {"DOCKER_CONTAINER": "1", "PRIMAVOCE_AGENT_PORT": "8081"})

    assert (inside[0].host, inside[1].port) == ("0.0.0.0", 8080)
    assert told[1].port == 8081
    assert _in_a_container(settings, chosen, {}) == (settings, chosen)


@pytest.fixture
def without_a_local_model(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the models that are asked for; ``local`` can't be had."""
    from primavoce.agent import running
    from primavoce.errors import ModelUnavailable

    asked: list[str] = []

    async def conversations(chosen, settings, **_: object) -> object:
        asked.append(chosen.model)
        if chosen.model == "local":
            raise ModelUnavailable("it can't be loaded")
        return lambda: None

    monkeypatch.setattr(running, "conversations", conversations)
    return asked


@pytest.mark.anyio
async def test_without_the_local_model_built_in_answers_are_spoken_and_a_notice_says_so(without_a_local_model) -> None:
    from primavoce.agent.settings import AgentSettings
    from primavoce.settings import Settings

    console = Console(file=io.StringIO(), width=200)

    _, written_by = await _conversations(AgentSettings(), Settings.from_env({"HOME": "/h"}), console, lambda _: None)

    assert written_by == "scripted"
    assert without_a_local_model == ["local", "scripted"]
    assert "The local language model can't be had" in console.file.getvalue()


@pytest.mark.anyio
async def test_a_model_that_was_asked_for_by_name_has_no_stand_in(without_a_local_model, monkeypatch) -> None:
    from primavoce.agent import running
    from primavoce.agent.settings import AgentSettings
    from primavoce.errors import ModelUnavailable
    from primavoce.settings import Settings

    async def none(*_: object, **__: object) -> object:
        raise ModelUnavailable

    monkeypatch.setattr(running, "conversations", none)

    with pytest.raises(ModelUnavailable):
        await _conversations(
            AgentSettings(model="ollama:x"), Settings.from_env({"HOME": "/h"}), Console(), lambda _: None
        )


@pytest.mark.parametrize(("answer", "declined"), [("y", False), ("", False), ("n", True)])
def test_whoever_sits_there_is_asked_before_the_model_is_fetched(monkeypatch, tmp_path, answer, declined) -> None:
    from primavoce.settings import Settings

    monkeypatch.setattr("sys.stdin", io.StringIO(answer + "\n"))
    settings = Settings.from_env({"HOME": "/h", "PRIMAVOCE_CACHE": str(tmp_path)})

    assert _declined(settings) is declined


HUNG = """
import sys, time
import anyio
from strands import Agent, tool
from primavoce.cli import agent as command
from primavoce.cli import main

@tool
def clock(timezone: str = "") -> str:
    "Tell the time."
    print("hangs", file=sys.stderr, flush=True)
    time.sleep(3600)

from primavoce.agent.strands import assembling
assembling.example_tools = lambda: [clock]
main()
"""


@pytest.mark.agent
def test_a_tool_that_hangs_keeps_nobody_from_leaving(shared_server, tmp_path: Path) -> None:
    script = tmp_path / "hung.py"
    script.write_text(HUNG)
    command = (str(script), "agent", "--model", "scripted", "--port", "0", "--speech", shared_server.address)

    with running(*command, PRIMAVOCE_DRAIN_S="0.1") as (address, process):
        body = json.dumps({"prompt": "What time is it?"}).encode()
        with urllib.request.urlopen(urllib.request.Request(f"{address}/invocations", body), timeout=30) as answer:
            assert process.stderr is not None
            while "hangs" not in process.stderr.readline():
                pass
            process.send_signal(signal.SIGTERM)
            events = [json.loads(line[6:]) for line in answer if line.startswith(b"data: ")]
        status = process.wait(20)

    assert status == 0
    assert (events[-1]["type"], events[-1]["code"]) == ("error", "draining")
