"""Errors as OpenAI's API tells them."""

from primavoce.errors import (
    InvalidField,
    InvalidSpeed,
    PrimavoceError,
    TextRequired,
    TextTooLong,
    UnknownField,
    UnknownLanguage,
    UnknownModel,
    UnknownVoice,
    UnsupportedFormat,
    UnsupportedSampleRate,
    UtteranceTooLong,
)

PARAMETERS: tuple[tuple[type[PrimavoceError], str], ...] = (
    (TextRequired, "input"),
    (TextTooLong, "input"),
    (UtteranceTooLong, "input"),
    (UnknownModel, "model"),
    (UnknownVoice, "voice"),
    (UnsupportedFormat, "response_format"),
    (InvalidSpeed, "speed"),
    (UnknownLanguage, "language"),
    (UnsupportedSampleRate, "sample_rate"),
)
"""The field that an error is about."""


def openai_error(error: PrimavoceError, code: str, status: int, _: str | None = None) -> dict[str, object]:
    """Return the body that tells of ``error``.

    Args:
        error: One that may be told.
        code: Its code over HTTP.
        status: Its status.
    """
    told = {"message": str(error), "type": kind_of(status), "param": parameter_of(error), "code": code}
    return {"error": told}


def kind_of(status: int) -> str:
    """Return OpenAI's word for the kind of an error, by its status."""
    if status == 429:
        return "rate_limit_error"
    return "server_error" if status >= 500 else "invalid_request_error"


def parameter_of(error: PrimavoceError) -> str | None:
    """Return the name of the field that ``error`` is about; None if it is about none."""
    if isinstance(error, InvalidField | UnknownField):
        return error.field
    return next((name for kind, name in PARAMETERS if isinstance(error, kind)), None)
