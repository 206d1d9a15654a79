"""Another project in a process of its own; here, small scripts that play it."""

import sys
from pathlib import Path

import pytest

from primavoce.bench.peer_process import kokoro_onnx_command, peer_process
from primavoce.errors import InvalidSetting, SynthesisFailed

pytestmark = pytest.mark.anyio

HUMS = """
import base64, json, sys
print(json.dumps({"example": "1.2.3"}), flush=True)
tone = base64.b64encode(b"\\x00\\x20\\x00\\xe0" * 12000).decode()  # a second
quiet = base64.b64encode(bytes(24000)).decode()  # half a second
for line in sys.stdin:
    asked = json.loads(line)
    if asked["text"] == "leave":
        sys.exit("left")
    if asked["text"] == "babble":
        print("la la la", flush=True)
        continue
    parts = {"create": [[3.0, tone]], "create_stream": [[1.0, quiet], [2.0, tone]], "silent": [[1.0, quiet]]}
    print(json.dumps({"parts": parts[asked["way"]], "total_s": 4.0}), flush=True)
"""


def script(code: str) -> list[str]:
    return [sys.executable, "-c", code]


async def test_a_peer_says_what_it_is_before_it_is_asked() -> None:
    async with peer_process("example", script(HUMS)) as peer:
        assert peer.versions == {"example": "1.2.3"}


async def test_a_peers_audio_is_heard_at_its_own_times() -> None:
    async with peer_process("example", script(HUMS)) as peer:
        whole = await peer.hear("One.", way="create", language="en-us")
        streamed = await peer.hear("One.", way="create_stream", language="en-us")

    assert (whole.first_audio_s, whole.first_sound_s, whole.total_s, whole.audio_s) == (3.0, 3.0, 4.0, 1.0)
    assert (streamed.first_audio_s, streamed.first_sound_s, streamed.audio_s) == (1.0, 2.0, 1.5)


async def test_a_peer_that_makes_no_sound_is_no_measurement() -> None:
    async with peer_process("example", script(HUMS)) as peer:
        with pytest.raises(SynthesisFailed):
            await peer.hear("One.", way="silent", language="en-us")


@pytest.mark.parametrize(
    ("text", "told"), [("leave", "its process has ended"), ("babble", "something else than was agreed")]
)
async def test_a_peer_that_fails_is_told_by_its_name(text: str, told: str) -> None:
    async with peer_process("example", script(HUMS)) as peer:
        with pytest.raises(InvalidSetting, match=f"example: .*{told}"):
            await peer.hear(text, way="create", language="en-us")


async def test_a_peer_that_never_gets_ready_is_told_by_its_name() -> None:
    with pytest.raises(InvalidSetting, match="example: its process has ended"):
        async with peer_process("example", script("raise SystemExit(3)")):
            pass


async def test_a_command_that_is_not_there_is_told_by_its_name() -> None:
    with pytest.raises(InvalidSetting, match="example: no-such-command can't be started"):
        async with peer_process("example", ["no-such-command"]):
            pass


def test_a_peer_runs_apart_from_our_environment_on_our_python_and_run_time() -> None:
    command = kokoro_onnx_command(Path("model.onnx"), Path("voices.npz"), threads=3)

    assert command[:2] == ["uv", "run"]
    assert {"--isolated", "--no-project", "kokoro-onnx==0.6.1", sys.executable} <= set(command)
    assert any(part.startswith("onnxruntime==") for part in command)
    assert command[-3:] == ["model.onnx", "voices.npz", "3"]
