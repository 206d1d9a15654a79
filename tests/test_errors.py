import inspect

import pytest

from primavoce import errors
from primavoce.errors import (
    AccountRefused,
    AccountUnavailable,
    AgentBusy,
    AnswerTooLarge,
    AssetMissing,
    ConnectFailed,
    DeviceUnavailable,
    DigestMismatch,
    Draining,
    DuplicateRequest,
    EmptyFrame,
    EndpointFailed,
    EndpointNotVerified,
    EndpointRefused,
    EndpointThrottled,
    ExtraMissing,
    FetchFailed,
    HostRefused,
    InvalidField,
    InvalidJson,
    InvalidLexicon,
    InvalidMessage,
    InvalidRequest,
    InvalidSetting,
    InvalidSpeed,
    InvalidUtf8,
    KeyRefused,
    LanguageUnavailable,
    MessageTooLarge,
    MethodNotAllowed,
    ModelContextFull,
    ModelFailed,
    ModelRefused,
    ModelThrottled,
    ModelUnavailable,
    NoSpace,
    NotCalibrated,
    OriginRefused,
    Overloaded,
    PhonemesFailed,
    PreparationFailed,
    PrimavoceError,
    ProtocolViolation,
    RequestFailed,
    RequestIncomplete,
    RequestStale,
    RuntimeBusy,
    RuntimeFailed,
    RuntimeRefused,
    RuntimeThrottled,
    RuntimeUnavailable,
    ServerNotStarted,
    SessionBroken,
    SessionClosed,
    SessionClosing,
    SessionExpired,
    SessionTimeout,
    SpeechUnavailable,
    StepFailed,
    SynthesisFailed,
    TextRequired,
    TextTooLong,
    TooManyRequests,
    Unauthorized,
    UnknownField,
    UnknownLanguage,
    UnknownModel,
    UnknownRequest,
    UnknownRoute,
    UnknownType,
    UnknownVoice,
    UnsupportedFormat,
    UnsupportedSampleRate,
    UtteranceTooLong,
    lone_error,
)

SENTENCES = [
    (PrimavoceError(), "something went wrong on this side"),
    (InvalidUtf8(), "the message is not valid UTF-8"),
    (InvalidJson("truncated"), "the message is not valid JSON: truncated"),
    (InvalidMessage("an array"), "a message must be a JSON object, not an array"),
    (EmptyFrame(), "the frame is empty; a message is a JSON object"),
    (UnknownType(("text", "end")), "unknown message type; known types are text, end"),
    (UnknownField("txet"), "unknown field 'txet'"),
    (
        InvalidLexicon("'Kokoro'", "the model has no symbol for 'g'"),
        "lexicon, 'Kokoro': the model has no symbol for 'g'",
    ),
    (InvalidField("text", "must be a string"), "field 'text': must be a string"),
    (TextRequired(), "text is required"),
    (TextTooLong(10), "the text is longer than 10 characters"),
    (UtteranceTooLong(1800.0), "the utterance is longer than 1800 s of audio"),
    (AnswerTooLarge(10), "the audio is larger than 10 bytes: ask for a stream"),
    (MessageTooLarge(10), "the message is larger than 10 bytes"),
    (UnknownVoice("x", ("a", "b")), "unknown voice 'x'; did you mean a or b?"),
    (UnknownVoice("x", ()), "unknown voice 'x'; `primavoce voices` lists them"),
    (UnknownLanguage("tlh", ("it", "es")), "unknown language 'tlh'; known languages are it, es"),
    (
        LanguageUnavailable("ja", "ja"),
        "language 'ja' needs the extra 'ja': `uv run --extra ja` in a checkout, pip install 'primavoce[ja]' elsewhere",
    ),
    (InvalidSpeed(), "speed must be a number from 0.5 to 2"),
    (UnsupportedSampleRate((8000, 24000)), "sample_rate must be one of 8000, 24000"),
    (UnsupportedFormat(("pcm", "wav")), "format must be one of pcm, wav"),
    (UnknownRequest(), "no such request is open, queued or being spoken"),
    (DuplicateRequest(), "a request with this id is open, queued or being spoken already"),
    (SessionClosing(), "the session was closed: it takes no more requests"),
    (UnknownModel("x", ("a", "b")), "unknown model 'x'; known models are a, b"),
    (UnknownRoute(), "there is nothing at this path"),
    (MethodNotAllowed("GET, POST"), "this path takes GET, POST"),
    (RequestIncomplete(30.0), "the body did not come whole within 30 s"),
    (RequestStale(56.0), "the request is older than 56 s"),
    (Unauthorized(), "an API key is needed: Authorization: Bearer KEY"),
    (OriginRefused(), "web pages of this origin may not speak to this server"),
    (HostRefused(), "this server doesn't answer by the name in the Host header"),
    (Overloaded(3), "3 are being served, and no more can be"),
    (TooManyRequests(32), "32 requests are waiting in this session already"),
    (SessionExpired(1770.0), "the session has lasted 1770 s: open another"),
    (Draining(), "the server is shutting down"),
    (PhonemesFailed(), "a sentence could not be turned into phonemes"),
    (SynthesisFailed(), "the model failed on a segment"),
    (AgentBusy(), "the agent is still writing another answer"),
    (ModelThrottled(), "the language model is asked too often just now"),
    (ModelContextFull(), "the conversation is longer than the language model can read: begin another"),
    (ModelUnavailable(), "the language model can't be had: it can't be reached"),
    (ModelRefused(), "the language model can't be asked: it doesn't let this agent in"),
    (ModelFailed(), "the agent failed while it wrote"),
    (SpeechUnavailable(), "what speaks for the agent can't be reached, or broke off"),
    (RuntimeBusy(), "the deployed agent's session is starting or ending: ask again in a moment"),
    (RuntimeThrottled(), "the deployed agent is asked too often just now"),
    (RuntimeUnavailable(), "the deployed agent can't be had: it can't be reached"),
    (RuntimeRefused(), "the deployed agent can't be asked: it doesn't let this program in"),
    (RuntimeFailed(), "the deployed agent failed: it answered with an error of its own"),
    (AssetMissing("the weights", "/c"), "the weights is not in /c; run `primavoce assets fetch`"),
    (
        DigestMismatch("w", "a" * 64, "b" * 64, "hub"),
        "w from hub has SHA-256 bbbbbbbbbbbb…, not aaaaaaaaaaaa…; it was not used: delete it, or fetch it again "
        "from another source",
    ),
    (FetchFailed("w", [("hub", "no network")]), "w could not be fetched (hub: no network)"),
    (
        NoSpace("/c", 5_000_000),
        "no space left in /c: 5 MB are needed; free some, or set PRIMAVOCE_CACHE to another disk",
    ),
    (PreparationFailed("no inputs"), "the weights could not be prepared: no inputs"),
    (InvalidSetting("PRIMAVOCE_PORT", "is odd"), "PRIMAVOCE_PORT: is odd"),
    (
        ExtraMissing("playing", "play"),
        "playing needs the extra 'play': `uv run --extra play` in a checkout, pip install 'primavoce[play]' elsewhere",
    ),
    (
        NotCalibrated("af_heart"),
        "af_heart isn't calibrated for these weights, so it is only spoken whole; "
        "`primavoce calibrate --voice af_heart` calibrates it",
    ),
    (DeviceUnavailable("cuda", "it is asleep"), "cuda can't be used: it is asleep"),
    (ServerNotStarted(1), "the server ended before it was ready (exit status 1); its last lines are above"),
    (AccountUnavailable("no credentials"), "the AWS account can't be asked: no credentials"),
    (AccountRefused("s3:GetObject", "denied"), "the AWS account doesn't allow s3:GetObject: denied"),
    (
        EndpointNotVerified("e", "isn't there", "primavoce aws deploy speech"),
        "the agent needs an endpoint that speaks, and e isn't there; run `primavoce aws deploy speech`",
    ),
    (StepFailed("push", "no space", "free some"), "push failed: no space; free some"),
    (StepFailed("push", "no space"), "push failed: no space"),
    (ConnectFailed("ws://h", "refused"), "could not open a session with ws://h: refused"),
    (
        KeyRefused("ws://h", shown=False),
        "ws://h asks for an API key: give api_key, --api-key or PRIMAVOCE_API_KEY",
    ),
    (KeyRefused("ws://h", shown=True), "ws://h doesn't know this API key"),
    (SessionBroken("the connection was lost"), "the session broke off: the connection was lost"),
    (SessionTimeout("audio", 30.0), "no audio within 30 s"),
    (SessionClosed(), "the session is closed"),
    (
        EndpointRefused("speech", "there are no credentials for it"),
        "SageMaker's endpoint speech can't be used: there are no credentials for it",
    ),
    (EndpointThrottled("speech"), "SageMaker's endpoint speech is asked too often just now"),
    (
        EndpointFailed("speech", "its container took no session"),
        "SageMaker's endpoint speech opened no session: its container took no session",
    ),
    (ProtocolViolation("audio came early"), "the server broke the protocol: audio came early"),
    (RequestFailed("overloaded", "all is taken", retryable=True), "all is taken (overloaded)"),
]


@pytest.mark.parametrize(("error", "sentence"), SENTENCES, ids=[type(error).__name__ for error, _ in SENTENCES])
def test_each_error_says_its_sentence(error: PrimavoceError, sentence: str) -> None:
    assert str(error) == sentence


def test_every_error_that_is_raised_has_a_sentence_here_and_a_code_of_its_own() -> None:
    kinds = [kind for _, kind in inspect.getmembers(errors, inspect.isclass) if issubclass(kind, PrimavoceError)]
    leaves = [kind for kind in kinds if not kind.__subclasses__() and kind is not RequestFailed]

    assert set(leaves) <= {type(error) for error, _ in SENTENCES}
    assert len({kind.code for kind in leaves}) == len(leaves)


def test_the_tree_in_the_docstring_is_the_tree() -> None:
    drawn = errors.__doc__ or ""

    for _, kind in inspect.getmembers(errors, inspect.isclass):
        if issubclass(kind, PrimavoceError):
            assert kind.__name__ in drawn
            if not kind.__subclasses__() and kind is not RequestFailed:
                assert kind.code in drawn, kind


def test_what_a_client_may_try_again_says_so() -> None:
    assert Overloaded(1).retryable
    assert not UnknownVoice("x", ()).retryable


def test_an_error_passes_through_a_context_manager_with_its_trace() -> None:
    with pytest.raises(UnknownVoice), lone_error():
        raise UnknownVoice("x", ())


def test_a_lone_error_is_taken_out_of_its_group() -> None:
    error = TextRequired()

    with pytest.raises(TextRequired), lone_error():
        raise ExceptionGroup("outer", [ExceptionGroup("inner", [error]), error])


def test_different_errors_stay_a_group() -> None:
    with pytest.raises(ExceptionGroup), lone_error():
        raise ExceptionGroup("both", [TextRequired(), InvalidRequest()])
