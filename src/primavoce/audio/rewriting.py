"""Going back in a file to set right what wasn't known when it was begun."""

import io
import os
from typing import BinaryIO


def beginning(file: BinaryIO) -> int | None:
    """Return where what is written to ``file`` from now on begins, for who goes back to it at the end.

    None if nobody can: a pipe goes only on, and what is opened for appending is written to its end wherever one seeks.
    """
    if not file.seekable():
        return None
    try:
        import fcntl

        appends = bool(fcntl.fcntl(file.fileno(), fcntl.F_GETFL) & os.O_APPEND)
    except (ImportError, io.UnsupportedOperation):  # not on Windows; not of a file in memory
        appends = False
    return None if appends else file.tell()
