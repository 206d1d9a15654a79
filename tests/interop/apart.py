"""A script in an environment of its own: other projects bring more along than ours may ask for."""

import sys
from collections.abc import Sequence
from pathlib import Path

import anyio


async def run_apart(script: str, *arguments: str, packages: Sequence[str]) -> str:
    """Run a script of this folder to its end, and return what it printed.

    Args:
        script: Its name.
        arguments: Its own.
        packages: Requirements that its environment has; fetched on first use.
    """
    needed = [option for package in packages for option in ("--with", package)]
    environment = ["--isolated", "--no-project", "--python", sys.executable, *needed]
    command = ["uv", "run", "--quiet", *environment, "python", str(Path(__file__).with_name(script)), *arguments]
    done = await anyio.run_process(command, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()
