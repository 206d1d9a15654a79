import threading

import anyio
import pytest

from primavoce.agent.runtime.threads import CallThreads
from primavoce.errors import Overloaded
from tests.agent.test_app import until

pytestmark = pytest.mark.anyio


async def test_what_a_call_is_given_is_done_in_one_thread_in_that_order() -> None:
    done: list[tuple[str, int]] = []

    with CallThreads(1).one() as thread:
        for name in ("a", "b"):
            await thread.run(lambda name=name: done.append((name, threading.get_ident())))

    assert [name for name, _ in done] == ["a", "b"]
    assert {ident for _, ident in done} != {threading.get_ident()}
    assert len({ident for _, ident in done}) == 1


async def test_what_a_call_raises_is_raised() -> None:
    def fail() -> None:
        raise ZeroDivisionError

    with CallThreads(1).one() as thread:
        with pytest.raises(ZeroDivisionError):
            await thread.run(fail)


async def test_a_call_that_was_left_counts_until_it_ends() -> None:
    threads, blocked, going_on, done = CallThreads(1), threading.Event(), threading.Event(), threading.Event()

    def block() -> None:
        blocked.set()
        going_on.wait(5)

    with anyio.move_on_after(0.01):
        with threads.one() as thread:
            try:
                await thread.run(block)
            finally:
                thread.leave(done.set)

    assert blocked.is_set()
    assert not done.is_set()
    with pytest.raises(Overloaded), threads.one():
        pass
    going_on.set()
    await until(lambda: not len(threads))
    assert done.is_set()


async def test_there_are_no_more_than_there_is_room_for() -> None:
    threads = CallThreads(2)

    with threads.one(), threads.one():
        with pytest.raises(Overloaded), threads.one():
            pass
    await until(lambda: not len(threads))

    with threads.one():
        assert len(threads) == 1
