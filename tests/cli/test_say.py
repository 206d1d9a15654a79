"""``primavoce say``, as a process, with the real voice."""

import os
import re
import subprocess
import sys
import wave
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import anyio
import pytest
import soundfile
from typer.testing import CliRunner

from primavoce.audio.loudness import first_sound_s, rms_dbfs
from primavoce.cli.commands import app

SAY = [sys.executable, "-m", "primavoce", "say"]
model = pytest.mark.model


def run(*arguments: str, text: str = "") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*SAY, *arguments], input=text.encode(), capture_output=True, timeout=120, check=False)


@contextmanager
def saying(*arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen([*SAY, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        try:
            yield process
        finally:
            process.kill()


@model
@pytest.mark.timeout(180)
def test_a_slow_pipe_is_spoken_sentence_by_sentence_before_it_ends(weights_path: Path) -> None:
    with saying("--out", "-", "--format", "pcm") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"This is the first sentence. ")
        process.stdin.flush()

        first = process.stdout.read(48_000)  # a second of audio, while the pipe is open
        process.stdin.write(b"And this is the second.")
        process.stdin.close()
        rest = process.stdout.read()

    assert rms_dbfs(first) > -45
    assert (first_sound_s(first, 24_000) or 9.9) < 0.1
    assert len(rest) > 24_000


@model
@pytest.mark.timeout(180)
def test_a_file_is_a_wav_with_true_sizes(tmp_path: Path, weights_path: Path) -> None:
    out = tmp_path / "out.wav"

    done = run("Hello there.", "--out", str(out), "--voice", "bm_george", "--speed", "1.2")

    assert done.returncode == 0, done.stderr
    with wave.open(str(out)) as file:
        assert (file.getframerate(), file.getnchannels(), file.getsampwidth()) == (24_000, 1, 2)
        pcm = file.readframes(file.getnframes())
    assert rms_dbfs(pcm) > -45
    assert 0.4 < len(pcm) / 48_000 < 2.0


@model
@pytest.mark.timeout(180)
def test_captions_show_what_was_written_when_it_is_heard(tmp_path: Path, weights_path: Path) -> None:
    """The silence that was asked for lies between the two captions, in the audio as in their times."""
    out, srt, vtt = tmp_path / "out.wav", tmp_path / "out.srt", tmp_path / "out.vtt"
    text = "It costs $48.20. [pause:1s] Is **that** all?"

    done = run(text, "--out", str(out), "--srt", str(srt), "--vtt", str(vtt))

    assert done.returncode == 0, done.stderr
    times = re.findall(r"\d\d:\d\d:(\d\d,\d{3})", srt.read_text(encoding="utf-8"))
    first_ends, second_begins = (float(time.replace(",", ".")) for time in times[1:3])
    with wave.open(str(out)) as file:
        pcm = file.readframes(file.getnframes())
    assert "It costs $48.20." in srt.read_text(encoding="utf-8")
    assert "Is **that** all?" in vtt.read_text(encoding="utf-8")
    assert 0.8 < second_begins - first_ends < 1.4
    assert rms_dbfs(pcm[2 * int(24_000 * (first_ends + 0.05)) : 2 * int(24_000 * (second_begins - 0.1))]) < -50
    assert rms_dbfs(pcm[2 * int(24_000 * second_begins) : 2 * int(24_000 * (second_begins + 0.3))]) > -35


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["Hello."], "give either --out"),
        (["Hello.", "--out", "-", "--play"], "give either --out"),
        ([" ", "--out", "-"], "text is required"),
        (["Hello.", "--out", "-", "--voice", "af_hart"], "did you mean af_heart"),
        (["Hello.", "--out", "-", "--speed", "0"], "speed must be a number"),
        (["Hello.", "--out", "-", "--speed", "nan"], "speed must be a number"),
        (["Hello.", "--out", "-", "--language", "tlh"], "unknown language"),
        (["Hello.", "--out", "-", "--format", "aac"], "format must be one of"),
        (["Hello.", "--out", "-", "--sample-rate", "11025"], "sample_rate must be one of"),
        (["Hello.", "--out", "x.opus", "--sample-rate", "44100"], "sample_rate must be one of 8000, 16000, 24000"),
        (["Hello.", "--out", "x.ulaw", "--sample-rate", "24000"], "sample_rate must be one of 8000"),
        (["Hello.", "--play", "--format", "mp3"], "takes neither --format"),
        (["Hello.", "--out", "-", "--tables", "sing"], "tables"),
        (["Hello.", "--out", "-", "--vocoder", "fast"], "--vocoder: must be one of auto, stream, whole"),
        (["Hello.", "--out", "-", "--vocoder", "auto,nobody=whole"], "--vocoder: unknown voice"),
        (["Hello.", "--out", "-", "--url", "ws://127.0.0.1:9", "--vocoder", "whole"], "--vocoder: the running server"),
        (["Hello.", "--out", "-", "--lexicon", "nowhere.toml"], "nowhere.toml"),
        (["Hello.", "--out", "-", "--srt", "nowhere/x.srt"], "can't write nowhere"),
        (["Hello.", "--out", "x.wav", "--url", "ws://127.0.0.1:9"], "could not open a session"),
        (["Hello.", "--out", "x.wav", "--url", "127.0.0.1:9"], "--url: must begin with ws://"),
    ],
)
def test_what_cannot_be_said_is_told_in_one_sentence_with_status_1(arguments: list[str], told: str) -> None:
    done = CliRunner().invoke(app, ["say", *arguments])

    assert (done.exit_code, done.stdout) == (1, "")
    assert told in done.stderr
    assert done.stderr.startswith("primavoce: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.anyio
async def test_a_running_server_speaks_standard_input(serving) -> None:
    async with serving() as server:
        command = [*SAY, "--out", "-", "--format", "pcm", "--url", server.address]
        async with await anyio.open_process(command) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            await process.stdin.send(b"One moment. And")
            with anyio.fail_after(20):
                first = await process.stdout.receive()
            await process.stdin.send(" caf\u00e9".encode()[:-1])  # half a letter is held until the rest comes
            await process.stdin.send("\u00e9.".encode()[1:])
            await process.stdin.aclose()
            rest = b"".join([piece async for piece in process.stdout])
            status = await process.wait()

    assert status == 0
    assert first
    assert rest


@pytest.mark.anyio
async def test_whoever_waits_at_a_terminal_sees_the_steps_and_nobody_else_does(serving, tmp_path: Path) -> None:
    out = tmp_path / "out.wav"
    terminal, end = os.openpty()
    async with serving() as server:
        command = [*SAY, "Hello there.", "--out", str(out), "--url", server.address]
        await anyio.run_process(command, stderr=end)
        elsewhere = await anyio.run_process(command)
    os.close(end)
    with os.fdopen(terminal, "rb", buffering=0) as file:
        lines = re.sub(r"\x1b\[\d*m", "", file.read(65_536).decode()).splitlines()

    assert lines[0] == f"· opening a session with {server.address}"
    assert lines[1] == "· speaking with af_heart"
    assert re.fullmatch(rf"· {out}: \d\.\d s of audio", lines[2])
    assert len(lines) == 3
    assert (elsewhere.stdout, elsewhere.stderr) == (b"", b"")


@pytest.mark.anyio
async def test_standard_input_that_is_no_utf_8_is_told(serving) -> None:
    async with serving() as server:
        done = await anyio.run_process([*SAY, "--out", "-", "--url", server.address], input=b"One.\xff", check=False)

    assert done.returncode == 1
    assert b"not valid UTF-8" in done.stderr


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("suffix", "rate"),
    [(".wav", 24_000), (".mp3", 24_000), (".opus", 24_000), (".ogg", 24_000), (".flac", 24_000), (".FLAC", 24_000)],
)
async def test_the_name_of_the_file_says_its_format_and_its_length_is_true(
    serving, tmp_path: Path, suffix: str, rate: int
) -> None:
    plain, out = tmp_path / "plain.pcm", tmp_path / f"out{suffix}"
    async with serving() as server:
        for path in (plain, out):
            await anyio.run_process([*SAY, "Good morning.", "--out", str(path), "--url", server.address])

    seconds = plain.stat().st_size / 48_000
    with soundfile.SoundFile(out) as file:
        assert file.samplerate == rate
        samples = file.read(dtype="int16")
    assert samples.size / rate == pytest.approx(seconds, abs=0.15 if suffix == ".mp3" else 1e-9)


@pytest.mark.anyio
@pytest.mark.parametrize("text", ["One.", "One, two.", "One, two, three.", "Four and five and six."])
async def test_a_flac_of_any_length_can_be_read_to_its_end(serving, tmp_path: Path, text: str) -> None:
    plain, out = tmp_path / "plain.pcm", tmp_path / "out.flac"
    how = ["--sample-rate", "44100", "--url"]
    async with serving() as server:
        for path in (plain, out):
            await anyio.run_process([*SAY, text, "--out", str(path), *how, server.address])

    assert soundfile.read(out)[0].size == plain.stat().st_size // 2


@pytest.mark.anyio
@pytest.mark.parametrize(("name", "more"), [("out.ulaw", []), ("out", ["--format", "alaw"])])
async def test_telephones_get_8_khz(serving, tmp_path: Path, name: str, more: list[str]) -> None:
    plain, telephone = tmp_path / "plain.pcm", tmp_path / name
    async with serving() as server:
        for path, asked in ((plain, ["--sample-rate", "8000"]), (telephone, more)):
            await anyio.run_process([*SAY, "Good morning.", "--out", str(path), *asked, "--url", server.address])

    assert telephone.stat().st_size * 2 == plain.stat().st_size > 8000


@model
@pytest.mark.timeout(180)
@pytest.mark.parametrize("arguments", [["--out", "{}/out.flac"], ["--out", "{}/out.opus", "--sample-rate", "48000"]])
def test_in_this_process_every_format_is_spoken_too(tmp_path: Path, weights_path: Path, arguments: list[str]) -> None:
    arguments = [each.format(tmp_path) for each in arguments]

    done = run("Hello there.", *arguments)

    assert done.returncode == 0, done.stderr
    samples, rate = soundfile.read(arguments[1], dtype="int16")
    assert rate == (48_000 if "--sample-rate" in arguments else 24_000)
    assert 0.4 < samples.size / rate < 2.5
    assert rms_dbfs(samples.tobytes()) > -45


@model
@pytest.mark.timeout(180)
def test_what_is_piped_is_encoded_as_it_comes(weights_path: Path) -> None:
    with saying("--out", "-", "--format", "mp3") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"This is the first sentence. ")
        process.stdin.flush()

        first = process.stdout.read(4000)  # half a second, while the pipe is open
        process.stdin.close()

    assert len(first) == 4000
