"""Where there is no session to be had, it is said why, soon, and asked for no more often than is of use."""

import re
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import anyio
import pytest
from anyio.abc import SocketAttribute, SocketStream

from primavoce.client import Opener, SpeechSession
from primavoce.client.resuming import ResumePolicy
from primavoce.client.sagemaker import EndpointAddress, SageMakerSpeech, http2_transport, response_stream_link
from primavoce.client.sagemaker.link import prepared
from primavoce.errors import ConnectFailed, EndpointRefused, PrimavoceError, RequestFailed
from tests.client.resuming.cutting import until
from tests.client.sagemaker.answering import mute_by_tls
from tests.client.sagemaker.conftest import credentials_of_the_front
from tests.client.sagemaker.relay import relay

pytestmark = [pytest.mark.anyio, pytest.mark.aws]


@contextmanager
def full() -> Iterator[int]:
    """Have a port that drops whatever comes, as a firewall does: its line of those who wait is full."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        waiting = [socket.socket() for _ in range(4)]
        for each in waiting:
            each.setblocking(False)
            with suppress(BlockingIOError):
                each.connect(listener.getsockname())
        yield listener.getsockname()[1]
        for each in waiting:
            each.close()


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


async def test_packets_that_are_dropped_are_told_with_the_port_after_one_attempt() -> None:
    with full() as port:
        failure, attempts = await failure_of(f"https://127.0.0.1:{port}", open_timeout_s=2.0)

    assert isinstance(failure, EndpointRefused)
    said = rf"https://127.0.0.1:{port}: no connection within [0-9.]+ s \(port 8443 must be open in security"
    assert re.search(said, str(failure))
    assert attempts == 1


async def test_tls_that_nobody_answers_is_told_with_the_port_after_one_attempt() -> None:
    async with mute() as (port, _):
        failure, attempts = await failure_of(f"https://127.0.0.1:{port}", open_timeout_s=2.0)

    assert "s (port 8443 must be open" in str(failure)
    assert attempts == 1


async def test_whoever_waits_for_longer_than_a_connection_may_take_is_told_what_was_waited(monkeypatch) -> None:
    monkeypatch.setattr(http2_transport, "CONNECT_S", 1.0)
    async with mute() as (port, _):
        failure, attempts = await failure_of(f"https://127.0.0.1:{port}", open_timeout_s=20.0)

    assert "no connection within 1 s (port 8443 must be open" in str(failure)
    assert attempts == 1


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


async def test_a_certificate_that_is_trusted_is_not_blamed_for_a_slow_connection(fronting, monkeypatch) -> None:
    looked: list[object] = []
    distrust = http2_transport.distrust
    monkeypatch.setattr(http2_transport, "LOOK_S", 0.0)
    async with fronting() as loopback, relay(loopback.front.url) as way:

        def look(_: str, __: int, ca_file: str | None, within_s: float) -> None:
            looked.append(distrust("localhost", urlsplit(loopback.front.url).port or 0, ca_file, within_s))

        async def let_go() -> None:
            await until(lambda: bool(looked))
            way.go_on.set()

        monkeypatch.setattr(http2_transport, "distrust", look)
        way.go_on = anyio.Event()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(let_go)
            async with loopback.link(url=way.url)():
                pass

    assert looked == [None]


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
        "connect_timeout_s": 2.0,
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
    with full() as port:
        assert "no connection within 0.3 s" in await told_by(called(f"http://127.0.0.1:{port}", connect_timeout_s=0.3))


async def test_a_call_knows_whom_to_trust(monkeypatch) -> None:
    monkeypatch.setenv("NO_PROXY", "*")
    async with mute_by_tls() as (port, ca_file):
        url = f"https://localhost:{port}"
        distrusted = await told_by(called(url))
        trusted = await told_by(called(url, ca_file=Path(ca_file)))

    assert f"TLS failed: the certificate of {url} isn't trusted (unable to get local issuer" in distrusted
    assert "TLS" not in trusted
