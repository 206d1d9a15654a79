"""Who is in, and how they are asked to go."""

import anyio
import pytest

from primavoce.errors import Draining, Overloaded
from primavoce.server.lobby import Lobby

pytestmark = pytest.mark.anyio


async def test_one_too_many_is_refused_until_somebody_goes() -> None:
    lobby = Lobby(1)

    with lobby.visit():
        with pytest.raises(Overloaded), lobby.visit():
            pass
    with lobby.visit():
        assert len(lobby) == 1


async def test_who_goes_with_an_error_gives_the_place_away() -> None:
    lobby = Lobby(1)

    with pytest.raises(ZeroDivisionError), lobby.visit():
        raise ZeroDivisionError

    assert len(lobby) == 0


async def test_draining_asks_everybody_to_leave_lets_nobody_in_and_waits() -> None:
    lobby = Lobby(3)
    asked: list[str] = []
    finished = anyio.Event()

    async def guest(name: str) -> None:
        leave = anyio.Event()
        with lobby.visit(leave=lambda: (asked.append(name), leave.set())[0], cut=lambda: asked.append("cut")):
            await leave.wait()
            await finished.wait()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(guest, "a")
        tasks.start_soon(guest, "b")
        await anyio.wait_all_tasks_blocked()
        tasks.start_soon(drain_with, lobby, 10.0, asked)
        await anyio.wait_all_tasks_blocked()

        assert sorted(asked) == ["a", "b"]
        with pytest.raises(Draining), lobby.visit():
            pass
        finished.set()

    assert asked[2:] == ["emptied: True"]


async def drain_with(lobby: Lobby, within_s: float, said: list[str]) -> None:
    said.append(f"emptied: {await lobby.drain(within_s=within_s)}")


async def test_who_does_not_leave_in_time_is_cut_and_who_does_not_hear_that_is_left(monkeypatch) -> None:
    monkeypatch.setattr("primavoce.server.lobby.GOODBYE_S", 0.02)
    lobby = Lobby(2)
    said: list[str] = []

    async def guest(*, deaf: bool) -> None:
        with anyio.CancelScope() as stay, lobby.visit(cut=lambda: (said.append("cut"), deaf or stay.cancel())[0]):
            await anyio.sleep_forever()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(lambda: guest(deaf=False))
        tasks.start_soon(lambda: guest(deaf=True))
        await anyio.wait_all_tasks_blocked()

        with anyio.fail_after(5):
            await drain_with(lobby, 0.01, said)
        tasks.cancel_scope.cancel()

    assert said == ["cut", "cut", "emptied: False"]


async def test_an_empty_lobby_is_drained_at_once() -> None:
    lobby = Lobby(1)

    with anyio.fail_after(10):
        assert await lobby.drain(within_s=3600.0)

    assert lobby.draining
