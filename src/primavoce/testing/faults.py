"""What can be wrong with a server that speaks the session protocol."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Faults:
    """What is wrong with a server; nothing, unless said."""

    loading: bool = False
    """``/ping`` says that it isn't ready, for ever."""
    text_frames_only: bool = False
    """A request in a binary frame is taken for rubbish."""
    closes_after_utterance: bool = False
    """One utterance a connection."""
    never_completes: bool = False
    """Audio comes, its completion doesn't."""
    silent: bool = False
    """The audio is zeros."""
    interleaves: bool = False
    """Two requests that wait are spoken at once."""
    drops_the_rest: bool = False
    """What an utterance has after its last stop isn't spoken at its end."""
    loses_first_delta: bool = False
    """What an utterance begins with isn't spoken."""
    loses_last_delta: bool = False
    """What came last before an utterance's end isn't spoken."""
    waits_for_a_stop: bool = False
    """A flush is passed over: what is held is spoken at a stop, or at the end."""
    loses_flushed: bool = False
    """Of what was flushed, a moment is spoken."""
    loses_after_flush: bool = False
    """What comes after a flush isn't spoken."""
    ignores_cancel: bool = False
    """A cancel gets no answer, though it is obeyed."""
    goes_on_after_cancel: bool = False
    """A cancel is acknowledged, and more audio comes."""
    miscounts_audio: bool = False
    """A cancel is told of a minute more than was sent."""
    nobody_waits: bool = False
    """Nothing may be asked for while the text of an utterance is open."""
    last_first: bool = False
    """Of several requests that wait, the last is spoken first."""
    ends_at_too_many: bool = False
    """A request too many ends the session."""
    closes_at_too_many: bool = False
    """A request too many is answered by closing the socket."""
    loses_queued: bool = False
    """Requests that wait are forgotten when everything is cancelled."""
    unbounded: bool = False
    """Any number of requests may wait."""
    cuts_long_texts: bool = False
    """The end of a text that is too long is left out, and nobody is told."""
    closes_at_too_long: bool = False
    """A message that is too large is answered by closing the socket."""
    cancels_anything: bool = False
    """A cancel of what isn't there is acknowledged."""
    dies_on_bad_message: bool = False
    """A message that is no JSON ends the session."""
    ignores_pings: bool = False
    """Pings get no answer."""
    ignores_close: bool = False
    """``close`` gets no answer."""
    too_short: bool = False
    """A tenth of the audio comes."""
