"""Another project, in a process and an environment of its own; `kokoro_onnx_worker` is the other end."""

import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import anyio
import msgspec
from anyio.abc import ByteSendStream, Process
from anyio.streams.buffered import BufferedByteReceiveStream

from primavoce.bench.hearing import Heard, Hearing
from primavoce.client.local_server import stop
from primavoce.errors import InvalidSetting

KOKORO_ONNX = "kokoro-onnx==0.6.1"
WORKER = Path(__file__).with_name("kokoro_onnx_worker.py")
LOAD_S = 600.0
"""Longest wait for the process to be ready: its packages may have to come down first."""
ANSWER_S = 600.0
LEAVE_S = 10.0
LONGEST_LINE = 64 * 1024 * 1024
"""Bytes of an answer; a minute of audio is four million."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the process says of one text."""

    parts: tuple[tuple[float, bytes], ...]
    """Seconds since it was asked, by its own clock, and PCM."""
    total_s: float


class Peer:
    """The other project, ready to speak.

    Args:
        name: What errors call it.
        requests: Where its process reads.
        answers: Where it writes.
    """

    def __init__(self, name: str, requests: ByteSendStream, answers: BufferedByteReceiveStream) -> None:
        self.name = name
        self.versions: dict[str, str] = {}
        """Distribution → version, in its environment."""
        self._requests = requests
        self._answers = answers

    async def greet(self) -> None:
        """Wait until it is ready.

        Raises:
            InvalidSetting: it can't be.
        """
        self.versions = await self._receive(dict[str, str], within_s=LOAD_S)

    async def hear(self, text: str, *, way: str, language: str) -> Heard:
        """Have ``text`` spoken to its end.

        Args:
            text: The text.
            way: ``create`` or ``create_stream``.
            language: A wire tag.

        Raises:
            InvalidSetting: the process has ended, or doesn't answer.
            SynthesisFailed: there was no sound.
        """
        await self._send({"way": way, "text": text, "language": language})
        answer = await self._receive(Answer, within_s=ANSWER_S)
        hearing = Hearing()
        for at_s, pcm in answer.parts:
            hearing.take(pcm, at_s)
        return hearing.end(answer.total_s)

    async def _send(self, message: dict[str, str]) -> None:
        try:
            await self._requests.send(msgspec.json.encode(message) + b"\n")
        except (anyio.BrokenResourceError, anyio.ClosedResourceError) as error:
            raise self._gone() from error

    async def _receive[T](self, kind: type[T], *, within_s: float) -> T:
        try:
            with anyio.fail_after(within_s):
                line = await self._answers.receive_until(b"\n", LONGEST_LINE)
            return msgspec.json.decode(line, type=kind)
        except TimeoutError:
            raise InvalidSetting(self.name, f"its process doesn't answer within {within_s:g} s") from None
        except (anyio.IncompleteRead, anyio.EndOfStream, anyio.ClosedResourceError) as error:
            raise self._gone() from error
        except (msgspec.DecodeError, anyio.DelimiterNotFound) as error:
            raise InvalidSetting(self.name, "its process answers with something else than was agreed") from error

    def _gone(self) -> InvalidSetting:
        return InvalidSetting(self.name, "its process has ended; its last lines are above")


@asynccontextmanager
async def peer_process(name: str, command: Sequence[str]) -> AsyncIterator[Peer]:
    """Run ``command`` while the block runs; what it says on standard error is passed on.

    Raises:
        InvalidSetting: it can't be started, or ends before it is ready.
    """
    try:
        process = await anyio.open_process(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=None)
    except OSError as error:
        raise InvalidSetting(name, f"{command[0]} can't be started ({error.strerror})") from error
    try:
        assert process.stdin is not None
        assert process.stdout is not None
        peer = Peer(name, process.stdin, BufferedByteReceiveStream(process.stdout))
        await peer.greet()
        yield peer
    finally:
        with anyio.CancelScope(shield=True):
            await _stop(process)


def kokoro_onnx_command(model: Path, voices: Path, *, threads: int) -> list[str]:
    """Return the command that speaks with kokoro-onnx, on our Python and our version of the run time."""
    run_time = f"onnxruntime=={metadata.version('onnxruntime')}"
    environment = ["--isolated", "--no-project", "--python", sys.executable, "--with", KOKORO_ONNX, "--with", run_time]
    return ["uv", "run", "--quiet", *environment, "python", str(WORKER), str(model), str(voices), str(threads)]


async def _stop(process: Process) -> None:
    """End it by ending what it reads; what doesn't take that for an end is told to leave."""
    assert process.stdin is not None
    await process.stdin.aclose()
    with anyio.move_on_after(LEAVE_S):
        await process.wait()
    await stop(process, leave_s=LEAVE_S)
