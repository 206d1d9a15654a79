"""Each example runs as it stands."""

import re
import sys
from pathlib import Path

import anyio
import pytest

pytestmark = pytest.mark.anyio
ROOT = Path(__file__).parents[1]
EXAMPLES, README = ROOT / "examples", ROOT / "README.md"


async def run(*command: str) -> bytes:
    with anyio.fail_after(50):
        return (await anyio.run_process([sys.executable, *command], stderr=None)).stdout


async def test_a_stream_is_spoken(serving) -> None:
    async with serving() as server:
        pcm = await run(str(EXAMPLES / "speak_a_stream.py"), server.address)

    assert len(pcm) > 24_000


async def test_a_barge_in_learns_what_was_heard(serving) -> None:
    async with serving() as server:
        said = await run(str(EXAMPLES / "barge_in.py"), server.address)

    assert re.search(rb"heard: 'First, \w+", said)
    assert b"answered: 1." in said


async def test_what_a_function_yields_is_spoken(serving) -> None:
    async with serving() as server:
        pcm = await run(str(EXAMPLES / "speaking_agent.py"), server.address)

    assert len(pcm) > 48_000


@pytest.mark.aws
async def test_a_session_goes_through_the_stand_in_of_sagemaker(serving) -> None:
    async with serving() as server:
        said = await run(str(EXAMPLES / "sagemaker_stand_in.py"), server.address)

    assert re.search(rb"^[1-9]\.\d s of audio, after [1-9]\d* signed events$", said.strip())


@pytest.mark.agent
async def test_a_strands_agent_is_given_a_voice(serving) -> None:
    async with serving() as server:
        pcm = await run(str(EXAMPLES / "strands_agent.py"), server.address, "What time is it?")

    assert len(pcm) > 48_000


@pytest.mark.agent
async def test_a_strands_agent_that_cant_be_heard_says_why() -> None:
    command = [sys.executable, str(EXAMPLES / "strands_agent.py"), "ws://127.0.0.1:9", "What time is it?"]
    with anyio.fail_after(50):
        done = await anyio.run_process(command, check=False)

    assert done.returncode == 1
    assert done.stderr.decode().rstrip().endswith("what speaks for the agent can't be reached, or broke off")
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize(
    "name",
    [
        *["barge_in", "script", "speak_a_stream", "speaking_agent"],
        pytest.param("sagemaker_stand_in", marks=pytest.mark.aws),
        pytest.param("strands_agent", marks=pytest.mark.agent),
    ],
)
async def test_an_example_that_is_told_too_little_shows_how_it_is_run(name: str) -> None:
    with anyio.fail_after(50):
        done = await anyio.run_process([sys.executable, str(EXAMPLES / f"{name}.py")], check=False)

    assert done.returncode == 1
    assert f"python examples/{name}.py " in done.stderr.decode()
    assert b"Traceback" not in done.stderr


@pytest.mark.model
@pytest.mark.timeout(300)
async def test_a_script_needs_neither_loop_nor_server(tmp_path: Path, weights_path: Path) -> None:
    await run(str(EXAMPLES / "script.py"), str(tmp_path / "answer.pcm"))

    assert (tmp_path / "answer.pcm").stat().st_size > 48_000


def test_every_example_is_run() -> None:
    here = Path(__file__).read_text() + (ROOT / "tests" / "cli" / "test_agent.py").read_text()

    assert [path.name for path in EXAMPLES.glob("*.py") if path.name not in here] == []


def test_the_guide_shows_the_example_as_it_stands() -> None:
    guide = (ROOT / "docs" / "agent.md").read_text()

    assert (EXAMPLES / "strands_agent.py").read_text().strip() in guide


@pytest.mark.agent
async def test_the_readmes_agent_speaks(serving) -> None:
    from strands import Agent

    from primavoce.agent.strands.scripted_model import ScriptedModel

    block = next(
        each for each in re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL) if "Strands" in each
    )
    shown: list[str] = []
    played: list[bytes] = []

    async def play(pcm: bytes) -> None:
        played.append(pcm)

    async with serving() as server:
        here = block.replace("ws://127.0.0.1:8080", server.address)
        made = {"Agent": lambda **options: Agent(model=ScriptedModel(), **options)}
        exec(here.replace("from strands import Agent\n", ""), made)
        await made["ask"]("Hello?", shown.append, play)  # type: ignore[operator]

    assert len("".join(shown).split()) > 50
    assert sum(map(len, played)) > 48_000
