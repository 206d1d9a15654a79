"""Every error that primavoce raises on purpose.

The tree::

    PrimavoceError
    ├── InvalidRequest                  what was asked can't be done as asked
    │   ├── InvalidUtf8                 invalid_utf8
    │   ├── InvalidJson                 invalid_json
    │   ├── InvalidMessage              invalid_message
    │   ├── EmptyFrame                  empty_frame
    │   ├── UnknownType                 unknown_type
    │   ├── UnknownField                unknown_field
    │   ├── InvalidField                invalid_field
    │   ├── TextRequired                text_required
    │   ├── TextTooLong                 text_too_long
    │   ├── UtteranceTooLong            utterance_too_long
    │   ├── MessageTooLarge             message_too_large
    │   ├── AnswerTooLarge              answer_too_large
    │   ├── UnknownVoice                unknown_voice
    │   ├── UnknownLanguage             unknown_language
    │   ├── LanguageUnavailable         language_unavailable
    │   ├── InvalidSpeed                invalid_speed
    │   ├── UnsupportedSampleRate       unsupported_sample_rate
    │   ├── UnsupportedFormat           unsupported_format
    │   ├── UnknownRequest              unknown_request
    │   ├── DuplicateRequest            duplicate_request
    │   ├── SessionClosing              session_closing
    │   ├── InvalidLexicon              invalid_lexicon
    │   ├── UnknownModel                model_not_found
    │   ├── UnknownRoute                unknown_route
    │   ├── MethodNotAllowed            method_not_allowed
    │   ├── RequestIncomplete           request_incomplete (retryable)
    │   └── RequestStale                request_stale (retryable)
    ├── AccessRefused                   who asks is not let in
    │   ├── Unauthorized                unauthorized
    │   ├── OriginRefused               origin_refused
    │   └── HostRefused                 host_refused
    ├── Unavailable                     the server can't take it now (all retryable)
    │   ├── Overloaded                  overloaded
    │   ├── TooManyRequests             too_many_requests
    │   ├── SessionExpired              session_expired
    │   └── Draining                    draining
    ├── SynthesisError                  our work failed
    │   ├── PhonemesFailed              phonemes_failed
    │   └── SynthesisFailed             synthesis_failed
    ├── AgentError                      what writes an agent's answer failed
    │   ├── AgentBusy                   agent_busy (retryable)
    │   ├── ModelThrottled              model_throttled (retryable)
    │   ├── ModelContextFull            model_context_full
    │   ├── ModelUnavailable            model_unavailable (retryable)
    │   ├── ModelRefused                model_refused
    │   ├── ModelFailed                 model_failed
    │   ├── SpeechUnavailable           speech_unavailable (retryable)
    │   ├── RuntimeBusy                 runtime_busy (retryable)
    │   ├── RuntimeThrottled            runtime_throttled (retryable)
    │   ├── RuntimeUnavailable          runtime_unavailable (retryable)
    │   ├── RuntimeRefused              runtime_refused
    │   └── RuntimeFailed               runtime_failed
    ├── AssetError                      weights or voices can't be had
    │   ├── AssetMissing                asset_missing
    │   ├── DigestMismatch              digest_mismatch
    │   ├── FetchFailed                 fetch_failed (retryable)
    │   ├── NoSpace                     no_space
    │   └── PreparationFailed           preparation_failed
    ├── SetupError                      the program was started wrongly
    │   ├── InvalidSetting              invalid_setting
    │   ├── ExtraMissing                extra_missing
    │   ├── NotCalibrated               not_calibrated
    │   ├── DeviceUnavailable           device_unavailable
    │   └── ServerNotStarted            server_not_started
    ├── DeploymentError                 a command that deals with a cloud account can't go on
    │   ├── AccountUnavailable          account_unavailable (retryable)
    │   ├── AccountRefused              account_refused
    │   ├── EndpointNotVerified         endpoint_not_verified
    │   └── StepFailed                  step_failed (retryable)
    └── SessionError                    what a client meets
        ├── ConnectFailed               connect_failed (retryable)
        ├── KeyRefused                  key_refused
        ├── SessionBroken               session_broken (retryable)
        ├── SessionTimeout              session_timeout (retryable)
        ├── SessionClosed               session_closed
        ├── EndpointRefused             endpoint_refused
        ├── EndpointThrottled           endpoint_throttled (retryable)
        ├── EndpointFailed              endpoint_failed (retryable)
        ├── ProtocolViolation           protocol_violation
        └── RequestFailed               the server's own code

Errors are dataclasses that stay mutable and compare by identity: Python itself sets their traceback, and a
frozen one can't pass through a context manager.

Each class keeps its facts as fields, builds its sentence in ``__str__``, and has a stable ``code`` and
``retryable``. The sentence of an `InvalidRequest`, `AccessRefused`, `Unavailable`, `SynthesisError` or `AgentError` may
travel to a client; no other text of an exception leaves the process.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import ClassVar


class PrimavoceError(Exception):
    """The root of all errors that primavoce raises on purpose."""

    code: ClassVar[str] = "internal"
    retryable: ClassVar[bool] = False

    def __str__(self) -> str:
        return "something went wrong on this side"


# --- what was asked can't be done as asked -------------------------------------------------------------------


class InvalidRequest(PrimavoceError):
    """What was asked can't be done as asked; asking again in the same way fails again."""

    code = "invalid_request"


class InvalidUtf8(InvalidRequest):
    """A message is not UTF-8."""

    code = "invalid_utf8"

    def __str__(self) -> str:
        return "the message is not valid UTF-8"


@dataclass(eq=False)
class InvalidJson(InvalidRequest):
    """A message is not JSON."""

    code = "invalid_json"

    reason: str
    """What the parser found, without any of the message's own text."""

    def __str__(self) -> str:
        return f"the message is not valid JSON: {self.reason}"


@dataclass(eq=False)
class InvalidMessage(InvalidRequest):
    """A message is JSON, but not an object."""

    code = "invalid_message"

    found: str
    """The JSON type that came instead."""

    def __str__(self) -> str:
        return f"a message must be a JSON object, not {self.found}"


class EmptyFrame(InvalidRequest):
    """A frame without a byte in it."""

    code = "empty_frame"

    def __str__(self) -> str:
        return "the frame is empty; a message is a JSON object"


@dataclass(eq=False)
class UnknownType(InvalidRequest):
    """A message whose ``type`` is not in the protocol."""

    code = "unknown_type"

    known: Sequence[str]
    """The types that are."""

    def __str__(self) -> str:
        return f"unknown message type; known types are {', '.join(self.known)}"


@dataclass(eq=False)
class UnknownField(InvalidRequest):
    """A message with a field that its type doesn't have."""

    code = "unknown_field"

    field: str
    """The field's name, shortened when long."""

    def __str__(self) -> str:
        return f"unknown field {self.field!r}"


@dataclass(eq=False)
class InvalidField(InvalidRequest):
    """A field whose value is of the wrong type, missing, or out of range."""

    code = "invalid_field"

    field: str
    """The field's name."""
    reason: str
    """What it should have been."""

    def __str__(self) -> str:
        return f"field {self.field!r}: {self.reason}"


class TextRequired(InvalidRequest):
    """A request without text, or with white space alone."""

    code = "text_required"

    def __str__(self) -> str:
        return "text is required"


@dataclass(eq=False)
class TextTooLong(InvalidRequest):
    """An utterance with more text than the limit."""

    code = "text_too_long"

    limit: int
    """Characters allowed in one utterance."""

    def __str__(self) -> str:
        return f"the text is longer than {self.limit} characters"


@dataclass(eq=False)
class UtteranceTooLong(InvalidRequest):
    """An utterance with more audio than the limit."""

    code = "utterance_too_long"

    limit_s: float
    """Seconds of audio allowed in one utterance."""

    def __str__(self) -> str:
        return f"the utterance is longer than {self.limit_s:g} s of audio"


@dataclass(eq=False)
class AnswerTooLarge(InvalidRequest):
    """Audio that was asked for in one piece, and is more than the limit."""

    code = "answer_too_large"

    limit_bytes: int

    def __str__(self) -> str:
        return f"the audio is larger than {self.limit_bytes} bytes: ask for a stream"


@dataclass(eq=False)
class MessageTooLarge(InvalidRequest):
    """A message or body with more bytes than the limit."""

    code = "message_too_large"

    limit_bytes: int

    def __str__(self) -> str:
        return f"the message is larger than {self.limit_bytes} bytes"


@dataclass(eq=False)
class UnknownVoice(InvalidRequest):
    """A voice that the catalogue doesn't have."""

    code = "unknown_voice"

    voice: str
    """The name asked for, shortened when long."""
    near: Sequence[str]
    """Names like it, best first; may be empty."""

    def __str__(self) -> str:
        hint = f"; did you mean {' or '.join(self.near)}?" if self.near else "; `primavoce voices` lists them"
        return f"unknown voice {self.voice!r}{hint}"


@dataclass(eq=False)
class UnknownLanguage(InvalidRequest):
    """A language that Kokoro doesn't speak."""

    code = "unknown_language"

    language: str
    """The tag asked for, shortened when long."""
    known: Sequence[str]
    """The tags that are known."""

    def __str__(self) -> str:
        return f"unknown language {self.language!r}; known languages are {', '.join(self.known)}"


@dataclass(eq=False)
class LanguageUnavailable(InvalidRequest):
    """A language that Kokoro speaks, but whose extra is not installed here."""

    code = "language_unavailable"

    language: str
    """The language's tag."""
    extra: str
    """The extra that brings it."""

    def __str__(self) -> str:
        return f"language {self.language!r} needs the extra {self.extra!r}: {_brought(self.extra)}"


@dataclass(eq=False)
class InvalidSpeed(InvalidRequest):
    """A speed that is not a number between the limits."""

    code = "invalid_speed"

    lowest: float = 0.5
    highest: float = 2.0

    def __str__(self) -> str:
        return f"speed must be a number from {self.lowest:g} to {self.highest:g}"


@dataclass(eq=False)
class UnsupportedSampleRate(InvalidRequest):
    """A sample rate that is not offered."""

    code = "unsupported_sample_rate"

    supported: Sequence[int]
    """Hertz."""

    def __str__(self) -> str:
        return f"sample_rate must be one of {', '.join(map(str, self.supported))}"


@dataclass(eq=False)
class UnsupportedFormat(InvalidRequest):
    """An audio format that is not offered here."""

    code = "unsupported_format"

    supported: Sequence[str]

    def __str__(self) -> str:
        return f"format must be one of {', '.join(self.supported)}"


@dataclass(eq=False)
class UnknownRequest(InvalidRequest):
    """A request id that is not open, queued or speaking."""

    code = "unknown_request"

    def __str__(self) -> str:
        return "no such request is open, queued or being spoken"


@dataclass(eq=False)
class DuplicateRequest(InvalidRequest):
    """A request id that is in use already."""

    code = "duplicate_request"

    def __str__(self) -> str:
        return "a request with this id is open, queued or being spoken already"


class SessionClosing(InvalidRequest):
    """A request after ``close``."""

    code = "session_closing"

    def __str__(self) -> str:
        return "the session was closed: it takes no more requests"


@dataclass(eq=False)
class InvalidLexicon(InvalidRequest):
    """A pronunciation lexicon that can't be used."""

    code = "invalid_lexicon"

    place: str
    """The entry, the table or the file, shortened when long."""
    reason: str
    """What is wrong there; for TOML with the line."""

    def __str__(self) -> str:
        return f"lexicon, {self.place}: {self.reason}"


@dataclass(eq=False)
class UnknownModel(InvalidRequest):
    """A model that the server doesn't have, where a dialect has several; the code is the one that its clients know."""

    code = "model_not_found"

    model: str
    """The name asked for, shortened when long."""
    known: Sequence[str]

    def __str__(self) -> str:
        return f"unknown model {self.model!r}; known models are {', '.join(self.known)}"


class UnknownRoute(InvalidRequest):
    """A request over HTTP for a path that the server doesn't have."""

    code = "unknown_route"

    def __str__(self) -> str:
        return "there is nothing at this path"


@dataclass(eq=False)
class MethodNotAllowed(InvalidRequest):
    """A request over HTTP by a method that its path doesn't take."""

    code = "method_not_allowed"

    allowed: str
    """The methods that it does."""

    def __str__(self) -> str:
        return f"this path takes {self.allowed}"


@dataclass(eq=False)
class RequestStale(InvalidRequest):
    """A request older than the limit when it came, or when its turn came."""

    code = "request_stale"
    retryable = True

    limit_s: float
    """Seconds."""

    def __str__(self) -> str:
        return f"the request is older than {self.limit_s:g} s"


@dataclass(eq=False)
class RequestIncomplete(InvalidRequest):
    """A body that did not come whole in time."""

    code = "request_incomplete"
    retryable = True

    limit_s: float
    """Seconds."""

    def __str__(self) -> str:
        return f"the body did not come whole within {self.limit_s:g} s"


# --- who asks is not let in ----------------------------------------------------------------------------------


class AccessRefused(PrimavoceError):
    """The server doesn't speak to whoever asks; told before anything that was asked is looked at."""

    code = "access_refused"


class Unauthorized(AccessRefused):
    """A request without an API key that the server knows."""

    code = "unauthorized"

    def __str__(self) -> str:
        return "an API key is needed: Authorization: Bearer KEY"


class OriginRefused(AccessRefused):
    """A request of a web page that may not speak to the server."""

    code = "origin_refused"

    def __str__(self) -> str:
        return "web pages of this origin may not speak to this server"


class HostRefused(AccessRefused):
    """A request by a name that is not this server's."""

    code = "host_refused"

    def __str__(self) -> str:
        return "this server doesn't answer by the name in the Host header"


# --- the server can't take it now ----------------------------------------------------------------------------


class Unavailable(PrimavoceError):
    """The server can't take the request now; a later one may pass."""

    code = "unavailable"
    retryable = True


@dataclass(eq=False)
class Overloaded(Unavailable):
    """As many are served as can be."""

    code = "overloaded"

    limit: int

    def __str__(self) -> str:
        return f"{self.limit} are being served, and no more can be"


@dataclass(eq=False)
class TooManyRequests(Unavailable):
    """A session's queue is full."""

    code = "too_many_requests"

    limit: int

    def __str__(self) -> str:
        return f"{self.limit} requests are waiting in this session already"


@dataclass(eq=False)
class SessionExpired(Unavailable):
    """A session has lasted as long as one may; a new one can be opened at once."""

    code = "session_expired"

    limit_s: float
    """Seconds."""

    def __str__(self) -> str:
        return f"the session has lasted {self.limit_s:g} s: open another"


class Draining(Unavailable):
    """The server is about to leave."""

    code = "draining"

    def __str__(self) -> str:
        return "the server is shutting down"


# --- our work failed -----------------------------------------------------------------------------------------


class SynthesisError(PrimavoceError):
    """Speaking failed, though the request was sound."""

    code = "synthesis_error"


class PhonemesFailed(SynthesisError):
    """A sentence could not be turned into phonemes."""

    code = "phonemes_failed"

    def __str__(self) -> str:
        return "a sentence could not be turned into phonemes"


class SynthesisFailed(SynthesisError):
    """The model failed on a segment."""

    code = "synthesis_failed"

    def __str__(self) -> str:
        return "the model failed on a segment"


# --- what writes an agent's answer failed --------------------------------------------------------------------


class AgentError(PrimavoceError):
    """What writes an agent's answer failed; the conversation can go on."""

    code = "agent_error"


class AgentBusy(AgentError):
    """The agent is writing another answer; it writes one at a time."""

    code = "agent_busy"
    retryable = True

    def __str__(self) -> str:
        return "the agent is still writing another answer"


class ModelThrottled(AgentError):
    """The language model's service has had too many requests, even after what its client tried by itself."""

    code = "model_throttled"
    retryable = True

    def __str__(self) -> str:
        return "the language model is asked too often just now"


class ModelContextFull(AgentError):
    """The conversation is longer than the language model can read."""

    code = "model_context_full"

    def __str__(self) -> str:
        return "the conversation is longer than the language model can read: begin another"


@dataclass(eq=False)
class ModelUnavailable(AgentError):
    """The language model can't be had just now: it can't be reached, or its service has failed."""

    code = "model_unavailable"
    retryable = True

    reason: str = "it can't be reached"
    """In words of our own: what a client of it says may hold addresses and names."""

    def __str__(self) -> str:
        return f"the language model can't be had: {self.reason}"


@dataclass(eq=False)
class ModelRefused(AgentError):
    """The language model isn't there, or doesn't let us in: waiting won't mend it."""

    code = "model_refused"

    reason: str = "it doesn't let this agent in"
    """In words of our own."""

    def __str__(self) -> str:
        return f"the language model can't be asked: {self.reason}"


class ModelFailed(AgentError):
    """The agent or its language model failed in a way that says nothing about the next attempt."""

    code = "model_failed"

    def __str__(self) -> str:
        return "the agent failed while it wrote"


class SpeechUnavailable(AgentError):
    """What speaks for the agent can't be reached, or broke off."""

    code = "speech_unavailable"
    retryable = True

    def __str__(self) -> str:
        return "what speaks for the agent can't be reached, or broke off"


class RuntimeBusy(AgentError):
    """A deployed agent's session is only just starting or ending, after several attempts."""

    code = "runtime_busy"
    retryable = True

    def __str__(self) -> str:
        return "the deployed agent's session is starting or ending: ask again in a moment"


class RuntimeThrottled(AgentError):
    """The service that runs a deployed agent has had too many requests."""

    code = "runtime_throttled"
    retryable = True

    def __str__(self) -> str:
        return "the deployed agent is asked too often just now"


@dataclass(eq=False)
class RuntimeUnavailable(AgentError):
    """A deployed agent can't be reached, or its answer broke off."""

    code = "runtime_unavailable"
    retryable = True

    reason: str = "it can't be reached"
    """In words of our own: what the service says holds accounts and names."""

    def __str__(self) -> str:
        return f"the deployed agent can't be had: {self.reason}"


@dataclass(eq=False)
class RuntimeRefused(AgentError):
    """A deployed agent isn't there, or doesn't let us in."""

    code = "runtime_refused"

    reason: str = "it doesn't let this program in"
    """In words of our own."""

    def __str__(self) -> str:
        return f"the deployed agent can't be asked: {self.reason}"


@dataclass(eq=False)
class RuntimeFailed(AgentError):
    """A deployed agent, or the service that runs it, answered with an error, or with nonsense."""

    code = "runtime_failed"

    reason: str = "it answered with an error of its own"
    """In words of our own."""

    def __str__(self) -> str:
        return f"the deployed agent failed: {self.reason}"


# --- weights or voices can't be had --------------------------------------------------------------------------


class AssetError(PrimavoceError):
    """Weights or voices can't be had; the sentence says what to do."""

    code = "asset_error"


@dataclass(eq=False)
class AssetMissing(AssetError):
    """An asset is not here and was not to be fetched."""

    code = "asset_missing"

    asset: str
    place: str
    command: str = "primavoce assets fetch"
    """What fetches it."""

    def __str__(self) -> str:
        return f"{self.asset} is not in {self.place}; run `{self.command}`"


@dataclass(eq=False)
class DigestMismatch(AssetError):
    """A file's SHA-256 is not the manifest's; the file was not used."""

    code = "digest_mismatch"

    asset: str
    expected: str
    found: str
    source: str

    def __str__(self) -> str:
        return (
            f"{self.asset} from {self.source} has SHA-256 {self.found[:12]}…, not {self.expected[:12]}…; "
            "it was not used: delete it, or fetch it again from another source"
        )


@dataclass(eq=False)
class FetchFailed(AssetError):
    """No source could deliver an asset."""

    code = "fetch_failed"
    retryable = True

    asset: str
    attempts: Sequence[tuple[str, str]]
    """(source, why it failed and what to do), in the order tried."""

    def __str__(self) -> str:
        tried = "; ".join(f"{source}: {reason}" for source, reason in self.attempts)
        return f"{self.asset} could not be fetched ({tried})"


@dataclass(eq=False)
class NoSpace(AssetError):
    """The disk is full."""

    code = "no_space"

    place: str
    needed_bytes: int

    def __str__(self) -> str:
        return (
            f"no space left in {self.place}: {self.needed_bytes / 1e6:.0f} MB are needed; "
            "free some, or set PRIMAVOCE_CACHE to another disk"
        )


@dataclass(eq=False)
class PreparationFailed(AssetError):
    """The weights could not be prepared for the run time."""

    code = "preparation_failed"

    reason: str

    def __str__(self) -> str:
        return f"the weights could not be prepared: {self.reason}"


# --- the program was started wrongly -------------------------------------------------------------------------


class SetupError(PrimavoceError):
    """The program was started in a way that can't work."""

    code = "setup_error"


@dataclass(eq=False)
class InvalidSetting(SetupError):
    """A setting that can't be used."""

    code = "invalid_setting"

    name: str
    """The environment variable or option."""
    reason: str

    def __str__(self) -> str:
        return f"{self.name}: {self.reason}"


@dataclass(eq=False)
class ExtraMissing(SetupError):
    """A part of primavoce whose extra is not installed."""

    code = "extra_missing"

    what: str
    extra: str
    note: str = ""

    def __str__(self) -> str:
        return f"{self.what} needs the extra {self.extra!r}: {_brought(self.extra)}{self.note}"


@dataclass(eq=False)
class NotCalibrated(SetupError):
    """A voice that can only be spoken whole, where its being spoken in windows was asked for."""

    code = "not_calibrated"

    voice: str
    """The canonical name of a voice or blend."""

    def __str__(self) -> str:
        return (
            f"{self.voice} isn't calibrated for these weights, so it is only spoken whole; "
            f"`primavoce calibrate --voice {self.voice}` calibrates it"
        )


@dataclass(eq=False)
class DeviceUnavailable(SetupError):
    """A device that was asked for by name and can't be had."""

    code = "device_unavailable"

    device: str
    reason: str

    def __str__(self) -> str:
        return f"{self.device} can't be used: {self.reason}"


@dataclass(eq=False)
class ServerNotStarted(SetupError):
    """The server that a command started ended before it was ready."""

    code = "server_not_started"

    status: int | None

    def __str__(self) -> str:
        return f"the server ended before it was ready (exit status {self.status}); its last lines are above"


# --- a command that deals with a cloud account can't go on ---------------------------------------------------


class DeploymentError(PrimavoceError):
    """A command that deals with a cloud account can't go on; the sentence says what to do."""

    code = "deployment_error"


@dataclass(eq=False)
class AccountUnavailable(DeploymentError):
    """The account can't be asked: no valid credentials, no region, no network, or too many requests."""

    code = "account_unavailable"
    retryable = True

    reason: str

    def __str__(self) -> str:
        return f"the AWS account can't be asked: {self.reason}"


@dataclass(eq=False)
class AccountRefused(DeploymentError):
    """The account doesn't let these credentials do something."""

    code = "account_refused"

    action: str
    """As IAM writes it."""
    reason: str

    def __str__(self) -> str:
        return f"the AWS account doesn't allow {self.action}: {self.reason}"


@dataclass(eq=False)
class EndpointNotVerified(DeploymentError):
    """The agent was to be deployed on an endpoint that hasn't been proven to speak."""

    code = "endpoint_not_verified"

    endpoint: str
    reason: str
    command: str
    """What to run first."""

    def __str__(self) -> str:
        return f"the agent needs an endpoint that speaks, and {self.endpoint} {self.reason}; run `{self.command}`"


@dataclass(eq=False)
class StepFailed(DeploymentError):
    """A step failed; what was done before it stays, and the same command goes on from there."""

    code = "step_failed"
    retryable = True

    step: str
    reason: str
    remedy: str = ""

    def __str__(self) -> str:
        return f"{self.step} failed: {self.reason}{'; ' if self.remedy else ''}{self.remedy}"


# --- what a client meets -------------------------------------------------------------------------------------


class SessionError(PrimavoceError):
    """A session with a server went wrong, seen from the client."""

    code = "session_error"


@dataclass(eq=False)
class ConnectFailed(SessionError):
    """No session could be opened."""

    code = "connect_failed"
    retryable = True

    url: str
    reason: str

    def __str__(self) -> str:
        return f"could not open a session with {self.url}: {self.reason}"


@dataclass(eq=False)
class KeyRefused(SessionError):
    """The server asks for an API key, or doesn't know the one that was shown."""

    code = "key_refused"

    url: str
    shown: bool
    """Whether a key was shown."""

    def __str__(self) -> str:
        if self.shown:
            return f"{self.url} doesn't know this API key"
        return f"{self.url} asks for an API key: give api_key, --api-key or PRIMAVOCE_API_KEY"


@dataclass(eq=False)
class SessionBroken(SessionError):
    """The connection ended before the session, or an utterance in it, did."""

    code = "session_broken"
    retryable = True

    reason: str

    def __str__(self) -> str:
        return f"the session broke off: {self.reason}"


@dataclass(eq=False)
class SessionTimeout(SessionError):
    """The server did not answer in time."""

    code = "session_timeout"
    retryable = True

    waiting_for: str
    timeout_s: float

    def __str__(self) -> str:
        return f"no {self.waiting_for} within {self.timeout_s:g} s"


class SessionClosed(SessionError):
    """The session was closed already."""

    code = "session_closed"

    def __str__(self) -> str:
        return "the session is closed"


@dataclass(eq=False)
class EndpointRefused(SessionError):
    """A SageMaker endpoint isn't there, or doesn't let us in; asking again in the same way fails again."""

    code = "endpoint_refused"

    endpoint: str
    reason: str
    """In words of our own, with the service's code where it told one."""

    def __str__(self) -> str:
        return f"SageMaker's endpoint {self.endpoint} can't be used: {self.reason}"


@dataclass(eq=False)
class EndpointThrottled(SessionError):
    """SageMaker has had too many requests of this account."""

    code = "endpoint_throttled"
    retryable = True

    endpoint: str

    def __str__(self) -> str:
        return f"SageMaker's endpoint {self.endpoint} is asked too often just now"


@dataclass(eq=False)
class EndpointFailed(SessionError):
    """A SageMaker endpoint's container took no session, or the service itself failed."""

    code = "endpoint_failed"
    retryable = True

    endpoint: str
    reason: str
    """In words of our own, with the service's code where it told one."""

    def __str__(self) -> str:
        return f"SageMaker's endpoint {self.endpoint} opened no session: {self.reason}"


@dataclass(eq=False)
class ProtocolViolation(SessionError):
    """The server sent something that the protocol doesn't allow at that point."""

    code = "protocol_violation"

    reason: str

    def __str__(self) -> str:
        return f"the server broke the protocol: {self.reason}"


class RequestFailed(SessionError):
    """The server answered a request with an error; ``code`` and ``retryable`` are the server's own."""

    def __init__(self, code: str, message: str, *, retryable: bool, request_id: str | None = None) -> None:
        super().__init__(code, message)
        self.code = code  # type: ignore[misc]
        self.message = message
        self.retryable = retryable  # type: ignore[misc]
        self.request_id = request_id

    def __str__(self) -> str:
        return f"{self.message} ({self.code})"


@contextmanager
def lone_error() -> Iterator[None]:
    """Take a lone error out of the group that a task group wraps it in.

    Callers then catch the error that they know; so they do when several tasks met the same error, or errors of one
    kind that say the same. A group of different errors stays a group: none of them is the cause.
    """
    try:
        yield
    except BaseExceptionGroup as group:
        leaves = list(_leaves(group))
        if any(type(leaf) is not type(leaves[0]) or str(leaf) != str(leaves[0]) for leaf in leaves):
            raise
        raise leaves[0] from leaves[0].__cause__


def _brought(extra: str) -> str:
    """Return the ways to have an extra."""
    return f"`uv run --extra {extra}` in a checkout, pip install 'primavoce[{extra}]' elsewhere"


def _leaves(error: BaseException) -> Iterator[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from _leaves(inner)
    else:
        yield error
