"""How a command ends: one sentence for an error that has one, and the status that shells expect."""

import logging
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import typer

from primavoce.errors import ExtraMissing, InvalidSetting, PrimavoceError

FAILED, INTERRUPTED = 1, 128 + signal.SIGINT
ENGINE_MODULES = (
    *("misaki", "numpy", "onnx", "onnxruntime", "phonemizer", "spacy", "soxr", "huggingface_hub"),
    *("lameenc", "soundfile"),
)
SERVER_MODULES = ("prometheus_client", "starlette", "structlog", "uvicorn")


@contextmanager
def ending() -> Iterator[None]:
    """Turn an error of ours into one sentence on standard error and status 1.

    A missing module of an extra is told as the extra's name. Any other error is a bug of ours and keeps its trace.
    """
    try:
        yield
    except PrimavoceError as error:
        fail(error)
    except ModuleNotFoundError as error:
        module = (error.name or "").partition(".")[0]
        if module in ENGINE_MODULES:
            fail(engine_missing())
        if module in SERVER_MODULES:
            fail(ExtraMissing("the server", "server"))
        raise
    except BrokenPipeError:
        raise typer.Exit(FAILED) from None  # whoever read our output has left, and knows
    except OSError as error:
        fail(InvalidSetting("output", error.strerror or type(error).__name__))
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None


def leave_at_once(error: PrimavoceError | None = None) -> NoReturn:
    """End the process, whatever its threads are doing: with status 0, or with what went wrong and status 1.

    Python itself would wait for them: for weights that are still being fetched, or a model that hangs, long after the
    server has said goodbye to everybody. Nothing of theirs is lost by it: files get their names when they are whole.
    """
    if error is not None:
        typer.echo(f"primavoce: {error}", err=True)
    logging.shutdown()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0 if error is None else FAILED)


def engine_missing() -> ExtraMissing:
    """Return the error that says how to get the engine, on this Python."""
    new = sys.version_info >= (3, 13)
    note = " (the engine runs on Python 3.12 only: misaki needs Python below 3.13)" if new else ""
    return ExtraMissing("speaking in this process", "engine", note)


def fail(error: PrimavoceError) -> None:
    """Say what went wrong, and end with status 1."""
    typer.echo(f"primavoce: {error}", err=True)
    raise typer.Exit(FAILED) from error
