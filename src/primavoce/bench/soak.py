"""Does a server stay as it is, however long it is visited: its memory, its threads, its tasks, its sessions?"""

import functools
import statistics
import time
import urllib.request
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

import anyio
import anyio.to_thread

from primavoce.bench.humming_server import humming_server
from primavoce.bench.setting import Machine, describe_machine, versions
from primavoce.bench.texts import Texts, read_texts
from primavoce.bench.trials import Note
from primavoce.bench.visitors import VISITORS, Visits, visit
from primavoce.client.local_server import local_server
from primavoce.errors import InvalidSetting
from primavoce.kokoro.threads import cpu_quota

WARM_SHARE = 0.2
"""Share of the time after which a server counts as warm."""
WINDOW_SHARE = 0.1
"""Share of the time over which a figure is the median: once warm, and at the end."""
LOOKS = 200
LOOK_AGAIN_S = 0.5
SETTLE_S = 10.0
"""Seconds that a server has to be empty again after the last visit."""
FIGURES = {
    "process_resident_memory_bytes": "resident_bytes",
    "process_open_fds": "files",
    "primavoce_threads": "threads",
    "primavoce_tasks": "tasks",
    "primavoce_sessions_open": "sessions",
}
"""What is read of ``/metrics``, and what it is called here."""


@dataclass(frozen=True, slots=True)
class State:
    """What a server is made of at a moment."""

    at_s: float
    """Seconds since the first visit."""
    resident_bytes: float
    files: float
    """Open ones, sockets included."""
    threads: float
    tasks: float
    """Of its event loop."""
    sessions: float


@dataclass(frozen=True, slots=True)
class SoakReport:
    """The outcome."""

    benchmark: str
    model: str
    """``kokoro``, or ``instant`` for one that costs nothing."""
    minutes: float
    visitors: int
    """At a time."""
    before: State
    """Before the first visit."""
    warm_bytes: int
    """Resident once warm; a median."""
    end_bytes: int
    """Resident at the end; a median."""
    growth: float
    """``end_bytes`` ÷ ``warm_bytes`` − 1."""
    after: State
    """When all have left."""
    visits: Visits
    machine: Machine
    versions: dict[str, str]


async def run_soak(
    environ: Mapping[str, str],
    *,
    minutes: float,
    visitors: int,
    instant: bool,
    note: Note,
    texts: Texts | None = None,
    looks: int = LOOKS,
) -> SoakReport:
    """Visit a server of one's own.

    Args:
        environ: Settings of the server.
        minutes: How long visitors come.
        visitors: How many at a time.
        instant: Whether the model costs nothing, so that all else is used as much as can be.
        note: Told what goes on.
        texts: What is spoken; the benchmark's own texts unless given.
        looks: How many times the server is looked at.

    Raises:
        PrimavoceError: the server doesn't start, or tells nothing of itself.
    """
    machine = describe_machine(threads=1 if instant else cpu_quota())
    states: list[State] = []
    visits, spoken = Visits(), texts or read_texts()
    note("starting a server of our own")
    async with _server({"PRIMAVOCE_LOG_LEVEL": "error", **environ}, instant=instant) as address:
        began = time.monotonic()

        async def look() -> State:
            return await read_state(address, at_s=time.monotonic() - began)

        before = await look()
        note(f"{visitors} visitors for {minutes:g} minutes")
        until_s = began + 60 * minutes
        async with anyio.create_task_group() as tasks:
            for number in range(visitors):
                visitor = VISITORS[number % len(VISITORS)]
                tasks.start_soon(
                    functools.partial(
                        visit, visitor, address, spoken, visits, seed=number, until_s=until_s, clock=time.monotonic
                    )
                )
            while time.monotonic() < until_s:
                await anyio.sleep(min(60 * minutes / looks, max(0.0, until_s - time.monotonic())))
                states.append(await look())
        after = await settled(look, before)
    warm, end = resident(states, 60 * minutes)
    return SoakReport(
        "soak",
        "instant" if instant else "kokoro",
        minutes,
        visitors,
        before,
        round(warm),
        round(end),
        round(end / warm - 1, 4),
        after,
        visits,
        machine,
        versions(),
    )


@asynccontextmanager
async def _server(environ: Mapping[str, str], *, instant: bool) -> AsyncIterator[str]:
    if instant:
        async with humming_server(environ) as server:
            yield server.address
    else:
        async with local_server(environ) as address:
            yield address


async def settled(look: Callable[[], Awaitable[State]], before: State) -> State:
    """Look until a server has no more sessions, tasks and files than before, for a while at most."""
    state = await look()
    with anyio.move_on_after(SETTLE_S):
        while (state.sessions, state.tasks) > (before.sessions, before.tasks) or state.files > before.files:
            await anyio.sleep(LOOK_AGAIN_S)
            state = await look()
    return state


def resident(states: Sequence[State], duration_s: float) -> tuple[float, float]:
    """Return the resident bytes of a server once warm, and at the end: medians.

    Raises:
        InvalidSetting: it was too short to tell.
    """
    warm_at, window_s = WARM_SHARE * duration_s, WINDOW_SHARE * duration_s
    warm = [state.resident_bytes for state in states if warm_at <= state.at_s < warm_at + window_s]
    end = [state.resident_bytes for state in states if state.at_s >= duration_s - window_s]
    if not warm or not end:
        raise InvalidSetting("--minutes", "too few looks at the server: let it last longer")
    return statistics.median(warm), statistics.median(end)


async def read_state(address: str, *, at_s: float) -> State:
    """Read what a server's ``/metrics`` tells of it.

    Raises:
        InvalidSetting: it doesn't.
    """

    def fetch() -> str:
        with urllib.request.urlopen(f"{address}/metrics", timeout=30) as answer:  # noqa: S310 - our own server
            return str(answer.read().decode())

    return state_in(await anyio.to_thread.run_sync(fetch), at_s=at_s)


def state_in(metrics: str, *, at_s: float) -> State:
    """Return what ``metrics``, in Prometheus' text format, tell.

    Raises:
        InvalidSetting: something isn't there.
    """
    lines = (line.split() for line in metrics.splitlines() if line and not line.startswith("#"))
    found = {FIGURES[line[0]]: float(line[-1]) for line in lines if line[0] in FIGURES}
    if missing := set(FIGURES.values()) - found.keys():
        raise InvalidSetting("/metrics", f"the server doesn't tell its {', '.join(sorted(missing))}")
    return State(at_s=round(at_s, 1), **found)
