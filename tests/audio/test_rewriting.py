"""Going back in a file to set right what wasn't known when it was begun."""

import io
import os
from pathlib import Path

import pytest

from primavoce.audio.rewriting import beginning
from primavoce.audio.wav import HEADER_BYTES, WavWriter, header, streaming_header

PCM = b"\1\0" * 50


@pytest.mark.parametrize("before", [b"", b"something that is not ours"])
def test_a_wav_begins_where_its_file_stands(tmp_path: Path, before: bytes) -> None:
    with (tmp_path / "out").open("wb") as file:
        file.write(before)
        writer = WavWriter(file, 24_000)
        writer.write(PCM)
        writer.close()

    assert (tmp_path / "out").read_bytes() == before + header(len(PCM), 24_000) + PCM


def test_what_is_appended_keeps_its_length_open_and_gets_nothing_behind_it(tmp_path: Path) -> None:
    (tmp_path / "out").write_bytes(b"before")
    with (tmp_path / "out").open("ab") as file:
        writer = WavWriter(file, 24_000)
        writer.write(PCM)
        writer.close()

    written = (tmp_path / "out").read_bytes()
    assert written == b"before" + streaming_header(24_000) + PCM
    assert len(written) == 6 + HEADER_BYTES + len(PCM)


def test_a_pipe_has_no_way_back_and_memory_has() -> None:
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb"), os.fdopen(writing, "wb") as pipe:
        assert beginning(pipe) is None
    assert beginning(io.BytesIO()) == 0
