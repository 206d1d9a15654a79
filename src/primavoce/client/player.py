"""The loudspeakers of this machine, by the optional package sounddevice."""

from types import TracebackType
from typing import Any, Self

import anyio.to_thread

from primavoce.errors import ExtraMissing, InvalidSetting


class Player:
    """Plays 16-bit mono PCM as it comes; use it as an async context manager.

    Leaving the block waits until the last sample was played, unless the block failed.

    Args:
        sample_rate: Hertz.

    Raises:
        ExtraMissing: sounddevice, or the PortAudio library that it needs, is absent.
        InvalidSetting: there is no device that plays this.
    """

    def __init__(self, sample_rate: int) -> None:
        try:
            import sounddevice
        except ModuleNotFoundError:
            raise ExtraMissing("playing", "play") from None
        except OSError as error:  # the package is here, the library it wraps is not
            note = " and the PortAudio library (Debian: apt-get install libportaudio2)"
            raise ExtraMissing("playing", "play", note) from error
        try:
            self._stream: Any = sounddevice.RawOutputStream(samplerate=sample_rate, channels=1, dtype="int16")
        except (sounddevice.PortAudioError, ValueError) as error:
            raise InvalidSetting("playing", f"this machine has no loudspeakers that can be used ({error})") from error

    async def __aenter__(self) -> Self:
        self._stream.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await anyio.to_thread.run_sync(self._stream.stop if kind is None else self._stream.abort)
        self._stream.close()

    async def play(self, pcm: bytes) -> None:
        """Play ``pcm`` after what is playing; waits while the device's buffer is full."""
        await anyio.to_thread.run_sync(self._stream.write, pcm)
