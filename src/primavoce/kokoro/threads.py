"""How many threads the model may use."""

import math
import os
from pathlib import Path

CGROUP = Path("/sys/fs/cgroup")


def cpu_quota(*, root: Path = CGROUP, own: Path = Path("/proc/self/cgroup"), affinity: int | None = None) -> int:
    """Return the processors that this process may use: its container's quota, not the host's count.

    A model with as many threads as the host has processors, in a container that may use two of them, spends its time
    waiting for its own threads.

    Args:
        root: Where control groups are mounted.
        own: Tells which group this process is in.
        affinity: Processors that the process may run on; asked of the system unless given.
    """
    available = affinity if affinity is not None else _affinity()
    quotas = [quota for quota in (*_quotas_v2(root, own), *_quotas_v1(root)) if quota is not None]
    return max(1, min([available, *(math.floor(quota) for quota in quotas)]))


def _affinity() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _quotas_v2(root: Path, own: Path) -> list[float | None]:
    """Quotas of this process's group and of those round it: any of them limits."""
    group = next((line[3:] for line in _read(own).splitlines() if line.startswith("0::")), "/")
    folders = [root]
    for name in Path(group).parts[1:]:
        folders.append(folders[-1] / name)
    return [_ratio(*(_read(folder / "cpu.max").split() or ["max", "100000"])) for folder in folders]


def _quotas_v1(root: Path) -> list[float | None]:
    folder = root / "cpu"
    return [_ratio(_read(folder / "cpu.cfs_quota_us").strip(), _read(folder / "cpu.cfs_period_us").strip())]


def _ratio(quota: str, period: str = "100000") -> float | None:
    """Return processors, or `None` for no limit: ``max`` in version 2, −1 in version 1."""
    if not quota.isdecimal() or not period.isdecimal() or int(period) == 0:
        return None
    return int(quota) / int(period)


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""
