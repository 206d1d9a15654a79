"""Jobs on a thread of their own."""

import asyncio
import threading
from collections.abc import Iterator

import anyio
import pytest

from primavoce.synthesis.worker import LEAST_EXPECTED_S, Worker

pytestmark = pytest.mark.anyio

PATIENCE_S = 10


class Held:
    """A job that runs until it is let go."""

    def __init__(self) -> None:
        self.began = threading.Event()
        self.let_go = threading.Event()

    def __call__(self) -> None:
        self.began.set()
        assert self.let_go.wait(PATIENCE_S)

    async def has_begun(self) -> None:
        assert await anyio.to_thread.run_sync(self.began.wait, PATIENCE_S)


@pytest.fixture
def worker() -> Iterator[Worker]:
    worker = Worker("test")
    yield worker
    worker.close()


async def test_a_worker_withdraws_a_job_that_has_not_begun(worker: Worker) -> None:
    held = Held()
    ran: list[str] = []

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(worker.run, held)
        await held.has_begun()
        with anyio.move_on_after(0):
            await worker.run(lambda: ran.append("withdrawn"))
        held.let_go.set()
        await worker.run(lambda: ran.append("next"))

    assert ran == ["next"]


async def test_a_worker_knows_how_late_its_job_is() -> None:
    now = [100.0]
    worker = Worker("test", clock=lambda: now[0])
    held = Held()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(lambda: worker.run(held, expected_s=5.0))
        await held.has_begun()
        now[0] = 104.0
        early = worker.lateness()
        now[0] = 112.0
        late = worker.lateness()
        held.let_go.set()
    idle = worker.lateness()
    worker.close()

    assert (early, late, idle) == (0.8, 2.4, 0.0)
    assert worker.busy_s == 12.0


async def test_a_job_for_idle_times_runs_on_an_idle_worker(worker: Worker) -> None:
    ran = threading.Event()

    taken = worker.run_if_idle(ran.set, expected_s=1.0)

    assert taken
    assert await anyio.to_thread.run_sync(ran.wait, PATIENCE_S)


@pytest.mark.parametrize(("expected_s", "lateness"), [(0.01, 6.0), (LEAST_EXPECTED_S, 6.0), (5.0, 1.2)])
async def test_a_job_is_late_by_what_was_expected_of_it_but_not_by_less_than_a_second(
    expected_s: float, lateness: float
) -> None:
    now = [100.0]
    worker = Worker("patient", clock=lambda: now[0])
    held = Held()

    worker.run_if_idle(held, expected_s=expected_s)
    await held.has_begun()
    now[0] = 106.0
    found = worker.lateness()
    held.let_go.set()
    worker.close()

    assert found == lateness


async def test_it_is_refused_while_another_runs_and_taken_afterwards(worker: Worker) -> None:
    held = Held()
    ran: list[str] = []

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(worker.run, held)
        await held.has_begun()
        busy = worker.run_if_idle(lambda: ran.append("refused"), expected_s=1.0)
        held.let_go.set()
    idle = worker.run_if_idle(lambda: ran.append("taken"), expected_s=1.0)
    await worker.run(lambda: None)

    assert (busy, idle, ran) == (False, True, ["taken"])


async def test_it_is_refused_while_another_of_its_kind_runs(worker: Worker) -> None:
    held = Held()

    first = worker.run_if_idle(held, expected_s=1.0)
    await held.has_begun()
    second = worker.run_if_idle(held, expected_s=1.0)
    held.let_go.set()

    assert (first, second) == (True, False)


async def test_a_withdrawn_job_leaves_the_worker_idle(worker: Worker) -> None:
    held = Held()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(worker.run, held)
        await held.has_begun()
        with anyio.move_on_after(0):
            await worker.run(lambda: None)
        held.let_go.set()

    assert worker.run_if_idle(lambda: None, expected_s=1.0)


async def test_a_job_that_fails_leaves_the_worker_idle(worker: Worker) -> None:
    def fail() -> None:
        raise ValueError("once")

    with pytest.raises(ValueError, match="once"):
        await worker.run(fail)

    assert worker.run_if_idle(lambda: None, expected_s=1.0)


async def test_an_error_that_nobody_waits_for_is_logged_and_the_next_job_runs(
    worker: Worker, caplog: pytest.LogCaptureFixture
) -> None:
    def fail() -> None:
        raise ValueError("in a check")

    worker.run_if_idle(fail, expected_s=1.0)
    answer = await worker.run(lambda: 42)

    assert answer == 42
    assert "in a check" in caplog.text


async def test_jobs_are_done_as_they_are_due_and_alike_as_they_came(worker: Worker) -> None:
    held = Held()
    ran: list[str] = []

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(worker.run, held)
        await held.has_begun()
        for name, due in (("late", 9.0), ("soon", 2.0), ("sooner", 1.0), ("soon too", 2.0)):
            tasks.start_soon(lambda name=name, due=due: worker.run(lambda: ran.append(name), due_at=lambda: due))
            await anyio.wait_all_tasks_blocked()
        held.let_go.set()

    assert ran == ["sooner", "soon", "soon too", "late"]


async def test_when_a_job_is_due_is_asked_when_the_thread_is_free(worker: Worker) -> None:
    held = Held()
    ran: list[str] = []
    due = {"first": 1.0, "second": 2.0}

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(worker.run, held)
        await held.has_begun()
        for name in list(due):
            tasks.start_soon(lambda name=name: worker.run(lambda: ran.append(name), due_at=lambda: due[name]))
            await anyio.wait_all_tasks_blocked()
        due["first"] = 3.0
        held.let_go.set()

    assert ran == ["second", "first"]


async def test_whoever_was_served_may_ask_for_more_before_others_who_wait(
    worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("primavoce.synthesis.worker.FOLLOW_UP_S", PATIENCE_S)
    held = Held()
    ran: list[str] = []

    async def twice() -> None:
        await worker.run(held, due_at=lambda: 1.0)
        await worker.run(lambda: ran.append("urgent"), due_at=lambda: 1.0)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(twice)
        await held.has_begun()
        tasks.start_soon(lambda: worker.run(lambda: ran.append("patient"), due_at=lambda: 9.0))
        await anyio.wait_all_tasks_blocked()
        held.let_go.set()
        await worker.run(lambda: None, due_at=lambda: 10.0)

    assert ran == ["urgent", "patient"]


async def test_closing_withdraws_what_has_not_begun() -> None:
    worker = Worker("test")
    held = Held()
    withdrawn = False

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(worker.run, held)
        await held.has_begun()

        async def outlived() -> None:
            nonlocal withdrawn
            try:
                await worker.run(lambda: None)
            except asyncio.CancelledError:
                withdrawn = True

        tasks.start_soon(outlived)
        await anyio.wait_all_tasks_blocked()
        worker.close()
        held.let_go.set()

    assert withdrawn
