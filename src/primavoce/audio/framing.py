"""PCM cut into frames that nobody can take for a message.

A receiver that can't see frame types takes a frame for a message if the whole of it parses as a JSON object. Any two
bytes are a sample, so PCM may well do that; a frame that does is never emitted.
"""

import json

FRAME_BYTES = 32 * 1024
"""The largest frame; also fits the frames of Amazon Bedrock AgentCore."""
WHITE = b" \t\n\r"
"""JSON's white space."""


def is_json_object(frame: bytes) -> bool:
    """Say whether the whole of ``frame`` parses as a JSON object in UTF-8."""
    if not frame.lstrip(WHITE).startswith(b"{"):
        return False  # nearly every frame of audio ends here
    try:
        return isinstance(json.loads(frame.decode()), dict)
    except (ValueError, RecursionError):
        return False


class Framer:
    """Re-cuts PCM of any length into frames of whole samples, none of which is a JSON object.

    Args:
        frame_bytes: The largest frame.
        sample_width: Bytes a sample.

    What is pushed comes back at once, but for a sample whose second half is missing, and for an empty JSON object
    that has to be joined with what follows it.
    """

    def __init__(self, *, frame_bytes: int = FRAME_BYTES, sample_width: int = 2) -> None:
        if frame_bytes < 2 * sample_width or frame_bytes % sample_width:
            raise ValueError("a frame must hold at least two samples, and whole ones")
        self._frame_bytes = frame_bytes
        self._width = sample_width
        self._held = b""

    def push(self, pcm: bytes) -> list[bytes]:
        """Take ``pcm`` and return every frame that is now complete."""
        pcm = self._held + pcm
        whole = len(pcm) // self._width * self._width
        frames: list[bytes] = []
        start = 0
        while start < whole:
            size = self._cut(pcm[start : min(whole, start + self._frame_bytes)])
            if size:
                frames.append(pcm[start : start + size])
            elif whole - start < self._frame_bytes:
                break
            else:  # a whole frame of white space round an empty object
                size = self._frame_bytes - self._width
                frames.append(pcm[start : start + size] + bytes(self._width))
            start += size
        self._held = pcm[start:]
        return frames

    def flush(self) -> list[bytes]:
        """Return what was held back, and start afresh.

        An empty JSON object that nothing follows gets one sample of silence after it: no cut makes it anything else.
        Half a sample at the end is no audio and is left out.
        """
        held, self._held = self._held[: len(self._held) // self._width * self._width], b""
        return [held + bytes(self._width)] if held else []

    def _cut(self, frame: bytes) -> int:
        """Return how much of ``frame`` may go: the most that is no JSON object; 0 if all of it has to wait."""
        if not is_json_object(frame):
            return len(frame)
        # Cut behind its first brace, an object is not closed; only one without content can be closed by then.
        first = (frame.index(b"{") // self._width + 1) * self._width
        sizes = range(first, len(frame), self._width)
        return next((size for size in sizes if not is_json_object(frame[:size])), 0)
