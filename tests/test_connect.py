"""The examples of ``docs/connect.md`` that need no package of others, as they stand there; each is short."""

import re
import subprocess
import sys
from pathlib import Path

import anyio
import anyio.to_thread
import pytest

pytestmark = pytest.mark.anyio

PAGE = Path(__file__).parents[1] / "docs" / "connect.md"
MOST_LINES = 10
NO_BROWSER = """
let played = 0;
class AudioContext {
  constructor({ sampleRate }) { this.currentTime = 0; this.rate = sampleRate; }
  createBuffer(channels, length, rate) {
    const data = new Float32Array(length);
    return { data, duration: length / rate, copyToChannel: (samples) => data.set(samples) };
  }
}
class AudioBufferSourceNode {
  constructor(context, { buffer }) { this.buffer = buffer; }
  connect() {}
  start(at) {
    if (Math.abs(at - played) > 1e-6) throw new Error("not one after the other");
    played += this.buffer.duration;
  }
}
"""
"""As much of a browser as the example touches, with a clock that stands still."""


def examples(heading: str) -> list[str]:
    """Return the blocks of code under a heading."""
    section = PAGE.read_text(encoding="utf-8").split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return re.findall(r"```\w+\n(.*?)```", section, re.DOTALL)


async def run(server, folder: Path, command: list[str], code: str) -> bytes:
    """Run ``code`` by ``command``, with the server's address in it, and return what it prints."""
    code = code.replace("localhost:8080", server.address.removeprefix("http://"))
    with anyio.fail_after(30):
        return (await anyio.run_process([*command, code], cwd=folder, stderr=subprocess.STDOUT)).stdout


@pytest.mark.parametrize("heading", ["The `websockets` package", "Events in Python"])
async def test_an_example_in_python_writes_audio(serving, tmp_path: Path, heading: str) -> None:
    (code,) = examples(heading)
    async with serving() as server:
        await run(server, tmp_path, [sys.executable, "-c"], code)

    assert (tmp_path / "morning.pcm").stat().st_size > 24_000
    assert len(code.splitlines()) <= MOST_LINES


@pytest.mark.interop
async def test_curl_gets_a_file_and_events(serving, tmp_path: Path) -> None:
    (code,) = examples("curl")
    async with serving() as server:
        printed = await run(server, tmp_path, ["bash", "-ec"], code)

    assert (tmp_path / "morning.mp3").stat().st_size > 4000
    assert b"event: audio_stream_end" in printed
    assert len(code.splitlines()) <= MOST_LINES


@pytest.mark.interop
async def test_a_browser_plays_all_of_it_a_piece_after_the_other(serving, tmp_path: Path) -> None:
    playing, fetching = examples("A browser")
    async with serving() as server:
        code = f"{NO_BROWSER}{playing}{fetching}console.log(played);"
        printed = await run(server, tmp_path, ["node", "--input-type=module", "-e"], code)

    assert float(printed) == pytest.approx(0.845)  # thirteen letters and marks of the humming voice
    assert max(len(each.splitlines()) for each in (fetching, playing)) <= MOST_LINES
