"""Text coming in: which utterance it is for, and whether it may be spoken."""

from collections.abc import Callable

from primavoce.errors import (
    DuplicateRequest,
    InvalidField,
    InvalidRequest,
    TextRequired,
    TooManyRequests,
    Unavailable,
)
from primavoce.normalize.lexicon import MOST_CLIENT_ENTRIES, Lexicon, lexicon_of
from primavoce.phonemes.alphabet import ALPHABET
from primavoce.protocol.limits import Limits
from primavoce.protocol.messages import AnyServerMessage, End, Options, SetLexicon, Synthesize, Text
from primavoce.protocol.options import check_age, resolve_options
from primavoce.protocol.requests import Requests
from primavoce.protocol.utterance import Utterance


class Intake:
    """What opens utterances and lets their text grow.

    Args:
        requests: Get what is taken in.
        limits: What may be asked for.
        make_id: Makes a request id for a request without one.
        default_voice: The voice of a request that names none.
        lexicon: How names are said, unless the client says otherwise.
    """

    def __init__(
        self,
        requests: Requests,
        limits: Limits,
        *,
        make_id: Callable[[], str],
        default_voice: str,
        lexicon: Lexicon,
    ) -> None:
        self.refusal: InvalidRequest | Unavailable | None = None
        """What a new request gets, once none is taken any more."""
        self.deltas = 0
        """Deltas that have brought text to an open utterance."""
        self._requests = requests
        self._limits = limits
        self._make_id = make_id
        self._default_voice = default_voice
        self._base_lexicon = self._lexicon = lexicon

    def set_lexicon(self, message: SetLexicon) -> None:
        """Say names as ``message`` does, from the next utterance on.

        Raises:
            InvalidLexicon: it can't be used; what held before holds on.
        """
        words = lexicon_of(message.words, ALPHABET, most=MOST_CLIENT_ENTRIES)
        self._lexicon = self._base_lexicon.extended_by(words)

    def synthesize(self, message: Synthesize, *, now: float, wall_time: float) -> list[AnyServerMessage]:
        """Take a whole text, and return what to send.

        Raises:
            InvalidRequest: it can't be spoken as asked.
            Unavailable: no more is taken now.
        """
        if not message.text.strip():
            self._requests.refuse_taken(message.request_id)
            raise TextRequired
        utterance = self._create(message, now, wall_time)
        utterance.add(message.text, now=now)
        utterance.incoming.end()
        self._requests.add(utterance)
        return []

    def text(self, message: Text, *, now: float, wall_time: float) -> list[AnyServerMessage]:
        """Take one delta of an utterance, and return what to send; an unknown id opens one.

        Raises:
            InvalidRequest: it can't be spoken as asked.
            Unavailable: no more is taken now.
        """
        request_id = message.request_id
        if self._requests.forgot(request_id):
            return []  # a delta that crossed our ending of its utterance on the wire
        live = self._requests.find(request_id) if request_id is not None else self._requests.newest_open
        if live is None:
            live = self._create_open(message, now, wall_time)
            self._requests.add(live, growing=True)
        elif live.incoming.complete:
            raise DuplicateRequest
        elif changed := options_given(message):
            raise InvalidField(changed, "goes with the first text of an utterance")
        try:
            live.add(message.text, now=now)
        except InvalidRequest as error:
            return [self._requests.fail(live, error)]
        self.deltas += bool(message.text)
        return []

    def end(self, message: End) -> list[AnyServerMessage]:
        """Note that an utterance's text is complete, and return what to send.

        Raises:
            UnknownRequest: it isn't open.
        """
        if self._requests.forgot(message.request_id, ended=True):
            return []
        return self.end_text(self._requests.open_one(message.request_id))

    def end_text(self, utterance: Utterance) -> list[AnyServerMessage]:
        """Take what has come of an open utterance for the whole of it, and return what to send."""
        utterance.incoming.end()
        self._requests.open.remove(utterance)
        return [self._requests.fail(utterance, TextRequired())] if utterance.incoming.blank else []

    def _create(self, message: Synthesize | Text, now: float, wall_time: float) -> Utterance:
        self._requests.refuse_taken(message.request_id)
        if self.refusal is not None:
            raise self.refusal.with_traceback(None)  # or it would grow by one with each that is refused
        if len(self._requests.waiting) >= self._limits.max_queued_requests:
            raise TooManyRequests(self._limits.max_queued_requests)
        options = resolve_options(message, default_voice=self._default_voice, lexicon=self._lexicon)
        check_age(options.request_timestamp, now=wall_time, limit_s=self._limits.max_request_age_s)
        request_id = self._make_id() if message.request_id is None else message.request_id
        limits = self._limits
        return Utterance(request_id, options, limits.max_text_characters, limits.max_utterance_s, now)

    def _create_open(self, message: Text, now: float, wall_time: float) -> Utterance:
        try:
            return self._create(message, now, wall_time)
        except (InvalidRequest, Unavailable):
            # The rest of its text is on the way, and must not be spoken with other options than were asked for.
            if message.request_id is not None:
                self._requests.forget(message.request_id)
            raise


def options_given(message: Options) -> str | None:
    """Return the name of an option that a later text carries, if any."""
    names = [name for name in Options.__struct_fields__ if name != "request_id"]
    return next((name for name in names if getattr(message, name) is not None), None)
