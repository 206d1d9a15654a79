"""What a benchmark ran on."""

import platform
from pathlib import Path

import primavoce
from primavoce.bench.setting import describe_machine, versions


def test_the_machine_is_named_by_its_processor(tmp_path: Path) -> None:
    cpuinfo = tmp_path / "cpuinfo"
    cpuinfo.write_text("processor\t: 0\nmodel name\t: Example 9000\nprocessor\t: 1\nmodel name\t: Example 9000\n")

    machine = describe_machine(threads=3, cpuinfo=cpuinfo)

    assert (machine.cpu, machine.threads) == ("Example 9000", 3)
    assert 1 <= machine.quota <= machine.cores
    assert machine.memory_bytes is None or machine.memory_bytes > 0


def test_a_system_that_tells_no_model_still_has_a_name(tmp_path: Path) -> None:
    assert describe_machine(threads=1, cpuinfo=tmp_path / "none").cpu


def test_versions_name_what_was_measured() -> None:
    found = versions()

    assert found["primavoce"] == primavoce.__version__
    assert found["python"] == platform.python_version()
    assert {"onnxruntime", "onnx", "numpy", "platform"} <= set(found)
