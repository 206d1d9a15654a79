"""The transport that waits for nobody for ever, without a socket."""

import asyncio
import socket
from collections.abc import Callable

import anyio
import pytest

from primavoce.server.transport import LINGER_S, PIECE_BYTES, MortalTransport


class Loop:
    """Runs what is due when a test says so."""

    def __init__(self) -> None:
        self.soon: list[Callable[[], None]] = []
        self.later: dict[float, Callable[[], None]] = {}

    def call_soon(self, call: Callable[[], None]) -> object:
        self.soon.append(call)
        return object()

    def call_later(self, after_s: float, call: Callable[[], None]) -> "Timer":
        self.later[after_s] = call
        return Timer(self, after_s)

    def turn(self) -> bool:
        due, self.soon = self.soon, []
        for call in due:
            call()
        return bool(due)


class Timer:
    def __init__(self, loop: Loop, after_s: float) -> None:
        self._loop, self._after_s = loop, after_s

    def cancel(self) -> None:
        self._loop.later.pop(self._after_s, None)


class Transport:
    """Does nothing, and notes it."""

    def __init__(self) -> None:
        self.reading, self.closing, self.aborted = True, False, 0

    def pause_reading(self) -> None:
        self.reading = False

    def resume_reading(self) -> None:
        self.reading = True

    def is_closing(self) -> bool:
        return self.closing

    def close(self) -> None:
        self.closing = True

    def abort(self) -> None:
        self.closing = True
        self.aborted += 1

    def get_extra_info(self, _: str) -> "Transport":
        return self

    def fileno(self) -> int:
        return -1 if self.aborted else 3


@pytest.fixture
def loop() -> Loop:
    return Loop()


@pytest.fixture
def inner() -> Transport:
    return Transport()


@pytest.fixture
def mortal(inner: Transport, loop: Loop) -> MortalTransport:
    return MortalTransport(inner, loop, send_timeout_s=30.0)  # type: ignore[arg-type]


CAME = bytes(range(256)) * 300


def test_what_comes_is_handed_on_a_piece_a_turn_and_nothing_is_read_meanwhile(
    mortal: MortalTransport, inner: Transport, loop: Loop
) -> None:
    taken: list[bytes] = []
    reading = []

    mortal.hand_on(CAME, taken.append)
    reading.append(inner.reading)
    while loop.turn():
        reading.append(inner.reading)

    assert b"".join(taken) == CAME
    assert [len(piece) for piece in taken] == [PIECE_BYTES] * 4 + [len(CAME) - 4 * PIECE_BYTES]
    assert reading == [False] * 4 + [True]


def test_whoever_pauses_gets_no_more_until_it_is_resumed(mortal: MortalTransport, inner: Transport, loop: Loop) -> None:
    taken: list[bytes] = []

    def take(piece: bytes) -> None:
        taken.append(piece)
        mortal.pause_reading()

    mortal.hand_on(CAME[: 2 * PIECE_BYTES], take)
    assert not loop.turn()
    mortal.resume_reading()
    mortal.resume_reading()
    before = len(taken)
    loop.turn()

    assert (before, len(taken)) == (1, 2)
    assert not inner.reading  # the last piece has paused it again
    mortal.resume_reading()
    assert inner.reading


def test_what_was_paused_between_two_turns_waits(mortal: MortalTransport, loop: Loop) -> None:
    taken: list[bytes] = []

    mortal.hand_on(CAME, taken.append)
    mortal.pause_reading()
    while loop.turn():
        pass

    assert len(taken) == 1


def test_what_came_before_a_close_is_not_looked_at_any_more(mortal: MortalTransport, loop: Loop) -> None:
    taken: list[bytes] = []

    mortal.hand_on(CAME, taken.append)
    mortal.close()
    while loop.turn():
        pass

    assert len(taken) == 1


def test_one_who_fails_loses_the_connection(mortal: MortalTransport, inner: Transport) -> None:
    def fail(_: bytes) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        mortal.hand_on(b"x", fail)

    assert inner.aborted == 1


def test_a_close_comes_to_an_end(mortal: MortalTransport, inner: Transport, loop: Loop) -> None:
    mortal.close()
    mortal.close()
    assert inner.aborted == 0

    loop.later.pop(LINGER_S)()

    assert inner.aborted == 1
    assert loop.later == {}


def test_a_reader_who_has_stopped_is_cut_off_and_one_who_goes_on_is_not(
    mortal: MortalTransport, inner: Transport, loop: Loop
) -> None:
    mortal.reader_stopped()
    mortal.reader_goes_on()
    assert loop.later == {}

    mortal.reader_stopped()
    loop.later.pop(30.0 + LINGER_S)()

    assert inner.aborted == 1


def test_one_who_is_lost_is_not_waited_for(mortal: MortalTransport, inner: Transport, loop: Loop) -> None:
    mortal.reader_stopped()
    mortal.close()

    mortal.lost()

    assert loop.later == {}


@pytest.mark.anyio
async def test_a_closed_connection_is_lost_though_its_reader_never_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("primavoce.server.transport.LINGER_S", 0.05)
    lost = anyio.Event()

    class Written(asyncio.Protocol):
        def connection_lost(self, exc: Exception | None) -> None:
            lost.set()

    here, there = socket.socketpair()
    with there:
        loop = asyncio.get_running_loop()
        transport, _ = await loop.create_connection(Written, sock=here)
        mortal = MortalTransport(transport, loop, send_timeout_s=30.0)
        mortal.write(b"x" * 10_000_000)
        mortal.close()
        with anyio.fail_after(10):
            await lost.wait()
        here.close()
