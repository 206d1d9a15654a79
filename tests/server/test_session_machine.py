"""One session after another over real sockets, with whatever a client may send, in any order: the protocol holds."""

import itertools
import json
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future

import anyio
import anyio.abc
import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from primavoce.testing.fake_engine import FakeModel, fake_engine
from tests.conftest import RunningServer, run_server
from tests.server.session_model import Asked, Due, View

PATIENCE_S = 10.0
MOST_WAITING = 4
MOST_CHARACTERS = 400
MOST_BYTES = 8192
LONGEST_ID = 200


class Tap:
    """Lets the model work, or holds it back."""

    def __init__(self) -> None:
        self._open = threading.Event()
        self._open.set()

    def __call__(self) -> None:
        assert self._open.wait(timeout=60)

    @property
    def shut(self) -> bool:
        return not self._open.is_set()

    def turn(self, *, on: bool) -> None:
        (self._open.set if on else self._open.clear)()


class Line:
    """A connection, whose frames a view looks at as they come."""

    def __init__(self) -> None:
        self.view = View()
        self.over = False
        self._socket: ClientConnection | None = None
        self._failure: BaseException | None = None
        self._arrived = anyio.Event()

    async def run(self, url: str, *, task_status: anyio.abc.TaskStatus[None]) -> None:
        async with connect(url, compression=None) as self._socket:
            task_status.started()
            try:
                async for frame in self._socket:
                    self._look_at(frame)
            except ConnectionClosed:
                pass
            self.over = True
            self._arrived.set()

    def _look_at(self, frame: str | bytes) -> None:
        try:
            self.view.receive(frame)
        except BaseException as failure:  # noqa: BLE001 - whatever it is, it is the test's to raise
            self._failure = self._failure or failure
        self._arrived.set()
        self._arrived = anyio.Event()

    async def send(self, frame: str | bytes | list[str]) -> None:
        assert self._socket is not None
        await self._socket.send(frame)

    async def until(self, condition: Callable[[], bool]) -> None:
        with anyio.fail_after(PATIENCE_S):
            while self._failure is None and not condition():
                await self._arrived.wait()
        if self._failure is not None:
            raise self._failure

    async def hang_up(self) -> None:
        assert self._socket is not None
        await self._socket.close()

    async def cut(self) -> None:
        assert self._socket is not None
        self._socket.transport.abort()


class Ground:
    """A server, and what a synchronous test needs to play with it."""

    def __init__(self, portal: BlockingPortal, server: RunningServer, tap: Tap) -> None:
        self.portal = portal
        self.server = server
        self.tap = tap

    def connect(self) -> tuple[Line, "Future[None]"]:
        line = Line()
        future, _ = self.portal.start_task(line.run, self.server.session_url)
        return line, future

    def until_empty(self) -> None:
        async def wait() -> None:
            with anyio.fail_after(PATIENCE_S):
                while len(self.server.lobby):  # noqa: ASYNC110 - the server has no event for a test to wait for
                    await anyio.sleep(0.001)

        self.portal.call(wait)


@pytest.fixture(scope="module")
def ground() -> Iterator[Ground]:
    tap = Tap()
    changes = {
        "max_queued_requests": MOST_WAITING,
        "max_text_characters": MOST_CHARACTERS,
        "max_message_bytes": MOST_BYTES,
        "max_ahead_s": 3600.0,
        "text_idle_s": 0.005,
    }
    with start_blocking_portal() as portal:
        running = run_server(fake_engine(model=FakeModel(before=tap, parts_per_segment=3)), **changes)
        with portal.wrap_async_context_manager(running) as server:
            yield Ground(portal, server, tap)
            tap.turn(on=True)


# --- what is sent

texts = st.sampled_from(
    ["Good morning.", "One moment. Let me look. It is $5.", "Is it? Yes! No", "a", "!!!", "# T\n\nx"]
)
texts |= st.text(max_size=30)
deltas = st.sampled_from([" Hello", ", and", " there. So", ".", "\n\n", " "]) | st.text(max_size=8)
options = st.fixed_dictionaries(
    {},
    optional={
        "voice": st.sampled_from(["af_heart", "bm_george", "ef_dora", "af_heart:0.7+af_bella:0.3"]),
        "speed": st.sampled_from([0.5, 1, 1.5, 2.0]),
        "sample_rate": st.sampled_from([8000, 24_000, 48_000]),
        "format": st.sampled_from(["pcm", "wav"]),
        "events": st.lists(st.sampled_from(["segments", "words"]), max_size=2, unique=True),
        "code": st.sampled_from(["skip", "read", None]),
    },
)
REFUSED = [
    ({"voice": "nobody"}, "unknown_voice"),
    ({"speed": 0}, "invalid_speed"),
    ({"speed": "fast"}, "invalid_speed"),
    ({"sample_rate": 1}, "unsupported_sample_rate"),
    ({"sample_rate": "x"}, "invalid_field"),
    ({"format": "aac"}, "unsupported_format"),
    ({"language": "tlh"}, "unknown_language"),
    ({"events": ["nonsense"]}, "invalid_field"),
    ({"events": 3}, "invalid_field"),
    ({"colour": "red"}, "unknown_field"),
    ({"text": []}, "invalid_field"),
    ({"text": " \n"}, "text_required"),
    ({"text": "x" * (MOST_CHARACTERS + 1)}, "text_too_long"),
    ({"request_timestamp": 1.0}, "request_stale"),
    ({"request_timestamp": -1}, "invalid_field"),
]
"""What makes a good request a bad one."""
NO_MESSAGE = ("invalid_utf8", "invalid_json", "invalid_message", "empty_frame")
RUBBISH: list[tuple[str | bytes, tuple[str, ...]]] = [
    ("", ("empty_frame",)),
    (b"", ("empty_frame",)),
    ("x", ("invalid_json",)),
    ("{", ("invalid_json",)),
    (b"\xff\xfe", ("invalid_utf8",)),
    (b'{"text": "\xed\xa0\x80"}', ("invalid_utf8",)),
    ("[]", ("invalid_message",)),
    ("null", ("invalid_message",)),
    ('"text"', ("invalid_message",)),
    ("[" * 3000, ("invalid_json",)),
    ("{}", ("invalid_field",)),
    ('{"type": "nonsense"}', ("unknown_type",)),
    ('{"type": 3}', ("unknown_type",)),
    ('{"type": null}', ("unknown_type",)),
    ('{"type": "ping", "played_s": -1}', ("invalid_field",)),
    ('{"type": "ping", "played_s": "x"}', ("invalid_field",)),
    ('{"type": "cancel", "request_id": 3}', ("invalid_field",)),
    ('{"type": "cancel", "request_id": "nobody"}', ("unknown_request",)),
    ('{"type": "end", "request_id": "nobody"}', ("unknown_request",)),
    ('{"type": "flush", "request_id": "nobody"}', ("unknown_request",)),
    ('{"type": "close", "reason": "x"}', ("unknown_field",)),
    ('{"type": "lexicon"}', ("invalid_field",)),
    ('{"type": "lexicon", "words": {"Okafor": "/§/"}}', ("invalid_lexicon",)),
    ('{"text": "a", "speed": NaN}', ("invalid_speed",)),
    (json.dumps({"text": "a", "request_id": "x" * (LONGEST_ID + 1)}), ("invalid_field",)),
    (json.dumps({"text": "a", "request_id": ""}), ("invalid_field",)),
    ("x" * (MOST_BYTES + 1), ("message_too_large",)),
]
rubbish = st.sampled_from(RUBBISH)
rubbish |= st.binary(max_size=40).map(lambda frame: (b"\x00" + frame, NO_MESSAGE))


class SessionMachine(RuleBasedStateMachine):
    """A client that behaves well and badly by turns.

    No rule has a precondition, since how far the server has come would decide on it, and no run could be repeated: a
    rule that makes no sense now does nothing.

    Args:
        ground: Where the server is.
    """

    def __init__(self, ground: Ground) -> None:
        super().__init__()
        self._ground = ground
        self._ids = (f"r{number}" for number in itertools.count())
        self._cut_off: list[str] = []  # ids whose text is ignored until their end
        self._line, self._task = ground.connect()

    @property
    def _view(self) -> View:
        return self._line.view

    def _send(self, frame: str | bytes | list[str]) -> None:
        self._ground.portal.call(self._line.send, frame)

    def _say(self, **message: object) -> None:
        self._send(json.dumps(message))

    def _barrier(self, **fields: object) -> None:
        """Wait until the server has looked at all that was sent."""
        request_id = fields.setdefault("request_id", next(self._ids))
        self._view.pings.append(request_id)  # type: ignore[arg-type]
        self._say(type="ping", **fields)
        self._ground.portal.call(self._line.until, lambda: not self._view.pings)
        self._view.settled()

    def _ask(self, request_id: str | None, message: dict[str, object], *, growing: bool = False) -> Asked:
        text = str(message["text"])
        blank = not growing and not text.strip()
        asked = Asked(
            request_id,
            text,
            int(message.get("sample_rate") or 24_000),  # type: ignore[call-overload]
            str(message.get("format") or "pcm"),
            tuple(message.get("events") or ()),  # type: ignore[arg-type]
            growing,
            # As far as the client can know: those that it has not seen the end of.
            ("too_many_requests",) if len(self._view.live) >= MOST_WAITING and not blank else (),
        )
        if blank:
            asked.codes, asked.must_fail = ("text_required",), True
        self._view.asked.append(asked)
        return asked

    # --- requests

    @rule(text=texts, given=options, way=st.sampled_from(["text", "binary", "pieces"]), typed=st.booleans())
    def speak(self, text: str, given: dict[str, object], way: str, typed: bool) -> None:
        request_id = next(self._ids)
        message = {"text": text, "request_id": request_id, **given, **({"type": "synthesize"} if typed else {})}
        self._ask(request_id, message)
        frame = json.dumps(message, ensure_ascii=typed)
        pieces = [frame[: len(frame) // 2], frame[len(frame) // 2 :]]
        self._send(frame.encode() if way == "binary" else pieces if way == "pieces" else frame)

    @rule(text=texts.filter(str.strip))
    def speak_without_an_id(self, text: str) -> None:
        if len(self._view.live) >= MOST_WAITING:
            return
        self._ask(None, {"text": text})
        self._say(text=text)

    @rule(fault=st.sampled_from(REFUSED), named=st.booleans())
    def speak_wrongly(self, fault: tuple[dict[str, object], str], named: bool) -> None:
        changes, code = fault
        request_id = next(self._ids) * (LONGEST_ID // 10 if named else 1)
        codes = (code, "too_many_requests") if len(self._view.live) >= MOST_WAITING else (code,)
        message = {"text": "Never spoken.", **changes}
        if named:
            message["request_id"] = request_id
            self._view.asked.append(Asked(request_id, "", codes=codes, must_fail=True))
        else:
            self._view.due.append(Due(codes))
        self._say(**message)

    @rule(count=st.integers(1, 3))
    def pile_up(self, count: int) -> None:
        self._ground.tap.turn(on=False)
        for _ in range(count):
            self.speak("And again.", {}, "text", typed=True)

    @rule(which=st.integers(0, 9), fault=st.just(({}, "duplicate_request")) | st.sampled_from(REFUSED))
    def speak_by_a_live_id(self, which: int, fault: tuple[dict[str, object], str]) -> None:
        changes, code = fault
        # The first may be about to end; those behind it can't, while the model is held back and they need it.
        behind = [each for each in self._view.live[1:] if each.request_id is not None and "a" in each.text.lower()]
        if not behind or not self._ground.tap.shut:
            return
        twin = behind[which % len(behind)]
        # What is wrong with the message itself may be found before the id is looked at, or after.
        self._view.due.append(Due((code, "duplicate_request")))
        self._say(**{"text": "Again.", "request_id": twin.request_id, **changes})
        self._barrier()
        assert twin.ending is None, "an error about another message ended it"

    @rule(text=texts | st.just(""), given=options)
    def open(self, text: str, given: dict[str, object]) -> None:
        request_id = next(self._ids)
        asked = self._ask(request_id, {"text": text, **given}, growing=True)
        self._say(type="text", text=text, request_id=request_id, **given)
        self._barrier()
        if asked.ending is not None:
            self._cut_off.append(request_id)

    @rule(text=deltas, which=st.integers(0, 9), named=st.booleans())
    def go_on(self, text: str, which: int, named: bool) -> None:
        if not self._view.open:
            return
        asked = self._view.open[which % len(self._view.open)] if named else self._view.open[-1]
        too_long = len(asked.text) + len(text) > MOST_CHARACTERS
        asked.codes = ("text_too_long",) if too_long else ()
        asked.text += "" if too_long else text
        self._say(type="text", text=text, **({"request_id": asked.request_id} if named else {}))
        if too_long:
            self._barrier()
            assert asked.ending is not None
            self._cut_off.append(str(asked.request_id))

    @rule(which=st.integers(0, 9), named=st.booleans(), kind=st.sampled_from(["end", "end", "flush"]))
    def end_or_flush(self, which: int, named: bool, kind: str) -> None:
        if not self._view.open:
            return
        asked = self._view.open[which % len(self._view.open)] if named else self._view.open[-1]
        if kind == "end":
            asked.growing = False
            if not asked.text.strip():
                asked.codes, asked.must_fail = ("text_required",), True
        self._say(type=kind, **({"request_id": asked.request_id} if named else {}))

    @rule(kind=st.sampled_from(["end", "flush"]))
    def end_nothing(self, kind: str) -> None:
        if self._view.open:
            return
        self._view.due.append(Due(("unknown_request",)))
        self._say(type=kind)

    @rule(text=deltas, ends=st.booleans())
    def go_on_with_what_has_ended(self, text: str, ends: bool) -> None:
        if not self._cut_off:
            return
        request_id = self._cut_off[-1]
        self._say(type="text", text=text, request_id=request_id, voice="nobody")
        if ends:
            self._cut_off.pop()
            self._say(type="end", request_id=request_id)
            self._view.due.append(Due(("unknown_request",), request_id))
            self._say(type="end", request_id=request_id)
        self._barrier()

    # --- the rest

    @rule(which=st.integers(0, 99), played_s=st.none() | st.floats(0, 100))
    def cancel(self, which: int, played_s: float | None) -> None:
        named = [each for each in self._view.asked if each.request_id is not None]
        if not named:
            return
        asked = named[which % len(named)]
        was_growing, request_id = asked.growing and asked.ending is None, asked.request_id
        self._view.due.append(Due(("unknown_request",), request_id, optional=asked.ending is None))
        self._say(type="cancel", request_id=request_id, played_s=played_s)
        self._barrier()
        assert asked.ending is not None
        if was_growing:
            self._cut_off.append(str(request_id))

    @rule(played_s=st.none() | st.floats(0, 100))
    def cancel_everything(self, played_s: float | None) -> None:
        grew = [str(each.request_id) for each in self._view.open]
        self._say(type="cancel", played_s=played_s)
        self._barrier()
        assert not self._view.live
        self._cut_off += grew

    @rule(played_s=st.none() | st.floats(0, 100), named=st.booleans())
    def ping(self, played_s: float | None, named: bool) -> None:
        self._barrier(played_s=played_s, **({} if named else {"request_id": None}))

    @rule(words=st.sampled_from([{}, {"Okafor": "/a/"}, {"en-us": {"Hello": "goodbye"}}]))
    def set_lexicon(self, words: object) -> None:
        self._say(type="lexicon", words=words)

    @rule(found=rubbish)
    def send_rubbish(self, found: tuple[str | bytes, tuple[str, ...]]) -> None:
        frame, codes = found
        named = "nobody" if "nobody" in str(frame) else None
        self._view.due.append(Due(codes, named))
        self._send(frame)
        self._barrier()

    @rule(on=st.booleans())
    def turn_the_tap(self, on: bool) -> None:
        self._ground.tap.turn(on=on)

    # --- endings

    def _let_all_end(self) -> None:
        """Wait until all that was asked for has ended."""
        self._ground.tap.turn(on=True)
        while self._view.open:
            self.end_or_flush(0, True, "end")
        self._ground.portal.call(self._line.until, lambda: not self._view.live)
        self._barrier()

    @rule()
    def settle(self) -> None:
        self._let_all_end()

    @rule()
    def cut(self) -> None:
        self._ground.portal.call(self._line.cut)
        self._call_again()

    @rule()
    def send_far_too_much(self) -> None:
        self._ground.portal.call(self._line.send, "x" * (2 * MOST_BYTES + 1))
        self._ground.portal.call(self._line.until, lambda: self._line.over)
        self._call_again()

    @rule(late=st.booleans())
    def close(self, late: bool) -> None:
        self._say_goodbye(late=late)
        self._ground.portal.call(self._line.hang_up)
        self._call_again()

    def _say_goodbye(self, *, late: bool = False) -> None:
        for asked in self._view.open:
            asked.growing = False
            if not asked.text.strip():
                asked.codes, asked.must_fail = ("text_required",), True
        self._barrier()
        self._view.closing = True
        self._say(type="close")
        if late:  # whether the server still looks at it depends on what it is speaking
            self._view.due.append(Due(("session_closing",), "late", optional=True))
            self._say(text="Too late.", request_id="late")
            self._say(type="close")
        self._ground.tap.turn(on=True)
        self._ground.portal.call(self._line.until, lambda: self._view.finished)
        self._view.settled()

    def _call_again(self) -> None:
        self._task.result(timeout=PATIENCE_S)
        self._ground.until_empty()
        self._cut_off.clear()
        self._line, self._task = self._ground.connect()

    def teardown(self) -> None:
        self._ground.tap.turn(on=True)
        try:
            self._say_goodbye()
        finally:
            self._ground.portal.call(self._line.cut)
            self._task.result(timeout=PATIENCE_S)
            self._ground.until_empty()


def test_errors_that_were_earned_before_a_turn_are_told_before_it(ground: Ground) -> None:
    line, task = ground.connect()
    for request_id, text in (("a", ""), ("b", ""), ("c", "Good morning.")):
        failing = not text
        codes = ("text_required",) if failing else ()
        line.view.asked.append(Asked(request_id, text, codes=codes, must_fail=failing))
        ground.portal.call(line.send, json.dumps({"type": "text", "text": text, "request_id": request_id}))
    line.view.closing = True

    ground.portal.call(line.send, '{"type": "close"}')
    ground.portal.call(line.until, lambda: line.view.finished)
    ground.portal.call(line.hang_up)

    task.result(timeout=PATIENCE_S)
    assert [asked.ending["type"] for asked in line.view.asked if asked.ending] == [
        "error",
        "error",
        "synthesis_complete",
    ]


FEW = settings(max_examples=25, stateful_step_count=40)


@pytest.mark.timeout(600)  # of a failure, the shortest way there is looked for
def test_whatever_a_client_sends_the_protocol_holds(ground: Ground) -> None:
    profile = settings() if settings.get_current_profile_name() == "thorough" else FEW
    chosen = settings(profile, suppress_health_check=list(HealthCheck))

    run_state_machine_as_test(lambda: SessionMachine(ground), settings=chosen)  # type: ignore[arg-type]
