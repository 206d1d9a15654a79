"""Speech for scripts: no event loop, no server to start.

`speak` is enough for one text. Whoever speaks often keeps a `Speaker`, which keeps the model.
"""

from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, ExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, Self

import anyio
import anyio.to_thread
from anyio.from_thread import start_blocking_portal

from primavoce.client import SpeechSession
from primavoce.client.sagemaker import EndpointAddress, SageMakerSpeech, is_sagemaker
from primavoce.errors import lone_error
from primavoce.normalize.lexicon import Lexicon
from primavoce.protocol.client import Audio
from primavoce.protocol.messages import Options, SynthesisComplete, WordsSpoken
from primavoce.protocol.options import DEFAULT_VOICE, resolve_options
from primavoce.text.timing import WordTime

if TYPE_CHECKING:  # the engine is heavy, and a script that speaks by a server needs none of it
    from primavoce.assets.progress import Report
    from primavoce.settings import Settings
    from primavoce.synthesis.engine import Engine


@dataclass(frozen=True, slots=True)
class Sound:
    """A stretch of an utterance's audio."""

    audio: bytes
    """As the options say: 16-bit little-endian mono PCM at 24 kHz, unless they do; may be empty."""
    words: tuple[WordTime, ...] = ()
    """The words of the segment that begins with it."""
    total_s: float | None = None
    """Seconds of all the audio, with the last of it."""


class Mouth(Protocol):
    """Speaks deltas; in this process, or by a server."""

    def speaking(
        self, deltas: AsyncIterable[str], options: Options
    ) -> AbstractAsyncContextManager[AsyncIterator[Sound]]:
        """Speak ``deltas`` while the block runs; iterate the value for its audio and the times of its words.

        Args:
            deltas: Text in pieces of any size.
            options: How; its events are ours.

        Raises:
            PrimavoceError: it can't be spoken.
        """


class RemoteMouth:
    """Speaks by a server, over one session.

    Args:
        session: Open.
    """

    def __init__(self, session: SpeechSession) -> None:
        self._session = session

    @asynccontextmanager
    async def speaking(self, deltas: AsyncIterable[str], options: Options) -> AsyncIterator[AsyncIterator[Sound]]:
        """Speak ``deltas``; see `Mouth`."""
        async with self._session.utterance(
            deltas,
            voice=options.voice,
            speed=options.speed,
            language=options.language,
            sample_rate=None if options.sample_rate is None else int(options.sample_rate),
            audio_format=options.format,
            emoji=options.emoji,
            code=options.code,
            tables=options.tables,
            events=("words",),
        ) as utterance:

            async def sounds() -> AsyncIterator[Sound]:
                async for event in utterance:
                    if isinstance(event, Audio):
                        yield Sound(event.pcm)
                    elif isinstance(event, WordsSpoken):
                        words = (WordTime(word.start, word.end, word.start_s, word.end_s) for word in event.words)
                        yield Sound(b"", tuple(words))
                    elif isinstance(event, SynthesisComplete):
                        yield Sound(b"", total_s=event.total_duration_s)

            yield sounds()


class LocalMouth:
    """Speaks in this process.

    Args:
        engine: A loaded `primavoce.synthesis.engine.Engine`.
        lexicon: How names are said.
    """

    def __init__(self, engine: "Engine", lexicon: Lexicon) -> None:
        self._engine = engine
        self._lexicon = lexicon

    @asynccontextmanager
    async def speaking(self, deltas: AsyncIterable[str], options: Options) -> AsyncIterator[AsyncIterator[Sound]]:
        """Speak ``deltas``; see `Mouth`."""
        from primavoce.audio.encoders import encoder_for
        from primavoce.synthesis.feeding import feed
        from primavoce.synthesis.tools import Voicing

        how = resolve_options(options, lexicon=self._lexicon)
        encoder = encoder_for(how.format, how.sample_rate)
        voicing = Voicing(how.voice, how.language, how.speed, how.sample_rate, how.reading)
        with lone_error():
            async with self._engine.speaking(voicing) as speech, anyio.create_task_group() as tasks:

                async def feed_speech() -> None:
                    await feed(deltas, speech, language=how.language)

                async def sounds() -> AsyncIterator[Sound]:
                    total_s = 0.0
                    async for part in speech:
                        total_s += part.duration_s
                        audio = await anyio.to_thread.run_sync(encoder.push, part.pcm)
                        yield Sound(audio, part.segment.words if part.segment else ())
                    yield Sound(await anyio.to_thread.run_sync(encoder.flush), total_s=total_s)

                tasks.start_soon(feed_speech)
                yield sounds()
                tasks.cancel_scope.cancel()


@asynccontextmanager
async def open_mouth(
    url: str | None = None,
    *,
    settings: "Settings",
    languages: Sequence[str] = ("en-us",),
    progress: "Report | None" = None,
) -> AsyncIterator[Mouth]:
    """Open a session with ``url``, or load the model into this process.

    Args:
        url: A running server, or ``sagemaker:NAME``; the model is loaded unless given.
        settings: Where the model comes from, how names are said, and the key for a server that asks for one.
        languages: Those to be ready for.
        progress: Told of what is fetched and prepared.

    Raises:
        SessionError: the server can't be reached.
        InvalidSetting: ``url`` names no endpoint, or nothing names its region.
        AssetError: the weights can't be had.
        ExtraMissing: the extra that it needs is not installed.
        InvalidLexicon: the file of names can't be used.
    """
    lexicon = settings.read_lexicon()
    if url is not None:
        async with _session_with(url, settings.api_key) as session:
            if lexicon.tables:
                await session.set_lexicon(lexicon.document())
            yield RemoteMouth(session)
        return
    from primavoce.synthesis.kokoro_engine import kokoro_engine

    async with kokoro_engine(
        settings.assets,
        threads=settings.threads,
        vocoder=settings.vocoder,
        device=settings.device,
        languages=languages,
        progress=progress,
    ) as engine:
        await engine.load()
        yield LocalMouth(engine, lexicon)


def _session_with(url: str, api_key: str | None) -> SpeechSession:
    if not is_sagemaker(url):
        return SpeechSession(url, api_key=api_key)
    return SageMakerSpeech(EndpointAddress.parse("--url", url))()


class Speaker:
    """Speaks for a script, one text after another; use it as a context manager.

    Args:
        url: A running server, or ``sagemaker:NAME``; the model is loaded into this process unless given.
    """

    def __init__(self, url: str | None = None) -> None:
        self._url = url
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        import os

        from primavoce.settings import Settings

        self._portal = self._stack.enter_context(start_blocking_portal())
        opening = open_mouth(self._url, settings=Settings.from_env(os.environ))
        self._mouth = self._stack.enter_context(self._portal.wrap_async_context_manager(opening))
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.__exit__(*error)  # type: ignore[arg-type]

    def speak(
        self, text: str | Iterable[str], *, voice: str = DEFAULT_VOICE, speed: float = 1.0, language: str | None = None
    ) -> Iterator[bytes]:
        """Speak ``text`` and yield its audio: 16-bit little-endian mono PCM at 24 kHz.

        Args:
            text: The text, or an iterable of its deltas, which is read on a thread of its own, as fast as speaking
                goes.
            voice: A voice or a blend.
            speed: From 0.5 to 2.
            language: The voice's own unless given.

        Raises:
            PrimavoceError: it can't be spoken.
        """
        deltas = _deltas([text] if isinstance(text, str) else text)
        speaking = self._mouth.speaking(deltas, Options(voice=voice, speed=speed, language=language))
        with self._portal.wrap_async_context_manager(speaking) as sounds:
            while (sound := self._portal.call(_next, sounds)) is not None:
                if sound.audio:
                    yield sound.audio


def speak(
    text: str | Iterable[str],
    *,
    voice: str = DEFAULT_VOICE,
    speed: float = 1.0,
    language: str | None = None,
    url: str | None = None,
) -> Iterator[bytes]:
    """Speak ``text`` and yield its audio: 16-bit little-endian mono PCM at 24 kHz.

    The model is loaded for this one text, which takes seconds; a `Speaker` keeps it.

    Args:
        text: The text, or an iterable of its deltas.
        voice: A voice or a blend.
        speed: From 0.5 to 2.
        language: The voice's own unless given.
        url: A running server, or ``sagemaker:NAME``; the model is loaded into this process unless given.

    Raises:
        PrimavoceError: it can't be spoken.
    """
    with Speaker(url) as speaker:
        yield from speaker.speak(text, voice=voice, speed=speed, language=language)


async def _next(sounds: AsyncIterator[Sound]) -> Sound | None:
    return await anext(sounds, None)


async def _deltas(text: Iterable[str]) -> AsyncIterator[str]:
    iterator = iter(text)
    # A thread, for the iterator may well block on a model that thinks. Only the thread that waits is abandoned on
    # cancel; an iterator can't be interrupted from outside.
    while (delta := await anyio.to_thread.run_sync(next, iterator, None, abandon_on_cancel=True)) is not None:
        yield delta
