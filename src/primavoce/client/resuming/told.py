"""Which segments of an utterance its client is told of, and with what times, however often they are spoken. Pure."""

from collections.abc import Callable, Sequence

from msgspec import structs

from primavoce.protocol.messages import SegmentSpoken, WordSpoken


class ToldSegments:
    """Those of one utterance, each part of whose text is told of once.

    When a segment is heard may not be known when it begins: while it isn't known from where on its session's audio is
    let through, and of one whose beginning was told of before, until its words come. Until then it waits.
    """

    def __init__(self) -> None:
        self.count = 0
        """Segments that were told of."""
        self.until = 0
        """Characters of the text that they are."""
        self._waiting: list[SegmentSpoken] = []
        self._start_s = 0.0

    def begin(self, segment: SegmentSpoken) -> None:
        """Take a segment that begins, with its place in all of the text, unless there is nothing new in it."""
        if segment.end > self.until:
            self._waiting.append(segment)

    @property
    def are_clear(self) -> bool:
        """Whether those that wait begin where nothing was told of, so that they are heard when they begin."""
        return all(segment.start >= self.until for segment in self._waiting)

    def forget(self) -> None:
        """Forget those that wait: their session has ended."""
        self._waiting.clear()

    def tell(
        self, text: str, *, when: Callable[[float], float], words: Sequence[WordSpoken] = ()
    ) -> list[SegmentSpoken]:
        """Return those that wait as the client is to be told of them.

        Args:
            text: All of it.
            when: Returns when in what is delivered a time of their session's audio is heard.
            words: Those of the last one, with their times in what is delivered, if they are known.
        """
        told = []
        for segment in self._waiting:
            start, start_s, said = segment.start, when(segment.start_s), segment.text
            if start < self.until:
                start, said = self.until, text[self.until : segment.end]
                last_s = words[-1].end_s if words else start_s
                start_s = next((word.start_s for word in words if word.start >= start), last_s)
            self._start_s = max(self._start_s, start_s)
            told.append(structs.replace(segment, index=self.count, text=said, start=start, start_s=self._start_s))
            self.count, self.until = self.count + 1, segment.end
        self._waiting.clear()
        return told
