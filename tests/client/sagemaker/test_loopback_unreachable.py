"""Where there is no session to be had, it is said why, soon, and asked for no more often than is of use."""

import asyncio
import errno
import gc
import ssl
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import urlsplit

import anyio
import pytest
from anyio.abc import SocketAttribute, SocketStream

from primavoce.client import Opener, SpeechSession
from primavoce.client.resuming import ResumePolicy
from primavoce.client.sagemaker import (
    EndpointAddress,
    SageMakerSpeech,
    http2_transport,
    response_stream,
    response_stream_link,
)
from primavoce.client.sagemaker.http2_call import CallTransport
from primavoce.client.sagemaker.link import prepared
from primavoce.client.sagemaker.trust import Look
from primavoce.errors import ConnectFailed, EndpointRefused, PrimavoceError, RequestFailed
from tests.client.resuming.cutting import until
from tests.client.sagemaker.answering import full, mute_by_tls
from tests.client.sagemaker.conftest import credentials_of_the_front
from tests.client.sagemaker.relay import relay

pytestmark = [pytest.mark.anyio, pytest.mark.aws]


@asynccontextmanager
async def mute() -> AsyncIterator[tuple[int, list[int]]]:
    """Have a port where whoever comes is let in and hears nothing of TLS; and who has come."""
    came: list[int] = []

    async def let_in(client: SocketStream) -> None:
        came.append(1)
        async with client:
            with suppress(anyio.EndOfStream, anyio.BrokenResourceError):
                while True:
                    await client.receive()

    listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
    async with listener, anyio.create_task_group() as tasks:
        tasks.start_soon(listener.serve, let_in)
        yield listener.extra(SocketAttribute.local_port), came
        tasks.cancel_scope.cancel()


def speech(url: str, **changes: Any) -> SageMakerSpeech:
    how: dict[str, Any] = {"credentials": credentials_of_the_front()}
    return SageMakerSpeech(EndpointAddress("speech", "us-east-1", url=url), **{**how, **changes})


async def failure_of(url: str, **changes: Any) -> tuple[PrimavoceError, int]:
    """Return how a session fails, and after how many attempts."""
    attempts = [1]

    async def pause(_: float) -> None:
        attempts[0] += 1

    await prepared()  # the SDK's import is none of what is waited for
    with pytest.raises(PrimavoceError) as failed:
        async with speech(url, policy=ResumePolicy(sleep=pause), **changes)():
            pass
    return failed.value, attempts[0]


# --- nobody answers


class Looking(Look):
    """A look that has come as far as a test says, and comes no further until it is told to."""

    taken: ClassVar[list["Looking"]] = []
    sees: ClassVar[dict[str, bool]] = {}
    go_on: ClassVar[threading.Event]

    def __init__(self, host: str, port: int, ca_file: str | None, within_s: float) -> None:
        super().__init__(host, port, ca_file, within_s)
        self.taken.append(self)
        for name, is_so in self.sees.items():
            setattr(self, name, is_so)

    def distrust(self) -> None:
        self.go_on.wait(30)


@pytest.fixture
def looking(monkeypatch) -> Iterator[type[Looking]]:
    """Have looks taken at once, which find an address, and hang."""
    monkeypatch.setattr(http2_transport, "LOOK_S", 0.0)
    monkeypatch.setattr(http2_transport, "Look", Looking)
    Looking.taken, Looking.sees, Looking.go_on = [], {"has_address": True}, threading.Event()
    yield Looking
    Looking.go_on.set()


@pytest.fixture
def hasty(monkeypatch) -> None:
    monkeypatch.setattr(http2_transport, "CONNECT_S", 0.5)


@pytest.mark.usefixtures("looking", "hasty")
async def test_packets_that_are_dropped_are_told_with_the_port_after_one_attempt() -> None:
    with full() as port:
        failure, attempts = await failure_of(f"https://127.0.0.1:{port}", open_timeout_s=20.0)

    assert isinstance(failure, EndpointRefused)
    assert f"https://127.0.0.1:{port}: no connection within 0.5 s (port 8443 must be open in security" in str(failure)
    assert attempts == 1


@pytest.mark.usefixtures("looking", "hasty")
async def test_tls_that_nobody_answers_is_told_with_the_port_after_one_attempt() -> None:
    async with mute() as (port, _):
        failure, attempts = await failure_of(f"https://127.0.0.1:{port}", open_timeout_s=20.0)

    assert "no connection within 0.5 s (port 8443 must be open" in str(failure)
    assert attempts == 1


@pytest.mark.parametrize(
    ("waited_s", "sees", "said", "retryable"),
    [
        (9.9, {"has_address": True}, "no connection within 9.9 s", False),
        (9.9, {"has_address": True, "is_there": True}, "no connection within 9.9 s", True),
        (9.9, {}, "its name can't be resolved within 9.9 s", True),
        (4.9, {"has_address": True}, "no connection within 4.9 s", True),
        (9.9, None, "no connection within 9.9 s", True),
    ],
    ids=["the port is shut", "an address is dead", "the name isn't resolved", "it was brief", "nobody looked"],
)
async def test_whoever_has_waited_in_vain_is_told_what_is_in_the_way(
    waited_s: float, sees: dict[str, bool] | None, said: str, retryable: bool
) -> None:
    transport = http2_transport.Transport(None)
    if sees is not None:
        transport._look = Look("example.com", 8443, None, 1.0)
        for name, is_so in sees.items():
            setattr(transport._look, name, is_so)

    failure = CallTransport(transport, "speech", "https://example.com:8443").late(waited_s, of_s=10.0)

    assert said in str(failure)
    assert failure.retryable is retryable


async def test_where_somebody_once_answered_another_attempt_may_help(fronting, monkeypatch) -> None:
    async with fronting(most_streams=1) as loopback, relay(loopback.front.url) as way:
        async with loopback.link(url=way.url)():
            pass
        monkeypatch.setattr(http2_transport, "STREAMS_A_CONNECTION", 0)  # so that another is needed
        way.go_on = anyio.Event()
        with pytest.raises(ConnectFailed, match="no connection within") as failed:
            async with loopback.link(url=way.url, open_timeout_s=0.4)():
                pass
        way.go_on.set()

    assert failed.value.retryable


async def test_a_patience_that_is_short_proves_nothing_and_the_next_attempt_joins_the_connection(
    fronting, monkeypatch
) -> None:
    monkeypatch.setattr(http2_transport, "LOOK_S", 60.0)
    async with fronting() as loopback, relay(loopback.front.url) as way:
        way.go_on = anyio.Event()
        with pytest.raises(ConnectFailed, match="no connection within") as failed:
            async with loopback.link(url=way.url, open_timeout_s=0.3)():
                pass
        way.go_on.set()
        async with loopback.link(url=way.url)():
            pass

        assert way.taken == 1
    assert failed.value.retryable


@pytest.mark.usefixtures("hasty")
async def test_a_name_that_is_not_resolved_is_no_port_that_is_shut(looking) -> None:
    looking.sees = {}
    async with mute() as (port, _):
        failure, attempts = await failure_of(f"https://127.0.0.1:{port}")

    assert str(failure).endswith(f"https://127.0.0.1:{port}: its name can't be resolved within 0.5 s")
    assert attempts == 4


@pytest.mark.usefixtures("hasty")
async def test_a_service_whose_first_address_is_dead_is_asked_again(looking) -> None:
    looking.sees = {"has_address": True, "is_there": True}
    with full() as port:
        failure, attempts = await failure_of(f"https://127.0.0.1:{port}")

    assert isinstance(failure, ConnectFailed)
    assert attempts == 4


@pytest.mark.usefixtures("hasty")
async def test_one_look_alone_hangs_however_often_a_session_is_asked_for(looking) -> None:
    async with mute() as (port, _):
        for _ in range(2):
            await failure_of(f"https://127.0.0.1:{port}")
        threads = [thread for thread in threading.enumerate() if thread.name == "aws-trust"]

    assert len(looking.taken) == 1
    assert threads
    assert all(thread.daemon for thread in threads)


async def test_a_loop_ends_while_a_look_hangs_and_nobody_complains(looking) -> None:
    told: list[str] = []

    async def open_and_leave(port: int) -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: told.append(str(context)))
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(60.0) as patience:
                asking = asyncio.ensure_future(failure_of(f"https://127.0.0.1:{port}"))
                await until(lambda: looking.taken)
                patience.reschedule(0.0)
                await asking

    async with mute() as (port, _):
        await asyncio.to_thread(asyncio.run, open_and_leave(port))
        gc.collect()

    assert told == []
    assert not looking.go_on.is_set()


# --- who isn't trusted


async def test_a_certificate_that_is_not_trusted_is_told_at_once_and_asked_for_once(fronting) -> None:
    async with fronting() as loopback, relay(loopback.front.url) as way:
        failure, attempts = await failure_of(way.url)

        assert way.taken == 2  # once by the run time of AWS, once to see what keeps it
    assert isinstance(failure, EndpointRefused)
    assert f"TLS failed: the certificate of {way.url} isn't trusted (unable to get local issuer" in str(failure)
    assert "AWS_CA_BUNDLE or ca_file" in str(failure)
    assert attempts == 1


async def test_a_certificate_of_another_name_is_told_at_once() -> None:
    async with mute_by_tls() as (port, ca_file):
        failure, attempts = await failure_of(f"https://127.0.0.1:{port}", ca_file=ca_file)

    assert "isn't trusted (IP address mismatch" in str(failure)
    assert attempts == 1


async def test_one_look_serves_all_who_open_a_session_at_once(fronting, monkeypatch) -> None:
    asked, all_ask = [], threading.Event()
    with_room = http2_transport.Transport._with_room

    async def counted(self: http2_transport.Transport, url: Any) -> Any:
        asked.append(1)
        if len(asked) == 20:
            all_ask.set()
        return await with_room(self, url)

    class Late(Look):
        """A look that is taken when all have asked."""

        def distrust(self) -> ssl.SSLCertVerificationError | None:
            all_ask.wait(30)
            return super().distrust()

    async def ask(url: str) -> None:
        with pytest.raises(EndpointRefused, match="isn't trusted"):
            async with speech(url, open_timeout_s=40.0)():
                pass

    monkeypatch.setattr(http2_transport.Transport, "_with_room", counted)
    monkeypatch.setattr(http2_transport, "Look", Late)
    monkeypatch.setattr(http2_transport, "CONNECT_S", 40.0)
    async with fronting() as loopback, relay(loopback.front.url) as way:
        async with anyio.create_task_group() as tasks:
            for _ in range(20):
                tasks.start_soon(ask, way.url)

        assert way.taken == 2


async def test_a_certificate_that_is_trusted_is_not_blamed_for_a_slow_connection(fronting, monkeypatch) -> None:
    looked: list[object] = []
    monkeypatch.setattr(http2_transport, "LOOK_S", 0.0)
    async with fronting() as loopback, relay(loopback.front.url) as way:

        class Beside(Look):
            """A look that isn't held up."""

            def __init__(self, host: str, _: int, ca_file: str | None, within_s: float) -> None:
                super().__init__(host, urlsplit(loopback.front.url).port or 0, ca_file, within_s)

            def distrust(self) -> ssl.SSLCertVerificationError | None:
                looked.append(super().distrust())
                return looked[-1]  # type: ignore[return-value]

        async def let_go() -> None:
            await until(lambda: bool(looked))
            way.go_on.set()

        monkeypatch.setattr(http2_transport, "Look", Beside)
        way.go_on = anyio.Event()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(let_go)
            async with loopback.link(url=way.url)():
                pass

    assert looked == [None]


async def test_tls_that_is_broken_off_with_an_alert_is_no_certificate_that_is_not_trusted() -> None:
    async def alert(client: SocketStream) -> None:
        with suppress(anyio.EndOfStream, anyio.BrokenResourceError):
            async with client:
                await client.receive()
                await client.send(bytes.fromhex("15 0303 0002 02 50"))  # fatal, an error within
                await client.receive()

    listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
    port = listener.extra(SocketAttribute.local_port)
    async with listener, anyio.create_task_group() as tasks:
        tasks.start_soon(listener.serve, alert)
        failure, attempts = await failure_of(f"https://127.0.0.1:{port}")
        tasks.cancel_scope.cancel()

    assert "TLS failed (port 8443" in str(failure)
    assert attempts == 4


async def test_the_file_of_those_who_may_sign_is_a_path_too(fronting) -> None:
    async with fronting() as loopback:
        assert isinstance(loopback.front.ca_file, Path)
        async with SpeechSession.over(loopback.link(ca_file=loopback.front.ca_file)):
            pass
        await speech(loopback.front.url, ca_file=loopback.front.ca_file).prepare()


async def test_what_nobody_foresaw_is_no_end_of_a_session(fronting, monkeypatch) -> None:
    class Wrong:
        def __init__(self, *_: object) -> None:
            raise AssertionError("a mistake")

    monkeypatch.setattr("primavoce.client.sagemaker.http2.Transport", Wrong)
    async with fronting() as loopback:
        failure, _ = await failure_of(loopback.front.url)

    assert str(failure).endswith("opening a session failed (AssertionError: a mistake)")
    assert isinstance(failure.__cause__, AssertionError)


# --- by boto3


def called(url: str, **changes: object) -> Opener:
    how: dict = {
        "endpoint": "speech",
        "region": "us-east-1",
        "url": url,
        "credentials": credentials_of_the_front(),
        "connect_timeout_s": 30.0,
        "silence_s": 1.0,
        "policy": ResumePolicy(attempts=1),
    }
    return response_stream_link(**{**how, **changes})


async def told_by(opener: Opener) -> str:
    with pytest.raises(RequestFailed) as failed:
        async with SpeechSession.over(opener) as session, session.utterance("One.") as utterance:
            async for _ in utterance:
                pass
    return str(failed.value)


async def test_a_call_that_finds_nobody_says_so_in_words(monkeypatch) -> None:
    monkeypatch.setenv("NO_PROXY", "*")

    assert "http://127.0.0.1:9: the connection was refused (connect_failed)" in await told_by(
        called("http://127.0.0.1:9")
    )
    assert "http://nowhere.invalid: its name can't be resolved" in await told_by(called("http://nowhere.invalid"))


async def test_a_call_that_nobody_takes_says_for_how_long_it_was_tried(monkeypatch) -> None:
    class Hasty(response_stream.ResponseStreams):
        def __init__(self, endpoint: str, **how: Any) -> None:
            super().__init__(endpoint, **{**how, "connect_timeout_s": 0.3})

    monkeypatch.setenv("NO_PROXY", "*")
    monkeypatch.setattr(response_stream, "ResponseStreams", Hasty)
    with full() as port:
        said = await told_by(called(f"http://127.0.0.1:{port}", connect_timeout_s=30.0))

    assert "no connection within 0.3 s" in said


async def test_a_call_that_finds_no_way_to_a_service_does_not_say_that_it_was_refused(monkeypatch) -> None:
    def no_way(*_: object, **__: object) -> None:
        raise OSError(errno.EHOSTUNREACH, "No route to host")

    monkeypatch.setenv("NO_PROXY", "*")
    monkeypatch.setattr("urllib3.util.connection.create_connection", no_way)

    assert "http://127.0.0.1:9: there is no connection (No route to host)" in await told_by(
        called("http://127.0.0.1:9")
    )


async def test_a_call_knows_whom_to_trust(monkeypatch) -> None:
    monkeypatch.setenv("NO_PROXY", "*")
    async with mute_by_tls() as (port, ca_file):
        url = f"https://localhost:{port}"
        distrusted = await told_by(called(url))
        trusted = await told_by(called(url, ca_file=Path(ca_file)))

    assert f"TLS failed: the certificate of {url} isn't trusted (unable to get local issuer" in distrusted
    assert "TLS" not in trusted
