"""The worker's side of the protocol, with a model that hums."""

import base64
import json
import subprocess
import sys
from collections.abc import AsyncIterator
from importlib import metadata

import numpy as np
import pytest

from primavoce.bench import kokoro_onnx_worker
from primavoce.bench.kokoro_onnx_worker import serve, to_base64
from primavoce.bench.peer_process import WORKER


class Hummer:
    """Has the two ways of the library."""

    def create(self, text: str, voice: str, *, lang: str) -> tuple[np.ndarray, int]:
        return np.full(len(text), 0.5, np.float32), 24_000

    async def create_stream(self, text: str, voice: str, *, lang: str) -> AsyncIterator[tuple[np.ndarray, int]]:
        for word in text.split():
            yield self.create(word, voice, lang=lang)


def answers(*asked: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> list[dict]:
    monkeypatch.setattr(metadata, "version", lambda name: f"{name}'s")
    return list(serve(Hummer(), [json.dumps(request) for request in asked]))


def test_the_first_answer_is_the_versions(monkeypatch: pytest.MonkeyPatch) -> None:
    assert answers(monkeypatch=monkeypatch) == [{"kokoro-onnx": "kokoro-onnx's", "onnxruntime": "onnxruntime's"}]


@pytest.mark.parametrize(("way", "lengths"), [("create", [8]), ("create_stream", [4, 3])])
def test_each_request_is_answered_with_its_parts_in_order(way: str, lengths: list[int], monkeypatch) -> None:
    _, answer = answers({"way": way, "text": "Good day", "language": "en-us"}, monkeypatch=monkeypatch)

    times = [at_s for at_s, _ in answer["parts"]]
    assert [len(base64.b64decode(pcm)) // 2 for _, pcm in answer["parts"]] == lengths
    assert times == sorted(times)
    assert times[-1] <= answer["total_s"]


def test_samples_beyond_full_scale_are_clipped() -> None:
    pcm = base64.b64decode(to_base64(np.array([0.0, 1.0, -7.0], np.float32)))

    assert np.frombuffer(pcm, "<i2").tolist() == [0, 32767, -32767]


def test_what_libraries_print_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(WORKER.parent)!r}); import kokoro_onnx_worker as worker\n"
        "worker.load = lambda *_: print('loading…')\n"
        "worker.serve = lambda *_: [{'a': 1}]\n"
        "worker.main('m', 'v', 1)"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)

    assert done.stdout == '{"a": 1}\n'
    assert done.stderr == "loading…\n"


def test_the_worker_imports_nothing_of_ours_and_nothing_heavy() -> None:
    code = f"import sys; sys.path.insert(0, {str(WORKER.parent)!r}); import kokoro_onnx_worker; print(*sys.modules)"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)

    assert not {"primavoce", "numpy", "onnxruntime"} & set(done.stdout.split())
    assert kokoro_onnx_worker.VOICE
