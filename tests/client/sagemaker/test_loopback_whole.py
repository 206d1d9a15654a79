"""From the command line, and as an agent has it, to an endpoint and back: with the environment's own settings."""

import base64
import os
import sys
import wave
from io import BytesIO
from subprocess import CompletedProcess
from urllib.parse import quote

import anyio
import pytest

from primavoce.agent.conversation import PlainConversation
from primavoce.agent.speech import speech_by
from primavoce.agent.turn import answering
from primavoce.assets.locations import AssetLocations
from primavoce.client.sagemaker.credentials import own_credentials
from primavoce.protocol.agent import AudioChunk
from primavoce.settings import Settings
from primavoce.testing.aws.sagemaker_front import ACCESS_KEY, SECRET_KEY
from tests.client.resuming.cutting import letters

pytestmark = [pytest.mark.anyio, pytest.mark.aws]


def environment(ca_file: object = None) -> dict[str, str]:
    return {
        **os.environ,
        **({} if ca_file is None else {"AWS_CA_BUNDLE": str(ca_file)}),
        "AWS_ACCESS_KEY_ID": ACCESS_KEY,
        "AWS_SECRET_ACCESS_KEY": SECRET_KEY,
        "AWS_REGION": "us-east-1",
        "AWS_CONFIG_FILE": "/nonexistent",
        "AWS_SHARED_CREDENTIALS_FILE": "/nonexistent",
    }


async def say(*options: str, env: dict[str, str]) -> CompletedProcess[bytes]:
    command = [sys.executable, "-m", "primavoce", "say", "Hello there.", "--out", "-", *options]
    return await anyio.run_process(command, env=env, check=False)


async def test_say_speaks_by_an_endpoint(fronting) -> None:
    async with fronting() as loopback:
        url = f"sagemaker:speech?url={quote(loopback.front.url)}"
        done = await say("--url", url, env=environment(loopback.front.ca_file))

    assert done.stderr.decode() == ""
    with wave.open(BytesIO(done.stdout)) as sound:
        assert letters(sound.readframes(1 << 20)) == "hellothere"
    assert loopback.front.sessions[0].problems == []


async def test_say_speaks_by_the_other_transport(response_fronting) -> None:
    async with response_fronting() as front:
        url = f"sagemaker:speech?url={quote(front.url)}"
        done = await say("--url", url, "--transport", "response-stream", env=environment())

    assert done.stderr.decode() == ""
    assert done.stdout[:4] == b"RIFF"
    assert front.calls == 1


@pytest.mark.parametrize("transport", ["stream", "response-stream"])
async def test_certificates_that_cannot_be_used_are_told(tmp_path, transport: str) -> None:
    url = f"sagemaker:speech?url={quote('https://localhost:9')}"
    env = environment(tmp_path / "none.pem")
    done = await say("--url", url, "--transport", transport, env=env)

    assert done.stderr.decode().startswith("primavoce: ")
    assert ("none.pem" in done.stderr.decode()) is (transport == "stream")  # boto3 looks at it after it has connected


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--url", "sagemaker:-"], "--url: '-' is no name of an endpoint"),
        (["--url", "sagemaker:a", "--transport", "pigeon"], "--url: unknown: 'pigeon'; a transport is stream or"),
        (["--url", "ws://127.0.0.1:9", "--transport", "stream"], "--transport: is of --url sagemaker:ENDPOINT"),
    ],
)
async def test_say_refuses_what_there_is_not(options: list[str], sentence: str) -> None:
    done = await say(*options, env=dict(os.environ))

    assert done.returncode == 1
    assert sentence in done.stderr.decode()


async def test_say_tells_of_a_region_that_is_missing() -> None:
    env = {name: value for name, value in environment().items() if name != "AWS_REGION"}
    env.pop("AWS_DEFAULT_REGION", None)
    done = await say("--url", "sagemaker:speech", env=env)

    assert done.stderr.decode() == "primavoce: AWS_REGION: no region is named: set it, or give one in the profile\n"


async def test_an_agent_speaks_by_an_endpoint(fronting, monkeypatch) -> None:
    async def written(prompt: str):
        yield f"You said {prompt}. "
        yield "And this is all."

    settings = Settings(assets=AssetLocations(cache_dir="/nonexistent"))  # type: ignore[arg-type]
    async with fronting() as loopback:
        for name, value in environment(loopback.front.ca_file).items():
            monkeypatch.setenv(name, value)
        own_credentials.cache_clear()
        spec = f"sagemaker:speech?url={quote(loopback.front.url)}"
        pcm = b""
        async with speech_by(spec, settings) as speech:
            async with answering(PlainConversation(written), "hello", lambda: speech("")) as turn:
                async for event in turn:
                    if isinstance(event, AudioChunk):
                        pcm += base64.b64decode(event.data) if isinstance(event.data, str) else event.data
        own_credentials.cache_clear()

    assert letters(pcm) == "yousaidhelloandthisisall"
