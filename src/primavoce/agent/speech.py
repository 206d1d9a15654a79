"""What speaks for an agent: an engine in this process, a speech server, or an endpoint of SageMaker."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

import anyio

from primavoce.agent.sessions import SpeechFor
from primavoce.assets.progress import Report
from primavoce.client import SpeechSession
from primavoce.client.sagemaker import EndpointAddress, SageMakerSpeech, is_sagemaker
from primavoce.errors import InvalidSetting, lone_error
from primavoce.server.in_process import in_process
from primavoce.server.lobby import Lobby
from primavoce.server.policies import session_policy
from primavoce.settings import Settings

LOCAL = "local"
SPEECHES = (LOCAL, "ws://…", "wss://…", "sagemaker:ENDPOINT")
"""Every form of the choice."""


def check_speech(spec: str) -> None:
    """Refuse what isn't one of `SPEECHES`, before anything is loaded.

    Raises:
        InvalidSetting: it is none of them.
    """
    if is_sagemaker(spec):
        EndpointAddress.parse("--speech", spec)
        return
    if spec != LOCAL and not _is_address(spec):
        raise InvalidSetting("--speech", f"unknown: {spec[:80]!r}; it is one of {', '.join(SPEECHES)}")


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return parts.scheme in {"ws", "wss", "http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:  # brackets without an end, a port that there can't be
        return False


@asynccontextmanager
async def speech_by(spec: str, settings: Settings, *, progress: Report | None = None) -> AsyncIterator[SpeechFor]:
    """Have ``spec`` ready to speak while the block runs; yields what opens a session with it.

    Args:
        spec: One of `SPEECHES`.
        settings: The engine's, of this process; for a server, the key to show.
        progress: Told of what is fetched and prepared.

    Raises:
        InvalidSetting: it is none of them, or an endpoint whose region nobody names.
        AssetError: the weights can't be had.
        EndpointRefused: there are no credentials for an endpoint.
        ExtraMissing: the extra that it needs is not installed.
    """
    check_speech(spec)
    if spec == LOCAL:
        async with _local(settings, progress) as speech:
            yield speech
        return
    if is_sagemaker(spec):
        async with _endpoint(spec) as speech:
            yield speech
        return
    yield lambda _: SpeechSession(spec, api_key=settings.api_key)


@asynccontextmanager
async def _endpoint(spec: str) -> AsyncIterator[SpeechFor]:
    speech = SageMakerSpeech(EndpointAddress.parse("--speech", spec))
    await speech.prepare()
    with lone_error():
        async with anyio.create_task_group() as tasks:
            # So that the first turn finds a connection; nobody waits for it, nor is anything refused without one.
            tasks.start_soon(speech.warm)
            yield lambda _: speech()
            tasks.cancel_scope.cancel()


@asynccontextmanager
async def _local(settings: Settings, progress: Report | None) -> AsyncIterator[SpeechFor]:
    from primavoce.synthesis.kokoro_engine import kokoro_engine

    policy = session_policy(settings, settings.read_lexicon())
    async with kokoro_engine(
        settings.assets,
        threads=settings.threads,
        vocoder=settings.vocoder,
        phrase_cache_bytes=settings.phrase_cache_bytes,
        device=settings.device,
        progress=progress,
    ) as engine:
        await engine.load()
        lobby = Lobby(settings.max_sessions)
        yield lambda owner: SpeechSession.over(in_process(engine, policy, lobby, owner=owner))
