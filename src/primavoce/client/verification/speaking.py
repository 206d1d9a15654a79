"""Checks of speech: one sentence looked at from all sides, then utterances whose text comes bit by bit."""

from primavoce.audio.loudness import first_sound_s, rms_dbfs
from primavoce.client.verification.conversation import CheckFailed, Conversation, Spoken, describe
from primavoce.client.verification.pace import Pace, check_same_words
from primavoce.protocol.client import Audio
from primavoce.protocol.messages import SynthesisStart

FIRST_SENTENCE = "Good morning, this is a short check of the voice."
DELTAS = (
    "And here is the second sentence on t",
    "he same connection, which comes in o",
    "ne piece and then once more in bits",
)
"""A third of the words each, so that none can get lost without being missed; and there is no stop at the end."""
SECOND_SENTENCE = "".join(DELTAS) + "."
BEFORE_THE_FLUSH = "Wait a moment please, and let me look that up for you"
AFTER_IT = (
    ". Here it is, the train to the coast leaves at nine from the second platform and stops in several towns on the "
    "way, so that it gets there early in the afternoon."
)
"""Long beside what comes before the flush, whose length is known by its text alone."""
QUIETEST_DBFS = -45.0
"""Speech of this model has about −25 dBFS; below this level nobody hears it."""


class FirstSentence:
    """One sentence, heard to its end over several checks.

    Args:
        talk: Nothing was said in it yet.
    """

    def __init__(self, talk: Conversation) -> None:
        self._talk = talk
        self._id = ""
        self._spoken = Spoken()
        self._pace: Pace | None = None

    @property
    def pace(self) -> Pace:
        """The server's own, once it is known how long the sentence lasts."""
        assert self._pace is not None
        return self._pace

    async def takes_a_binary_frame(self) -> str:
        """A request in a binary frame is taken: SageMaker delivers untyped parts so."""
        self._id = await self._talk.request(FIRST_SENTENCE, binary=True)
        event = await self._talk.next("synthesis_start")
        if not isinstance(event, SynthesisStart):
            raise CheckFailed(f"a request in a binary frame was answered by {describe(event)}")
        self._spoken.start = event
        return f"{event.format}, {event.sample_rate} Hz, {event.channels} channel"

    async def sends_audio(self) -> str:
        """Audio follows the start."""
        event = await self._talk.next("audio")
        if not isinstance(event, Audio):
            raise CheckFailed(f"synthesis_start was followed by {describe(event)}")
        self._spoken.take(event.pcm)
        return f"{len(event.pcm)} bytes first"

    async def completes(self) -> str:
        """The audio has an end."""
        complete = await self._talk.completion(self._spoken, self._id)
        return f"{complete.total_duration_s:.2f} s announced"

    async def lasts(self) -> str:
        """There is as much of it as was announced, and as the text takes."""
        self._pace = Pace.of(self._spoken.audio_s, FIRST_SENTENCE)
        await self._talk.spoken(self._id, self._spoken)
        return f"{self._spoken.audio_s:.2f} s for {len(FIRST_SENTENCE)} characters"

    async def sounds(self) -> str:
        """It is no silence."""
        assert self._spoken.start is not None
        pcm = bytes(self._spoken.pcm)
        level, sound = rms_dbfs(pcm), first_sound_s(pcm, self._spoken.start.sample_rate)
        if sound is None or level < QUIETEST_DBFS:
            raise CheckFailed(f"the audio is silence ({level:.0f} dBFS)")
        return f"{level:.0f} dBFS, first sound at {sound:.2f} s"


class SecondSentence:
    """The same words twice: in one piece, then in deltas.

    Args:
        talk: Where they are spoken.
        first: What was spoken before.
    """

    def __init__(self, talk: Conversation, first: FirstSentence) -> None:
        self._talk = talk
        self._first = first
        self._whole_s = 0.0

    async def speaks(self) -> str:
        """One connection carries more than one utterance."""
        spoken = await self._talk.spoken(await self._talk.request(SECOND_SENTENCE))
        self._whole_s = spoken.audio_s
        return self._first.pace.check(spoken.audio_s, SECOND_SENTENCE)

    async def ends(self) -> str:
        """Text that comes in deltas is spoken whole, with or without a stop at its end."""
        first, *others = DELTAS
        request_id = await self._talk.begin(first)
        for delta in others:
            await self._talk.add(delta, request_id)
        await self._talk.end(request_id)
        spoken = await self._talk.spoken(request_id)
        check_same_words(spoken.audio_s, self._whole_s)
        return f"{len(DELTAS)} deltas, {spoken.audio_s:.2f} s, and {self._whole_s:.2f} s in one piece"


async def speaks_at_a_flush(talk: Conversation, first: FirstSentence) -> str:
    """What was sent before a flush is spoken while the utterance is open, and the rest after it."""
    pace = first.pace
    request_id, spoken = await talk.hold_the_turn(BEFORE_THE_FLUSH)
    await talk.audio(
        spoken, request_id, least_s=pace.least_s(BEFORE_THE_FLUSH), waiting_for="more audio of what was flushed"
    )
    await talk.add(AFTER_IT, request_id)
    await talk.end(request_id)
    await talk.spoken(request_id, spoken)
    # What was flushed may have been on the way still when the rest was sent: its share is told by its text.
    told = pace.check(spoken.audio_s - pace.takes_s(BEFORE_THE_FLUSH), AFTER_IT)
    return f"spoken before its end, and the rest after it: {told}"
