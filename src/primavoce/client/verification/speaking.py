"""Checks of speech: one sentence looked at from all sides, then utterances whose text comes bit by bit."""

from primavoce.audio.loudness import first_sound_s, rms_dbfs
from primavoce.client.verification.conversation import CheckFailed, Conversation, Spoken, check_length, describe
from primavoce.protocol.client import Audio
from primavoce.protocol.messages import SynthesisStart

FIRST_SENTENCE = "Good morning, this is a short check of the voice."
SECOND_SENTENCE = "And this is the second sentence on the same connection."
DELTAS = ("The text comes in bits, it brea", "ks off anywhere, and there is no", " stop at the end")
BEFORE_THE_FLUSH, AFTER_IT = "Wait a moment, let me look that up", ". Here it is, the train leaves at nine."
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
        self._spoken.pcm += event.pcm
        return f"{len(event.pcm)} bytes first"

    async def completes(self) -> str:
        """The audio has an end."""
        complete = await self._talk.completion(self._spoken, self._id)
        return f"{complete.total_duration_s:.2f} s announced"

    async def lasts(self) -> str:
        """There is as much of it as was announced, and as the text takes."""
        told = check_length(self._spoken, FIRST_SENTENCE)
        await self._talk.spoken(self._id, self._spoken)
        return told

    async def sounds(self) -> str:
        """It is no silence."""
        assert self._spoken.start is not None
        pcm = bytes(self._spoken.pcm)
        level, sound = rms_dbfs(pcm), first_sound_s(pcm, self._spoken.start.sample_rate)
        if sound is None or level < QUIETEST_DBFS:
            raise CheckFailed(f"the audio is silence ({level:.0f} dBFS)")
        return f"{level:.0f} dBFS, first sound at {sound:.2f} s"


async def speaks_again(talk: Conversation) -> str:
    """One connection carries more than one utterance."""
    spoken = await talk.spoken(await talk.request(SECOND_SENTENCE))
    return f"{spoken.audio_s:.2f} s"


async def ends_an_utterance(talk: Conversation) -> str:
    """Text that comes in deltas is spoken whole, with or without a stop at its end."""
    first, *others = DELTAS
    request_id = await talk.begin(first)
    for delta in others:
        await talk.add(delta, request_id)
    await talk.end(request_id)
    told = check_length(await talk.spoken(request_id), "".join(DELTAS))
    return f"{len(DELTAS)} deltas, {told}"


async def speaks_at_a_flush(talk: Conversation) -> str:
    """What was sent before a flush is spoken while the utterance is open, and the rest after it."""
    spoken = Spoken()
    request_id = await talk.begin(BEFORE_THE_FLUSH)
    await talk.flush(request_id)
    await talk.first_audio(spoken, request_id, waiting_for="audio after a flush")
    await talk.add(AFTER_IT, request_id)
    await talk.end(request_id)
    check_length(await talk.spoken(request_id, spoken), BEFORE_THE_FLUSH + AFTER_IT)
    return "spoken before its end, and the rest after it"
