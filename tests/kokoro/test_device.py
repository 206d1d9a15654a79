"""Where the model runs: what is asked for by name is got or refused."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from primavoce.errors import DeviceUnavailable, PreparationFailed
from primavoce.kokoro.device import CPU, CPU_PROVIDER, CUDA_PROVIDER, Device, candidates, find_device
from primavoce.kokoro.prepare import Prepared
from primavoce.synthesis.kokoro_engine import load_on_first

WITH_CUDA = (CUDA_PROVIDER, CPU_PROVIDER)


@dataclass
class FallenBack:
    """A session of a run time that has quietly taken the processor."""

    def get_providers(self) -> list[str]:
        return [CPU_PROVIDER]


@pytest.mark.parametrize(
    ("choice", "available", "name"),
    [
        ("cpu", WITH_CUDA, "cpu"),
        ("auto", WITH_CUDA, "cuda"),
        ("cuda", WITH_CUDA, "cuda"),
        ("auto", (CPU_PROVIDER,), "cpu"),
    ],
)
def test_a_device_is_taken_as_it_was_asked_for(choice: str, available: Sequence[str], name: str) -> None:
    assert find_device(choice, available=available).name == name  # type: ignore[arg-type]


def test_a_gpu_is_refused_where_the_run_time_was_built_without() -> None:
    with pytest.raises(DeviceUnavailable, match="built without"):
        find_device("cuda", available=(CPU_PROVIDER,))


def test_where_there_can_be_no_gpu_one_that_is_asked_for_is_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("onnxruntime.get_available_providers", lambda: [CPU_PROVIDER])

    with pytest.raises(DeviceUnavailable):
        candidates("cuda")
    assert candidates("auto") == [CPU]


def test_a_session_that_fell_back_to_the_processor_is_refused() -> None:
    cuda = find_device("cuda", available=WITH_CUDA)

    CPU.check(FallenBack())  # type: ignore[arg-type]
    with pytest.raises(DeviceUnavailable, match="would use the processor instead"):
        cuda.check(FallenBack())  # type: ignore[arg-type]


class OnlyOn(Prepared):
    """Prepared weights that one device can run."""

    def load(self, *, threads: int, device: Device = CPU) -> Device:  # type: ignore[override]
        if device.name != self.folder.name:
            raise DeviceUnavailable(device.name, "not here")
        return device


def test_the_processor_is_taken_when_no_gpu_can_be_had_and_either_would_do() -> None:
    cuda = find_device("cuda", available=WITH_CUDA)

    assert load_on_first(OnlyOn(Path("cuda")), 1, [cuda, CPU]) is cuda
    assert load_on_first(OnlyOn(Path("cpu")), 1, [cuda, CPU]) is CPU


def test_it_is_not_taken_when_a_gpu_was_asked_for() -> None:
    cuda = find_device("cuda", available=WITH_CUDA)

    with pytest.raises(DeviceUnavailable):
        load_on_first(OnlyOn(Path("cpu")), 1, [cuda])


def test_what_a_gpu_has_no_memory_for_says_nothing_of_the_graph(tmp_path: Path) -> None:
    """It must not be taken for broken weights, which are thrown away and prepared anew."""
    cuda = find_device("cuda", available=WITH_CUDA)
    for name in ("prosody.onnx", "generator.onnx"):
        (tmp_path / name).write_bytes(b"no graph at all")

    with pytest.raises(DeviceUnavailable):
        Prepared(tmp_path).load(threads=1, device=cuda)
    with pytest.raises(PreparationFailed):
        Prepared(tmp_path).load(threads=1)
