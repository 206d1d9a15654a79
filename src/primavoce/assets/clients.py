"""Running a package client, and reading from its last words what went wrong.

A client never gets our standard output, which may be a pipe of audio, nor our standard input. What it prints may
hold addresses, user names and tokens, so only one line of it is repeated, and that one without them.
"""

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

from primavoce.assets.sources import ClientDiskFull, SourceFailed

TIMEOUT_S = 600.0
"""Seconds that a client may take."""

_FULL = re.compile(r"no space left on device|\bENOSPC\b|disk quota exceeded|\bEDQUOT\b", re.IGNORECASE)
_UNREACHABLE = re.compile(
    r"\b(ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT)\b"
    r"|error sending request|dns error|connection refused|name resolution|failed to establish a new connection"
    r"|network (is|was) (unreachable|disabled)|timed out|proxyerror|certificate verify failed|SELF_SIGNED_CERT",
    re.IGNORECASE,
)
_NOISE = re.compile(
    r"\s|[{}\])]|hint:|warning\b|notice\b|using |resolved |prepared |looking in |if you are behind|in most cases"
    r"|a complete log|this is a problem related|\[notice\]",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"^(npm (error|err!|warn|notice)( (code|network|notarget|\d{3}))?|error:|\s+cause:|\s+caused by:|fatal:) ?",
    re.IGNORECASE,
)
_COLOUR = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_PRIVATE = (
    (re.compile(r"\b[\w+.-]+://[^\s'\"`),;]+"), "<address>"),
    (
        re.compile(
            r"[^\s=:]*(token|password|secret|authorization|credential|bearer)[^\s=:]*\s*[=: ]"
            r"\s*((bearer|basic)\s+)?\S+",
            re.IGNORECASE,
        ),
        "<private>",
    ),
    (re.compile(r"\S+:\S+@\S+|\S+@([\w-]+\.)+[a-z]{2,}\S*", re.IGNORECASE), "<address>"),
    (re.compile(r"(?<![\w./=-])\d{1,3}(\.\d{1,3}){3}(:\d+)?(?![\w.-])"), "<address>"),
    (re.compile(r"\[?[0-9a-f]*(:[0-9a-f]*){3,}\]?(:\d+)?", re.IGNORECASE), "<address>"),
    (
        re.compile(
            r"(?<![\w./@=-])(?!(?:[\w-]+\.)+(?:bin|cfg|gz|js|json|log|npmrc|py|tgz|toml|txt|whl|zip)\b)"
            r"([\w-]+\.)+[a-z]{2,}(:\d+)?(?![\w/.-])",
            re.IGNORECASE,
        ),
        "<host>",
    ),
)
_LINE_LENGTH = 200


class ClientAbsent(SourceFailed):
    """The client is not installed, or what bears its name can't be started."""


def run_client(client: str, arguments: Sequence[str], *, folder: Path, timeout_s: float) -> None:
    """Run a package client to its end.

    Args:
        client: What people call it.
        arguments: The command line.
        folder: Its working folder, so that no project's settings change what it does.
        timeout_s: Seconds after which it is stopped.

    Raises:
        ClientAbsent: it can't be started.
        SourceFailed: it failed, or took too long.
        ClientDiskFull: it found a disk full.
    """
    try:
        done = subprocess.run(
            arguments,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            timeout=timeout_s,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise SourceFailed(
            f"{client} did not finish within {timeout_s:g} s and was stopped; check the network and try again"
        ) from error
    except OSError as error:
        raise ClientAbsent(f"{client} can't be started ({error.strerror})") from error
    if done.returncode:
        _raise_failure(client, done.returncode, done.stderr.decode(errors="replace"))


def last_words(output: str) -> str:
    """Return the line of a client's error output that says most, without addresses or credentials; may be empty."""
    lines = [_LABEL.sub("", line) for line in _COLOUR.sub("", output).splitlines()]
    useful = [line.strip() for line in lines if line.strip() and not _NOISE.match(line)]
    line = useful[-1] if useful else ""
    for pattern, instead in _PRIVATE:
        line = pattern.sub(instead, line)
    return line if len(line) <= _LINE_LENGTH else f"{line[: _LINE_LENGTH - 1]}…"


def _raise_failure(client: str, status: int, output: str) -> None:
    if status in {126, 127}:  # a version manager's stand-in for a client that isn't there
        raise ClientAbsent(f"{client} can't be started (exit status {status})")
    if _FULL.search(output):
        raise ClientDiskFull(client)
    words = last_words(output)
    said = f"it says: {words}" if words else f"exit status {status}"
    if _UNREACHABLE.search(output):
        advice = f"check the network and {client}'s proxy and registry settings"
        raise SourceFailed(f"{client} could not reach its registry; {advice} ({said})")
    raise SourceFailed(f"{client} failed; {said}")
