import errno
import os
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primavoce.assets.clients import ClientAbsent, last_words, run_client
from primavoce.assets.sources import ClientDiskFull, SourceFailed

UV_UNREACHABLE = """\
Using CPython 3.12.1 interpreter at: /home/ada/.venv/bin/python
error: Request failed after 3 retries in 7.2s
  cause: Failed to fetch: http://ada:lovelace@mirror.example:9/simple/small/
  cause: client error (Connect)
  cause: tcp connect error
  cause: Connection refused (os error 111)
"""
NPM_UNREACHABLE = """\
npm error code ECONNREFUSED
npm error syscall connect
npm error FetchError: request to http://127.0.0.1:9/small failed, reason: connect ECONNREFUSED 127.0.0.1:9
npm error     at ClientRequest.<anonymous> (/usr/lib/node_modules/npm/node_modules/minipass-fetch/lib/index.js:130:14)
npm error   code: 'ECONNREFUSED',
npm error }
npm error
npm error If you are behind a proxy, please make sure that the 'proxy' config is set properly.  See: 'npm help config'
npm error A complete log of this run can be found in: /home/ada/.npm/_logs/debug-0.log
"""
NPM_NO_NAME = (
    "npm error network request to https://npm.corp.example/small failed, "
    "reason: getaddrinfo ENOTFOUND npm.corp.example\n"
    "npm error network This is a problem related to network connectivity.\n"
)
NPM_NO_VERSION = """\
npm error code ETARGET
npm error notarget No matching version found for small@1.2.77.
npm error notarget In most cases you or one of your dependencies are requesting a package version that doesn't exist.
npm error A complete log of this run can be found in: /home/ada/.npm/_logs/debug-0.log
"""
PIP_NO_VERSION = """\
Looking in indexes: https://index.example/simple
ERROR: Could not find a version that satisfies the requirement small==0.1.77 (from versions: 0.1.0)
\x1b[31mERROR: No matching distribution found for small==0.1.77\x1b[0m
[notice] A new release of pip is available
"""
UV_REFUSED = (
    "error: Failed to fetch: `https://ada:lovelace@mirror.example/simple/small/`\n"
    "  Caused by: HTTP status client error (401 Unauthorized) for url (https://mirror.example/simple/small/)\n"
)


@pytest.mark.parametrize(
    ("output", "words"),
    [
        (UV_UNREACHABLE, "Connection refused (os error 111)"),
        (NPM_UNREACHABLE, "FetchError: request to <address> failed, reason: connect ECONNREFUSED <address>"),
        (NPM_NO_NAME, "request to <address> failed, reason: getaddrinfo ENOTFOUND <host>"),
        (NPM_NO_VERSION, "No matching version found for small@1.2.77."),
        (PIP_NO_VERSION, "No matching distribution found for small==0.1.77"),
        (UV_REFUSED, "HTTP status client error (401 Unauthorized) for url (<address>)"),
        ("npm error _authToken=abc123 is invalid", "<private> is invalid"),
        ("error: refused with Authorization: Bearer abc123", "refused with <private>"),
        ("error: no answer from [fd00::12:34]:443", "no answer from <address>"),
        ("error: small_weights_1/part.bin is damaged", "small_weights_1/part.bin is damaged"),
        ("", ""),
        ("hint: try again\n\n", ""),
        ("x" * 500, "x" * 199 + "…"),
    ],
)
def test_the_line_that_says_most_is_repeated_without_addresses(output: str, words: str) -> None:
    assert last_words(output) == words


@given(st.text(alphabet="abcxyz.:/-@ =", max_size=60), st.sampled_from(["https://", "http://ada:lovelace@"]))
def test_no_address_gets_through(text: str, scheme: str) -> None:
    words = last_words(f"error: {text} {scheme}mirror.example:8081/simple {text}")

    assert "mirror.example" not in words
    assert "lovelace" not in words


def run(code: str, folder: Path, *, timeout_s: float = 30) -> None:
    run_client("uv", [sys.executable, "-IS", "-c", code], folder=folder, timeout_s=timeout_s)


@pytest.mark.parametrize("output", [UV_UNREACHABLE, NPM_UNREACHABLE, NPM_NO_NAME])
def test_an_unreachable_registry_is_told_with_what_to_check(output: str, tmp_path: Path) -> None:
    with pytest.raises(SourceFailed) as caught:
        run(f"import sys; sys.exit({output!r})", tmp_path)

    assert caught.value.reason.startswith(
        "uv could not reach its registry; check the network and uv's proxy and registry settings (it says: "
    )
    assert "example" not in caught.value.reason


def test_any_other_failure_is_told_in_the_client_s_words(tmp_path: Path) -> None:
    with pytest.raises(SourceFailed, match=r"^uv failed; it says: No matching version found for small@1\.2\.77\.$"):
        run(f"import sys; sys.exit({NPM_NO_VERSION!r})", tmp_path)


def test_a_failure_without_a_word_is_told_by_its_status(tmp_path: Path) -> None:
    with pytest.raises(SourceFailed, match=r"^uv failed; exit status 3$"):
        run("import sys; sys.exit(3)", tmp_path)


def test_bytes_that_are_no_text_do_no_harm(tmp_path: Path) -> None:
    with pytest.raises(SourceFailed, match="^uv failed; it says: \ufffd broken$"):
        run(r"import sys; sys.stderr.buffer.write(b'error: \xff broken\n'); sys.exit(1)", tmp_path)


@pytest.mark.parametrize("words", ["No space left on device (os error 28)", "npm error code ENOSPC"])
def test_a_client_that_finds_the_disk_full_is_a_full_disk(words: str, tmp_path: Path) -> None:
    with pytest.raises(ClientDiskFull) as caught:
        run(f"import sys; sys.exit({words!r})", tmp_path)

    assert caught.value.errno == errno.ENOSPC


def test_a_client_that_never_ends_is_stopped(tmp_path: Path) -> None:
    with pytest.raises(SourceFailed, match=r"^uv did not finish within 0\.2 s and was stopped; check the network"):
        run("import signal; signal.pause()", tmp_path, timeout_s=0.2)


@pytest.mark.parametrize("status", [126, 127])
def test_a_stand_in_for_a_client_that_is_not_there_counts_as_absent(status: int, tmp_path: Path) -> None:
    with pytest.raises(ClientAbsent):
        run(f"import sys; sys.exit({status})", tmp_path)


def test_a_client_that_cannot_be_started_counts_as_absent(tmp_path: Path) -> None:
    with pytest.raises(ClientAbsent, match="can't be started"):
        run_client("uv", [str(tmp_path / "nowhere")], folder=tmp_path, timeout_s=1)


def test_a_client_gets_neither_our_output_nor_our_input(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    reader, writer = os.pipe()
    os.write(writer, b"what the user types")
    os.close(writer)
    own_input = os.dup(0)
    os.dup2(reader, 0)

    try:
        run("import sys; print('noise'); sys.stderr.write('noise'); sys.exit(1 if sys.stdin.read() else 0)", tmp_path)
    finally:
        os.dup2(own_input, 0)
        os.close(own_input)
        os.close(reader)

    assert capfd.readouterr() == ("", "")
