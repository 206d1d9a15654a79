"""A server that is visited for long, and what it is made of meanwhile."""

import json
import subprocess
import sys
from collections.abc import Sequence

import pytest

from primavoce.bench.soak import State, resident, settled, state_in
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


@pytest.mark.parametrize("states", [[], [state(5.0)], [state(25.0)], [state(95.0)]])
def test_too_few_looks_tell_nothing(states: Sequence[State]) -> None:
    with pytest.raises(InvalidSetting, match="too few looks"):
        resident(states, 100.0)


@pytest.mark.anyio
async def test_a_server_has_settled_when_nothing_is_left_of_its_visitors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("primavoce.bench.soak.LOOK_AGAIN_S", 0)
    seen = iter([state(sessions=2), state(tasks=9), state(), state(sessions=3)])

    async def look() -> State:
        return next(seen)

    assert await settled(look, state()) == state()
    assert next(seen) == state(sessions=3)


def test_all_kinds_of_visitors_leave_a_server_as_it_was() -> None:
    command = [sys.executable, "-m", "primavoce", "bench", "soak", "--instant", "--minutes", "0.1", "--json"]

    done = subprocess.run(command, capture_output=True, text=True, timeout=50, check=True)

    told = json.loads(done.stdout)
    visits = told["visits"]
    assert all(visits[kind] > 0 for kind in ("sessions", "cancelled", "left", "requests", "nonsense"))
    assert visits["errors"] == {}
    for kind in ("sessions", "tasks", "files"):
        assert told["after"][kind] <= told["before"][kind]
