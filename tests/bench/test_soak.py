"""A server that is visited for long, and what it is made of meanwhile."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace

import anyio
import anyio.to_thread
import pytest
from rich.console import Console

from primavoce.bench.setting import Machine
from primavoce.bench.soak import (
    SoakReport,
    State,
    Watch,
    read_state,
    resident,
    server_environ,
    settled,
    state_in,
)
from primavoce.bench.visitors import Visits
from primavoce.cli.capacity_view import soak_table
from primavoce.errors import InvalidSetting

METRICS = """\
# HELP primavoce_threads Threads of Python's in the process.
primavoce_threads 4.0
primavoce_tasks 5.0
primavoce_sessions_open 2.0
primavoce_sessions_total{outcome="closed"} 7.0
process_resident_memory_bytes 1.5e+08
process_open_fds 11.0
"""


def state(at_s: float = 0.0, megabytes: float = 100.0, sessions: float = 0.0, tasks: float = 5.0) -> State:
    return State(at_s, megabytes * 1e6, 9.0, 4.0, tasks, sessions)


def test_a_state_is_read_of_the_metrics() -> None:
    assert state_in(METRICS, at_s=3.0) == State(3.0, 1.5e8, 11.0, 4.0, 5.0, 2.0)


def test_a_server_that_does_not_tell_is_no_use() -> None:
    with pytest.raises(InvalidSetting, match="its tasks"):
        state_in(METRICS.replace("primavoce_tasks", "other"), at_s=0.0)


def test_memory_is_compared_once_warm_and_at_the_end() -> None:
    states = [state(at_s, megabytes) for at_s, megabytes in ((5, 50), (21, 100), (25, 104), (50, 300), (95, 110))]

    assert resident(states, 100.0) == (102e6, 110e6)


@pytest.mark.parametrize(
    ("states", "told"),
    [([], (None, None)), ([state(5.0)], (None, None)), ([state(25.0)], (10**8, None)), ([state(95.0)], (None, 10**8))],
)
def test_without_looks_there_is_no_median(states: Sequence[State], told: tuple[int | None, int | None]) -> None:
    assert resident(states, 100.0) == told


# --- looking


@pytest.mark.anyio
@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 404 Not here\r\nContent-Length: 0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n\xff",
        b"HTTP/1.1 200 OK\r\nContent-Length: 22\r\n\r\nprimavoce_tasks banana",
        b"220 mail.example.com\r\n\r\n",
    ],
    ids=["404", "cut", "no text", "no number", "no HTTP"],
)
async def test_a_look_that_fails_is_one_sentence_and_counted(answering, answer: bytes) -> None:
    async with answering(answer) as address:
        with pytest.raises(InvalidSetting, match="/metrics: the server doesn't tell of itself: ."):
            await read_state(address, at_s=0.0)

        watch = Watch(lambda: read_state(address, at_s=0.0))
        seen = await watch.look(), await watch.look()

    assert (seen, watch.states, watch.failed) == ((None, None), [], 2)


@pytest.mark.anyio
async def test_a_server_is_looked_at_whoever_else_waits_for_threads(answering) -> None:
    threads = anyio.to_thread.current_default_thread_limiter()
    others = [object() for _ in range(int(threads.total_tokens))]
    for other in others:
        await threads.acquire_on_behalf_of(other)
    try:
        async with answering(f"HTTP/1.1 200 OK\r\nContent-Length: {len(METRICS)}\r\n\r\n{METRICS}".encode()) as address:
            with anyio.fail_after(5):
                seen = await read_state(address, at_s=3.0)
    finally:
        for other in others:
            threads.release_on_behalf_of(other)

    assert seen == state_in(METRICS, at_s=3.0)


@pytest.mark.anyio
async def test_looks_that_fail_while_a_server_settles_are_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("primavoce.bench.soak.LOOK_AGAIN_S", 0)
    seen = iter([None, state(sessions=2), None, state()])

    async def look() -> State | None:
        return next(seen)

    assert await settled(look, state()) == state()


@pytest.mark.anyio
async def test_of_a_server_that_tells_nothing_any_more_there_is_no_last_state(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("primavoce.bench.soak.SETTLE_S", 0)

    async def look() -> None:
        return None

    assert await settled(look, state()) is None


@pytest.mark.parametrize("busier", [state(sessions=1), state(tasks=6), replace(state(), files=10.0)])
@pytest.mark.anyio
async def test_a_server_with_more_of_anything_has_not_settled(busier: State, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("primavoce.bench.soak.LOOK_AGAIN_S", 0)
    seen = iter([busier, state()])

    async def look() -> State:
        return next(seen)

    assert await settled(look, state(sessions=0, tasks=5)) == state()


# --- the server that is visited


def test_nothing_is_remembered_unless_the_environment_says_so() -> None:
    name = "PRIMAVOCE_PHRASE_CACHE_BYTES"

    assert server_environ({}, visitors=5)[name] == "0"
    assert server_environ({name: "1000"}, visitors=5)[name] == "1000"


@pytest.mark.parametrize(("given", "visitors", "room"), [({}, 5, "64"), ({}, 100, "200"), ({"MAX": "7"}, 2, "7")])
def test_there_is_room_for_all_visitors(given: dict[str, str], visitors: int, room: str) -> None:
    environ = {"PRIMAVOCE_MAX_SESSIONS": given["MAX"]} if given else {}

    assert server_environ(environ, visitors=visitors)["PRIMAVOCE_MAX_SESSIONS"] == room


def test_the_server_always_tells_of_itself() -> None:
    assert server_environ({"PRIMAVOCE_METRICS": "0"}, visitors=1)["PRIMAVOCE_METRICS"] == "1"


# --- what is shown


def report(**changes: object) -> SoakReport:
    machine = Machine("Example 9000", 4, 2, 2, 8 * 2**30, 0.25)
    made = SoakReport(
        "soak", "instant", 30.0, 5, state(), 100 * 10**6, 101 * 10**6, 0.01, state(), 0, Visits(), machine, {}
    )  # fmt: skip
    return replace(made, **changes)


def shown(told: SoakReport) -> str:
    console = Console(width=120, force_terminal=False)
    with console.capture() as capture:
        console.print(soak_table(told))
    return capture.get()


def test_growth_is_shown_and_failed_looks_only_if_there_are_any() -> None:
    assert "101.0 (+1.00%)" in shown(report())
    assert "errors: none\n" in shown(report())
    assert "errors: none; 3 looks at the server told nothing" in shown(report(failed_looks=3))


def test_a_server_that_died_is_shown_too() -> None:
    told = shown(report(warm_bytes=None, end_bytes=None, growth=None, after=None))

    for name in ("when all have left", "once warm", "at the end"):
        assert re.search(rf"{name}[ │]+–[ │]+\n", told)


@pytest.mark.anyio
async def test_a_server_has_settled_when_nothing_is_left_of_its_visitors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("primavoce.bench.soak.LOOK_AGAIN_S", 0)
    seen = iter([state(sessions=2), state(tasks=9), state(), state(sessions=3)])

    async def look() -> State:
        return next(seen)

    assert await settled(look, state()) == state()
    assert next(seen) == state(sessions=3)


def test_all_kinds_of_visitors_leave_a_server_as_it_was() -> None:
    # What says who else may speak to it, or that it tells nothing of itself, doesn't count.
    others = {"PRIMAVOCE_API_KEYS": "a-key-that-nobody-shows", "PRIMAVOCE_TLS_CERTIFICATE": "/nowhere"}
    environ = {**os.environ, **others, "PRIMAVOCE_METRICS": "0"}
    command = [sys.executable, "-m", "primavoce", "bench", "soak", "--instant", "--minutes", "0.1", "--json"]

    done = subprocess.run(command, capture_output=True, text=True, timeout=50, check=True, env=environ)

    told = json.loads(done.stdout)
    visits = told["visits"]
    assert all(visits[kind] > 0 for kind in ("sessions", "cancelled", "left", "requests", "nonsense"))
    assert visits["errors"] == {}
    for kind in ("sessions", "tasks", "files"):
        assert told["after"][kind] <= told["before"][kind]
