"""Checks of what an agent steers by: cancels, errors, signs of life, the end."""

from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode

from primavoce.client.verification.conversation import CheckFailed, Conversation, Ending, Spoken, describe
from primavoce.client.verification.pace import Pace
from primavoce.client.verification.speaking import FirstSentence
from primavoce.protocol.messages import Cancel, Cancelled, Error, Pong, SessionComplete, SynthesisComplete

LINES = tuple(f"This is line {number} of a text that nobody will hear to its end." for number in range(1, 41))
"""Some three minutes of speech: no server should have sent all of it before a cancel reaches it."""
FEW_LINES = LINES[:3]
"""For a server that takes no long text."""
MOST_ASTRAY_S = 0.7
"""A frame of 32 KiB: it may be counted and then not sent, or sent and counted a moment too late."""
MOST_CHARACTERS = 200_001
FIRST_WORD = "Well,"
LAST_WORDS = "and whoever has read the whole of it knows these words, for they are the very last ones of all."
TOO_LONG_TEXT = FIRST_WORD + LAST_WORDS.rjust(MOST_CHARACTERS - len(FIRST_WORD))
"""White space for the most part: a server that takes it, or cuts it off, is done with it soon."""
TOO_LONG = ("text_too_long", "message_too_large")


async def cancels(talk: Conversation) -> str:
    """A cancel is acknowledged with what was sent, and not a byte of the utterance follows."""
    request_id, spoken = await _speak_for_long(talk)
    await talk.send(Cancel(request_id))
    ending = await talk.ending(spoken, request_id, waiting_for="cancelled")
    if not isinstance(ending, Cancelled):
        raise CheckFailed(f"{describe(ending)} came instead of cancelled, after {spoken.audio_s:.2f} s of audio")
    if abs(spoken.audio_s - ending.audio_sent_s) > MOST_ASTRAY_S:
        raise CheckFailed(f"{spoken.audio_s:.2f} s of audio came, but {ending.audio_sent_s:.2f} s were told")
    await talk.still_speaks()  # audio that goes on would come before this, or make it too long
    return f"after {spoken.audio_s:.2f} s of audio, and none came after it"


async def _speak_for_long(talk: Conversation) -> tuple[str, Spoken]:
    """Have something spoken that isn't over when a cancel comes, and read until there is audio of it."""
    spoken = Spoken()
    request_id = await talk.request(" ".join(LINES))
    try:
        await talk.audio(spoken, request_id)
    except CheckFailed:
        if not (isinstance(spoken.ending, Error) and spoken.ending.code in TOO_LONG and not spoken.ending.fatal):
            raise
        # A short text might be over before the cancel comes, unless there may be more of it.
        return await talk.hold_the_turn(" ".join(FEW_LINES))
    return request_id, spoken


async def survives(talk: Conversation) -> str:
    """A message that is none gets an error, and the session goes on."""
    await talk.send("this is no JSON")
    return await _refused(talk, "a bad message")


async def knows_no_strange_id(talk: Conversation) -> str:
    """A cancel of what isn't there gets an error, and the session goes on."""
    await talk.send(Cancel("verify-unknown"))
    return await _refused(talk, "a cancel of an unknown id", codes=("unknown_request",))


async def refuses_what_is_too_long(talk: Conversation, first: FirstSentence) -> str:
    """A very long text is refused or spoken to its last word; none is cut off in silence."""
    spoken = Spoken()
    try:
        request_id = await talk.request(TOO_LONG_TEXT)
        ending = await talk.ending(spoken, request_id, waiting_for=f"answer to {MOST_CHARACTERS:,} characters")
    except ConnectionClosed as error:
        if error.rcvd is None or error.rcvd.code != CloseCode.MESSAGE_TOO_BIG:
            raise
        raise CheckFailed(f"{MOST_CHARACTERS:,} characters ended the session with {error.rcvd.code:d}") from error
    told = _judge_long(ending, spoken.audio_s, first.pace)
    await talk.still_speaks()
    return told


def _judge_long(ending: Ending, audio_s: float, pace: Pace) -> str:
    match ending:
        case SynthesisComplete() if audio_s < pace.least_s(LAST_WORDS):
            raise CheckFailed(f"{MOST_CHARACTERS:,} characters were cut off after {audio_s:.2f} s, and nobody was told")
        case SynthesisComplete():
            return f"took {MOST_CHARACTERS:,} characters, and spoke them to the last"
        case Error(fatal=True):
            raise CheckFailed(f"{MOST_CHARACTERS:,} characters ended the session")
        case Error() if ending.code in TOO_LONG:
            return f"error {ending.code}, and the session goes on"
        case _:
            raise CheckFailed(f"{MOST_CHARACTERS:,} characters were answered by {describe(ending)}")


async def answers(talk: Conversation) -> str:
    """A sign of life is to be had at any time."""
    await talk.ping()
    event = await talk.next("pong")
    if not isinstance(event, Pong):
        raise CheckFailed(f"a ping was answered by {describe(event)}")
    return "pong"


async def closes(talk: Conversation) -> str:
    """A session that is asked to end says that it has."""
    await talk.close()
    event = await talk.next("session_complete")
    if not isinstance(event, SessionComplete):
        raise CheckFailed(f"close was answered by {describe(event)}")
    await talk.disconnect()
    return "session_complete"


async def _refused(talk: Conversation, what: str, *, codes: tuple[str, ...] = ()) -> str:
    """See that ``what`` was sent gets an error, of ``codes`` if any are given, and that the session goes on."""
    event = await talk.next("error")
    if not isinstance(event, Error) or (codes and event.code not in codes):
        raise CheckFailed(f"{what} was answered by {describe(event)}")
    if event.fatal:
        raise CheckFailed(f"{what} ended the session")
    await talk.still_speaks()
    return f"error {event.code}, and the session goes on"
