"""Other programs that are run: docker, cdk, node. Their output is passed on as it comes."""

import os
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from primavoce.aws.names import Names
from primavoce.errors import StepFailed

type OnLine = Callable[[str], None]
"""Told of each line of output."""

TAIL_LINES = 15
"""Lines of a program's output that are shown when it fails."""
LEAVE_S = 10.0
"""Seconds that an interrupted program has to end by itself."""


@dataclass(frozen=True, slots=True)
class Completed:
    """A program that has ended."""

    status: int
    output: str
    """Standard output; and standard error, in the order in which both came."""


class Commands(Protocol):
    """Runs programs."""

    def run(self, argv: Sequence[str], *, stdin: str | None = None, folder: Path | None = None) -> Completed:
        """Run ``argv`` to its end, whatever its status.

        Raises:
            FileNotFoundError: there is no such program.
        """


@dataclass(slots=True)
class LocalCommands:
    """Runs programs on this machine.

    Args:
        on_line: Told of each line of output.
        environ: Their environment.
        leave_s: Seconds that an interrupted one has to end by itself.
    """

    on_line: OnLine = field(default=lambda _: None)
    environ: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    leave_s: float = LEAVE_S

    def run(self, argv: Sequence[str], *, stdin: str | None = None, folder: Path | None = None) -> Completed:
        """Run ``argv`` to its end. What is given on ``stdin`` appears nowhere else.

        Raises:
            FileNotFoundError: there is no such program.
        """
        lines: list[str] = []
        with subprocess.Popen(
            argv,
            stdin=subprocess.DEVNULL if stdin is None else subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            cwd=folder,
            env=dict(self.environ),
        ) as program:
            assert program.stdout is not None
            try:
                if stdin is not None and program.stdin is not None:
                    # On a thread: who writes much before it reads would wait for us as we wait for it.
                    threading.Thread(target=_feed, args=(program, stdin), daemon=True).start()
                for line in program.stdout:
                    lines.append(line)
                    self.on_line(line.rstrip())
            except KeyboardInterrupt:
                # A terminal has told the program, too; what it began elsewhere goes on by itself. Whoever says much on
                # leaving would wait for ever for somebody to read it.
                threading.Thread(target=_drain, args=(os.dup(program.stdout.fileno()),), daemon=True).start()
                _let_end(program, self.leave_s)
                raise
        return Completed(program.returncode, "".join(lines))


def _feed(program: "subprocess.Popen[str]", text: str) -> None:
    assert program.stdin is not None
    try:
        with program.stdin:
            program.stdin.write(text)
    except BrokenPipeError:
        pass  # it didn't want to read: its status tells why


def _drain(output: int) -> None:
    """Read a descriptor of our own to its end: the program's may be closed while a process that it left goes on."""
    with open(output, "rb", buffering=0) as rest:
        while rest.read(65536):
            pass


def _let_end(program: "subprocess.Popen[str]", leave_s: float) -> None:
    try:
        program.wait(leave_s)
    except subprocess.TimeoutExpired:
        program.send_signal(signal.SIGTERM)
        try:
            program.wait(leave_s)
        except subprocess.TimeoutExpired:
            program.kill()


def run_step(
    commands: Commands,
    names: Names,
    step: str,
    argv: Sequence[str],
    *,
    stdin: str | None = None,
    folder: Path | None = None,
    remedy: str = "",
) -> str:
    """Run ``argv`` as a step, and return its output.

    Raises:
        StepFailed: there is no such program, or it failed.
    """
    try:
        done = commands.run(argv, stdin=stdin, folder=folder)
    except FileNotFoundError as error:
        told = f"there is no program {argv[0]!r} here"
        raise StepFailed(step, told, f"run `{names.with_prefix('check')}`") from error
    if done.status != 0:
        last = "\n".join(done.output.splitlines()[-TAIL_LINES:])
        raise StepFailed(step, f"`{_named(argv)} …` ended with status {done.status}:\n{last}", remedy)
    return done.output


def _named(argv: Sequence[str]) -> str:
    """Return how a command begins, in words that tell which it is: without a configuration that is gone by then."""
    words = (argv[0], *argv[3:]) if argv[1:2] and argv[1] == "--config" else argv
    return " ".join(words[:3])


@contextmanager
def left_by_signals() -> Iterator[None]:
    """Let whoever ends this process, or closes its terminal, end the block as Ctrl-C does, and clear away."""
    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    here = threading.current_thread() is threading.main_thread()  # elsewhere, Python takes none
    # One that is overheard on purpose, as nohup has it, or has a handler already, is left alone.
    ours = [each for each in numbers if here and signal.getsignal(each) is signal.SIG_DFL]
    try:
        for each in ours:
            signal.signal(each, _leave)
        yield
    finally:
        for each in ours:
            signal.signal(each, signal.SIG_DFL)


def _leave(*_: object) -> None:
    raise KeyboardInterrupt


def asked(commands: Commands, *argv: str) -> Completed | None:
    """Return what ``argv`` says; `None` where there is no such program."""
    try:
        return commands.run(argv)
    except OSError:
        return None
