"""Speaks with kokoro-onnx, asked and answering in lines of JSON; runs in kokoro-onnx's own environment.

It is a script, started as ``python kokoro_onnx_worker.py MODEL VOICES THREADS``, and imports nothing of ours. Its
first line is its versions; then each line that it reads, ``{"way", "text", "language"}``, is answered by one:
``{"parts": [[seconds, PCM in base64], …], "total_s"}``. It ends when there is nothing more to read.
"""

import asyncio
import base64
import importlib.metadata
import json
import os
import sys
import time
from collections.abc import Iterator
from typing import Any

VOICE = "voice"
"""What the voice is called in its file."""


def main(model: str, voices: str, threads: int) -> None:
    """Serve until standard input ends."""
    # What libraries print goes to standard error, so that there is nothing but answers on standard output.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    kokoro = load(model, voices, threads)
    for answer in serve(kokoro, sys.stdin):
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def load(model: str, voices: str, threads: int) -> Any:  # noqa: ANN401 - the library has no types of its own
    """Return kokoro-onnx's model; without a number of threads of its own, it would take all that the host has."""
    import onnxruntime
    from kokoro_onnx import Kokoro

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    return Kokoro.from_session(session, voices)


def serve(kokoro: Any, requests: Any) -> Iterator[dict[str, object]]:  # noqa: ANN401
    """Yield the versions, then an answer for each line of ``requests``."""
    yield {name: importlib.metadata.version(name) for name in ("kokoro-onnx", "onnxruntime")}
    for line in requests:
        asked = json.loads(line)
        began = time.perf_counter()
        if asked["way"] == "create":
            samples, _ = kokoro.create(asked["text"], VOICE, lang=asked["language"])
            parts = [(time.perf_counter() - began, samples)]
        else:
            parts = asyncio.run(stream(kokoro, asked["text"], asked["language"], began))
        total_s = time.perf_counter() - began
        yield {"parts": [[at_s, to_base64(samples)] for at_s, samples in parts], "total_s": total_s}


async def stream(kokoro: Any, text: str, language: str, began: float) -> list[tuple[float, Any]]:  # noqa: ANN401
    """Return the parts that ``create_stream`` gives, and when it gave them."""
    parts = []
    async for samples, _ in kokoro.create_stream(text, VOICE, lang=language):
        parts.append((time.perf_counter() - began, samples))
    return parts


def to_base64(samples: Any) -> str:  # noqa: ANN401
    """Return ``samples`` as 16-bit PCM in base64."""
    import numpy as np

    pcm = (np.clip(samples, -1.0, 1.0) * 32767.0).round().astype("<i2")
    return base64.b64encode(pcm.tobytes()).decode()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
