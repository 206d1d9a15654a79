"""The stages of a start, a line each in the log, with the seconds since the process began.

The words of a line are those that the published sample's tools look for:
``=== STAGE ready t=2026-01-02T03:04:05.678Z elapsed_s=3.210 ===``.
"""

import os
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import structlog

from primavoce.synthesis.report import ModelReport

LISTENING = "framework_init"
"""Everything is imported, and connections are accepted; they wait."""
WARM = "warmup_done"
"""The weights are there, the model is loaded, and has spoken something for a try."""
READY = "ready"
"""``/ping`` says 200."""

IMPORTED_AT = time.time()

log = structlog.get_logger("primavoce.server")


def log_stage(
    name: str, *, began_at: float, model: ModelReport | None = None, wall_clock: Callable[[], float] = time.time
) -> None:
    """Say that a stage is reached.

    Args:
        name: One of the above.
        began_at: When the process began, in seconds since the epoch.
        model: What is loaded by now.
        wall_clock: Seconds since the epoch.
    """
    now = wall_clock()
    elapsed_s = f"{now - began_at:.3f}"
    moment = datetime.fromtimestamp(now, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    line = f"=== STAGE {name} t={moment} elapsed_s={elapsed_s} ==="
    facts = {} if model is None else {"digest": model.digest, "device": model.device, "provider": model.provider}
    log.info(line, stage=name, elapsed_s=float(elapsed_s), **facts)


def process_began_at(stat: Path = Path("/proc/self/stat")) -> float:
    """Return when this process began, in seconds since the epoch; where nothing tells it, when this was imported."""
    try:
        # The name of the command stands in brackets, and may hold anything; the 22nd field is ticks since the boot.
        ticks = int(stat.read_text().rpartition(")")[2].split()[19])
        age_s = time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError, AttributeError):
        return IMPORTED_AT
    began_at = time.time() - age_s
    return min(began_at, IMPORTED_AT)
