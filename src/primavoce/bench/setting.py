"""What a benchmark ran on, and with."""

import os
import platform
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from primavoce.kokoro.threads import cpu_quota

DISTRIBUTIONS = ("primavoce", "onnxruntime", "onnx", "numpy")
NOTHING_REMEMBERED = {"PRIMAVOCE_PHRASE_CACHE_BYTES": "0"}
"""Settings of a server that is measured: what it was asked for before would cost it nothing."""
CPUINFO = Path("/proc/cpuinfo")


@dataclass(frozen=True, slots=True)
class Machine:
    """What it ran on."""

    cpu: str
    """The processor's model."""
    cores: int
    """Processors of the host."""
    quota: int
    """Processors that the process may use."""
    threads: int
    """Threads of each model."""
    memory_bytes: int | None
    """The host's; null where it isn't known."""
    load: float | None
    """What ran on it in the minute before, in processors: much more than nothing, and the figures are of a machine
    that had other things to do. Null where it isn't known."""


def describe_machine(*, threads: int, cpuinfo: Path = CPUINFO) -> Machine:
    """Return this machine, whose models will have so many ``threads``; asked before they have done anything."""
    return Machine(_cpu(cpuinfo), os.cpu_count() or 1, cpu_quota(), threads, _memory_bytes(), _load())


def versions() -> dict[str, str]:
    """Return the versions of what was measured."""
    installed = {name: metadata.version(name) for name in DISTRIBUTIONS}
    return {**installed, "python": platform.python_version(), "platform": platform.platform()}


def _cpu(cpuinfo: Path) -> str:
    try:
        lines = cpuinfo.read_text().splitlines()
    except OSError:
        lines = []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, "") or platform.processor() or platform.machine()


def _load() -> float | None:
    try:
        return round(os.getloadavg()[0], 2)
    except (AttributeError, OSError):
        return None


def _memory_bytes() -> int | None:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return None  # not every system has these names
