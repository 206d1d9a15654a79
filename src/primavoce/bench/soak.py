"""Does a server stay as it is, however long it is visited: its memory, its threads, its tasks, its sessions?"""

import functools
import statistics
import time
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from http.client import HTTPException

import anyio
import anyio.to_thread

from primavoce.bench.humming_server import humming_server
from primavoce.bench.setting import NOTHING_REMEMBERED, Machine, describe_machine, versions
from primavoce.bench.texts import Texts, read_texts
from primavoce.bench.trials import Note
from primavoce.bench.visitors import VISITORS, Visits, visit
from primavoce.client.local_server import for_ourselves, local_server
from primavoce.errors import InvalidSetting
from primavoce.kokoro.threads import cpu_quota
from primavoce.settings import Settings

WARM_SHARE = 0.2
"""Share of the time after which a server counts as warm."""
WINDOW_SHARE = 0.1
"""Share of the time over which a figure is the median: once warm, and at the end."""
LOOKS = 200
LOOK_S = 30.0
"""Seconds that a look may take."""
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
    warm_bytes: int | None
    """Resident once warm; a median. Null if there were no looks at the server then."""
    end_bytes: int | None
    """Resident at the end; the same."""
    growth: float | None
    """``end_bytes`` ÷ ``warm_bytes`` − 1."""
    after: State | None
    """When all have left; null if the server told nothing any more."""
    failed_looks: int
    """Looks at the server that told nothing."""
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
        PrimavoceError: the server doesn't start, or tells nothing of itself before the first visit.
    """
    machine = describe_machine(threads=1 if instant else cpu_quota())
    visits, spoken = Visits(), texts or read_texts()
    note("starting a server of our own")
    async with _server(server_environ(environ, visitors=visitors), instant=instant) as address:
        began = time.monotonic()
        watch = Watch(lambda: read_state(address, at_s=time.monotonic() - began))
        before = await read_state(address, at_s=0.0)
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
                await watch.look()
        states = tuple(watch.states)
        after = await settled(watch.look, before)
    warm, end = resident(states, 60 * minutes)
    return SoakReport(
        "soak",
        "instant" if instant else "kokoro",
        minutes,
        visitors,
        before,
        warm,
        end,
        round(end / warm - 1, 4) if warm and end else None,
        after,
        watch.failed,
        visits,
        machine,
        versions(),
    )


def server_environ(environ: Mapping[str, str], *, visitors: int) -> dict[str, str]:
    """Return the environment of a server that so many ``visitors`` come to.

    Phrases aren't remembered unless ``environ`` says so: the texts are few, so that most would cost nothing, and a
    cache that fills up would pass for growth.
    """
    # A visitor who leaves without a word is back before the server has noticed.
    room = max(Settings.from_env(for_ourselves(environ)).max_sessions, 2 * visitors)
    quiet = {"PRIMAVOCE_LOG_LEVEL": "error", **NOTHING_REMEMBERED, **environ}
    return {**quiet, "PRIMAVOCE_METRICS": "1", "PRIMAVOCE_MAX_SESSIONS": str(room)}


@asynccontextmanager
async def _server(environ: Mapping[str, str], *, instant: bool) -> AsyncIterator[str]:
    if instant:
        async with humming_server(environ) as server:
            yield server.address
    else:
        async with local_server(environ) as address:
            yield address


class Watch:
    """Looks at a server again and again. One look that fails mustn't end hours of visits: it is counted.

    Args:
        read: Reads the server's state.
    """

    def __init__(self, read: Callable[[], Awaitable[State]]) -> None:
        self._read = read
        self.states: list[State] = []
        """What was seen."""
        self.failed = 0
        """Looks that told nothing."""

    async def look(self) -> State | None:
        """Look once more, and return what is seen, if anything is."""
        try:
            state = await self._read()
        except InvalidSetting:
            self.failed += 1
            return None
        self.states.append(state)
        return state


async def settled(look: Callable[[], Awaitable[State | None]], before: State) -> State | None:
    """Look until a server has no more sessions, tasks and files than before, for a while at most."""
    state = await look()
    with anyio.move_on_after(SETTLE_S):
        while state is None or _is_busier(state, before):
            await anyio.sleep(LOOK_AGAIN_S)
            state = await look() or state
    return state


def _is_busier(state: State, before: State) -> bool:
    return state.sessions > before.sessions or state.tasks > before.tasks or state.files > before.files


def resident(states: Sequence[State], duration_s: float) -> tuple[int | None, int | None]:
    """Return the resident bytes of a server once warm, and at the end: medians, where there were looks."""
    warm_at, window_s = WARM_SHARE * duration_s, WINDOW_SHARE * duration_s
    warm = [state.resident_bytes for state in states if warm_at <= state.at_s < warm_at + window_s]
    end = [state.resident_bytes for state in states if state.at_s >= duration_s - window_s]
    return _median(warm), _median(end)


def _median(values: Sequence[float]) -> int | None:
    return round(statistics.median(values)) if values else None


async def read_state(address: str, *, at_s: float) -> State:
    """Read what a server's ``/metrics`` tells of it.

    Raises:
        InvalidSetting: it doesn't.
    """

    def fetch() -> str:
        try:
            with urllib.request.urlopen(f"{address}/metrics", timeout=LOOK_S) as answer:  # noqa: S310 - our own server
                return str(answer.read().decode())
        except urllib.error.HTTPError as error:
            error.close()
            raise

    try:
        # A limiter of its own: visitors over HTTP don't keep it waiting.
        return state_in(await anyio.to_thread.run_sync(fetch, limiter=anyio.CapacityLimiter(1)), at_s=at_s)
    except (OSError, HTTPException, ValueError) as error:
        told = str(error) or type(error).__name__
        raise InvalidSetting("/metrics", f"the server doesn't tell of itself: {told}") from error


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
