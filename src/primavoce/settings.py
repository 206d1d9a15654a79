"""Every setting, read from the environment in one place.

Each environment variable's name is written once, in `VARIABLES`. ``docs/settings.md`` lists them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Literal

from primavoce.access import ApiKey, parse_keys, parse_origins
from primavoce.assets.locations import AssetLocations, default_cache_dir
from primavoce.audio.framing import FRAME_BYTES
from primavoce.normalize.lexicon import Lexicon, read_lexicon
from primavoce.phonemes.alphabet import ALPHABET
from primavoce.variables import (
    Variable,
    address,
    factor,
    file_path,
    flag,
    one_of,
    plain_text,
    seconds,
    seconds_or_none,
    values_in,
    whole_number,
)
from primavoce.voices.vocoder import VocoderChoice, parse_vocoder

type DeviceChoice = Literal["auto", "cpu", "cuda"]
"""``auto`` takes a GPU if there is one; what is asked for by name is got or refused."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What an operator may choose."""

    assets: AssetLocations
    host: str = "127.0.0.1"
    """Address that the server listens on."""
    port: int = 8080
    """Port that the server listens on; 0 takes a free one."""
    voice: str = "af_heart"
    """Voice of a request that names none."""
    vocoder: VocoderChoice = field(default_factory=VocoderChoice)
    """Whether segments are made audio in windows or whole."""
    device: DeviceChoice = "auto"
    """What the model runs on."""
    threads: int = 0
    """Threads of the model; 0 takes the processor quota of the container."""
    phrase_cache_bytes: int = 64 * 1024 * 1024
    """Bytes of audio of phrases that are remembered, so that they needn't be made again; 0 remembers none."""
    max_sessions: int = 64
    """Sessions and HTTP requests at a time; one more is refused."""
    max_queued_requests: int = 32
    """Utterances that wait in one session while another is spoken."""
    max_text_characters: int = 100_000
    """Characters in one utterance."""
    max_utterance_s: float = 1800.0
    """Seconds of audio in one utterance."""
    max_message_bytes: int = 4 * 1024 * 1024
    """Bytes of one message or body; must hold the longest text, escaped."""
    max_header_bytes: int = 32 * 1024
    """Bytes of a request's line and headers."""
    max_frame_bytes: int = FRAME_BYTES
    """Bytes of one frame of audio."""
    max_answer_bytes: int = 25 * 1024 * 1024
    """Bytes of PCM that an answer in one piece, not a stream, is made of; as much as SageMaker passes on."""
    max_messages_per_s: float = 1000.0
    """Messages of one session that are read in a second, once `max_messages_burst` have been."""
    max_messages_burst: int = 5000
    """Messages of one session that are read as fast as they come."""
    max_request_age_s: float = 56.0
    """Seconds; the oldest ``request_timestamp`` that is served."""
    session_idle_s: float = 600.0
    """Seconds without a message and with nothing to do before a session is ended."""
    first_message_s: float = 600.0
    """Seconds that a session may be open without any message."""
    session_limit_s: float = 1770.0
    """Seconds after which a session takes no more requests and ends with what it is speaking; 0: none."""
    drain_s: float = 25.0
    """Seconds that what is being spoken has to end, when the server or the session is to."""
    receive_timeout_s: float = 30.0
    """Seconds that the headers, and then the body, of a request may take to come whole."""
    send_timeout_s: float = 30.0
    """Seconds that a reader may not take a frame before it is dropped."""
    send_buffer_bytes: int = 256 * 1024
    """Bytes that the system may hold of what a reader hasn't taken."""
    max_ahead_s: float = 30.0
    """Seconds of audio of a session's utterance that may be made before a listener at normal speed has heard them."""
    text_idle_s: float = 0.2
    """Seconds without a delta after which a sentence that is complete but for the proof is spoken."""
    stuck_factor: float = 20.0
    """How many times as long as it should a job may take before ``/ping`` says that the engine is stuck."""
    lexicon: Path | None = None
    """File that says how names are said."""
    keys_file: Path | None = None
    """File of the API keys' digests; read again when it has changed."""
    api_keys: tuple[ApiKey, ...] = field(default=(), repr=False)
    """More API keys, as digests."""
    api_key: str | None = field(default=None, repr=False)
    """The API key that a client shows."""
    allowed_origins: tuple[str, ...] = ()
    """Origins of web pages that may speak to the server, besides its own; ``*`` is all."""
    open: bool = False
    """Whether a public address may be listened on without keys: somebody else lets people in."""
    tls_certificate: Path | None = None
    """File of the certificate chain, as PEM; with ``tls_key``, the server speaks TLS."""
    tls_key: Path | None = None
    """File of the certificate's private key, as PEM."""
    page: bool = True
    """Whether the page where one hears the server is served."""
    metrics: bool = True
    """Whether ``GET /metrics`` answers, and anything is counted for it."""
    tracing_endpoint: str | None = None
    """Where the spans of utterances are sent: an address that takes OTLP over HTTP; None to send none."""
    log_level: str = "info"

    @classmethod
    def from_env(cls, environ: Mapping[str, str], *, base: "Settings | None" = None) -> "Settings":
        """Return the settings that ``environ`` makes.

        Args:
            environ: Names and values, such as `os.environ`.
            base: What holds where a variable is absent; the defaults, unless given.

        Raises:
            InvalidSetting: a value can't be used.
        """
        settings = cls(assets=AssetLocations(cache_dir=default_cache_dir(environ))) if base is None else base
        own, assets = values_in(environ, VARIABLES)
        return replace(settings, assets=replace(settings.assets, **assets), **own)  # type: ignore[arg-type]

    def read_lexicon(self) -> Lexicon:
        """Read the file that says how names are said; without one, nothing is said otherwise.

        Raises:
            InvalidLexicon: it can't be read or used.
        """
        return Lexicon() if self.lexicon is None else read_lexicon(self.lexicon, ALPHABET)


parse_device = one_of("auto", "cpu", "cuda")
"""Returns the device that a text names; takes the name of the setting, and the text."""


def _collector(name: str, text: str) -> str:
    return address(name, text).rstrip("/") + "/v1/traces"


def _sources(name: str, text: str) -> tuple[str, ...]:
    read = one_of("packages", "hub")
    return tuple(read(name, part.strip()) for part in text.split(",") if part.strip())


MANY = 1_000_000_000
VARIABLES = (
    Variable("PRIMAVOCE_HOST", "host", plain_text),
    Variable("PRIMAVOCE_PORT", "port", whole_number(0, 65535)),
    Variable("PRIMAVOCE_VOICE", "voice", plain_text),
    Variable("PRIMAVOCE_VOCODER", "vocoder", parse_vocoder),
    Variable("PRIMAVOCE_DEVICE", "device", parse_device),
    Variable("PRIMAVOCE_THREADS", "threads", whole_number(0, 1024)),
    Variable("PRIMAVOCE_PHRASE_CACHE_BYTES", "phrase_cache_bytes", whole_number(0, MANY)),
    Variable("PRIMAVOCE_MAX_SESSIONS", "max_sessions", whole_number(1, MANY)),
    Variable("PRIMAVOCE_MAX_QUEUED_REQUESTS", "max_queued_requests", whole_number(1, MANY)),
    Variable("PRIMAVOCE_MAX_TEXT_CHARACTERS", "max_text_characters", whole_number(1, MANY)),
    Variable("PRIMAVOCE_MAX_UTTERANCE_S", "max_utterance_s", seconds),
    Variable("PRIMAVOCE_MAX_MESSAGE_BYTES", "max_message_bytes", whole_number(1024, MANY)),
    Variable("PRIMAVOCE_MAX_HEADER_BYTES", "max_header_bytes", whole_number(1024, 1024 * 1024)),
    Variable("PRIMAVOCE_MAX_FRAME_BYTES", "max_frame_bytes", whole_number(256, FRAME_BYTES)),
    Variable("PRIMAVOCE_MAX_ANSWER_BYTES", "max_answer_bytes", whole_number(1024, MANY)),
    Variable("PRIMAVOCE_MAX_MESSAGES_PER_S", "max_messages_per_s", factor),
    Variable("PRIMAVOCE_MAX_MESSAGES_BURST", "max_messages_burst", whole_number(1, MANY)),
    Variable("PRIMAVOCE_MAX_REQUEST_AGE_S", "max_request_age_s", seconds),
    Variable("PRIMAVOCE_SESSION_IDLE_S", "session_idle_s", seconds),
    Variable("PRIMAVOCE_FIRST_MESSAGE_S", "first_message_s", seconds),
    Variable("PRIMAVOCE_SESSION_LIMIT_S", "session_limit_s", seconds_or_none),
    Variable("PRIMAVOCE_DRAIN_S", "drain_s", seconds),
    Variable("PRIMAVOCE_RECEIVE_TIMEOUT_S", "receive_timeout_s", seconds),
    Variable("PRIMAVOCE_SEND_TIMEOUT_S", "send_timeout_s", seconds),
    Variable("PRIMAVOCE_SEND_BUFFER_BYTES", "send_buffer_bytes", whole_number(4096, MANY)),
    Variable("PRIMAVOCE_MAX_AHEAD_S", "max_ahead_s", seconds),
    Variable("PRIMAVOCE_TEXT_IDLE_S", "text_idle_s", seconds),
    Variable("PRIMAVOCE_STUCK_FACTOR", "stuck_factor", factor),
    Variable("PRIMAVOCE_LEXICON", "lexicon", file_path),
    Variable("PRIMAVOCE_KEYS_FILE", "keys_file", file_path),
    Variable("PRIMAVOCE_API_KEYS", "api_keys", parse_keys),
    Variable("PRIMAVOCE_API_KEY", "api_key", plain_text),
    Variable("PRIMAVOCE_ALLOWED_ORIGINS", "allowed_origins", parse_origins),
    Variable("PRIMAVOCE_OPEN", "open", flag),
    Variable("PRIMAVOCE_TLS_CERTIFICATE", "tls_certificate", file_path),
    Variable("PRIMAVOCE_TLS_KEY", "tls_key", file_path),
    Variable("PRIMAVOCE_PAGE", "page", flag),
    Variable("PRIMAVOCE_METRICS", "metrics", flag),
    # The names that OpenTelemetry gives them; the first is of a collector, for all that it takes.
    Variable("OTEL_EXPORTER_OTLP_ENDPOINT", "tracing_endpoint", _collector),
    Variable("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "tracing_endpoint", address),
    Variable("PRIMAVOCE_LOG_LEVEL", "log_level", one_of("debug", "info", "warning", "error")),
    Variable("PRIMAVOCE_CACHE", "cache_dir", file_path, of_assets=True),
    Variable("PRIMAVOCE_ASSETS", "local_dir", file_path, of_assets=True),
    Variable("PRIMAVOCE_ASSET_SOURCES", "sources", _sources, of_assets=True),
    Variable("PRIMAVOCE_OFFLINE", "offline", flag, of_assets=True),
    Variable("PRIMAVOCE_HUB_ENDPOINT", "hub_endpoint", plain_text, of_assets=True),
)
"""Every environment variable, and what it sets."""

assert {variable.sets for variable in VARIABLES if not variable.of_assets} == {
    item.name for item in fields(Settings) if item.name != "assets"
}, "every setting has a variable"
