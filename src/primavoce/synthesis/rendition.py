"""One segment being made: begun once, then part by part, on the model's thread."""

import logging
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from primavoce.errors import PrimavoceError, SynthesisFailed
from primavoce.kokoro.windows import FRAMES_A_SECOND, MOST_FRAMES
from primavoce.phonemes.alphabet import encode
from primavoce.synthesis.renderer import Renderer
from primavoce.synthesis.segment import Rendering, RenderRequest, Segment
from primavoce.synthesis.together import Joint
from primavoce.synthesis.tools import Notice, Tools, Voicing, notice_nothing
from primavoce.synthesis.word_times import without_silence, word_times
from primavoce.text.timing import SegmentTime

DURATION_TOLERANCE_S = 0.001
LONGEST_PART_S = MOST_FRAMES / FRAMES_A_SECOND
"""Seconds of audio of the largest part of a segment that isn't one part whole."""

log = logging.getLogger("primavoce.synthesis")


@dataclass(frozen=True, slots=True)
class Part:
    """What came of one part."""

    pcm: bytes
    """May be empty: silence is held back."""
    made_s: float
    """Seconds of audio that the model made, silence included."""
    work_s: float
    """Seconds that it took, of what was done for others, too, all of it."""


class Rendition:
    """A segment being made; `begin` and `next` are blocking, for the model's thread.

    Args:
        segment: What is spoken.
        tools: What all utterances share.
        voicing: How it is to sound.
        renderer: The utterance's.
        part_s: Tells how many seconds of audio the next part may have.
        notice: Told when it is begun, and when its first part is made.
    """

    def __init__(
        self,
        segment: Segment,
        tools: Tools,
        voicing: Voicing,
        renderer: Renderer,
        part_s: Callable[[], float],
        notice: Notice = notice_nothing,
    ) -> None:
        self._notice = notice
        self._segment = segment
        self._tools = tools
        self._voicing = voicing
        self._renderer = renderer
        self._part_s = part_s
        self._until_s = 0.0
        self._rendering: Rendering | None = None
        self._made_s = self._heard_s = self._work_s = 0.0

    def begin(self, *, checked: bool, first: bool) -> Part | None:
        """Do what must see the segment whole, and make its first part if ``first``.

        Args:
            checked: Whether the outcome will be checked: `check` then does it.
            first: Whether the first part is made at once; else the caller asks for it.

        Raises:
            SynthesisFailed: the model failed.
        """
        segment, voicing = self._segment, self._voicing
        with self._told():
            self._renderer.begin(pause_before_s=segment.pause_before_s)
            style = self._tools.styles.style(voicing.voice, len(segment.phonemes))
            request = RenderRequest(
                ids=encode(segment.phonemes),
                style=style,
                voice=voicing.voice.name,
                speed=voicing.speed,
                owner=voicing.owner,
                part_s=self._part_s,
                checked=checked,
            )
            self._rendering = self._tools.model.render(request)
        self._notice("prosody")
        return self.next(None) if first else None

    @property
    def check(self) -> Callable[[], None] | None:
        """Compares what was made with a better way of making it, once all of it is there; None if nothing does."""
        return None if self._rendering is None else self._rendering.check

    def joint(self) -> Joint:
        """Return what of the next part may be made together with others'."""
        assert self._rendering is not None
        return Joint(self._rendering)

    def next(self, joint: Joint | None) -> Part | None:
        """Make the next part; None when there is none.

        Args:
            joint: What was made of it beforehand.

        Raises:
            SynthesisFailed: the model failed.
        """
        assert self._rendering is not None
        began = self._tools.clock()
        with self._told():
            samples = next(self._rendering.parts, None)
            if samples is None:
                return None
            pcm = self._renderer.push(samples)
        work_s = self._tools.clock() - began + (0.0 if joint is None else joint.took_s)
        return Part(pcm, samples.size / self._tools.model.sample_rate, work_s)

    @property
    def expected_first_s(self) -> float:
        """Seconds that `begin` is likely to take, by the measured speed."""
        return self._tools.scheduler.pace.first_s(len(self._segment.phonemes))

    @property
    def expected_next_s(self) -> float:
        """Seconds that `next` is likely to take at most, by the measured speed."""
        rendering = self._rendering
        longest_s = sum(rendering.durations_s) if rendering is not None and rendering.whole else LONGEST_PART_S
        return self._tools.scheduler.pace.part_s(longest_s)

    def note(self, part: Part | None, work_s: float) -> None:
        """Have the model's measured speed know of a piece of work.

        Args:
            part: What came of it, if that was a part.
            work_s: Seconds that it took, its own share of what was done for others, too.
        """
        self._work_s += work_s
        self._heard_s += 0.0 if part is None else self._lasts_s(part.pcm)
        if part is None or (self._rendering is not None and self._rendering.repeated):
            return
        pace = self._tools.scheduler.pace
        pace.note_part(part.made_s, part.work_s)
        if not self._made_s:
            self._notice("window")
            pace.note_first(len(self._segment.phonemes), self._work_s)
        self._made_s += part.made_s

    def end(self) -> bytes:
        """Return what was held back, once there are no more parts.

        Raises:
            SynthesisFailed: it can't be.
        """
        with self._told():
            pcm = self._renderer.end(until_s=self._until_s)
        self._heard_s += self._lasts_s(pcm)
        if self._rendering is not None and not self._rendering.repeated:
            self._tools.scheduler.pace.note_segment(self._heard_s, self._work_s)
        return pcm

    def beginning(self) -> SegmentTime:
        """Return what is known of the segment now that its sound begins; its words will last as long as told."""
        assert self._rendering is not None
        segment, renderer, durations_s = self._segment, self._renderer, self._rendering.durations_s
        # Where the sound ends is known once all of it is there; of a segment in parts, it isn't yet.
        whole = renderer.pushed_s >= sum(durations_s) - DURATION_TOLERANCE_S
        words = word_times(
            segment.words,
            durations_s if whole else without_silence(segment, durations_s),
            origin_s=renderer.origin_s,
            from_s=renderer.sound_begins_s,
            until_s=renderer.sound_ends_s if whole else math.inf,
        )
        if words:
            self._until_s = words[-1].end_s
        return SegmentTime(segment.start, segment.end, renderer.sound_begins_s, words)

    def _lasts_s(self, pcm: bytes) -> float:
        return len(pcm) / 2 / self._voicing.sample_rate

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Tell the log what the model's errors are, and nobody else."""
        try:
            yield
        except PrimavoceError:
            raise
        except Exception as error:
            log.exception("the model failed on a segment of %d phonemes", len(self._segment.phonemes))
            raise SynthesisFailed from error
