"""The order in which a sentence is made ready to be read."""

from primavoce.languages import resolve_language
from primavoce.normalize.controls import controls
from primavoce.normalize.draft import Draft
from primavoce.normalize.languages import tongue_for
from primavoce.normalize.markup import markup
from primavoce.normalize.options import DEFAULT_READING, ReadingOptions
from primavoce.normalize.pictographs import emoticons, pictographs
from primavoce.normalize.rules import RULES_AFTER, RULES_BEFORE
from primavoce.normalize.spacing import close_up
from primavoce.normalize.spoken import Spoken
from primavoce.normalize.structure import closed, kind_of, structure
from primavoce.text import Kind, Sentence


def normalize(
    sentence: Sentence | str, language: str, *, after: Kind | None = None, options: ReadingOptions = DEFAULT_READING
) -> Spoken:
    """Return ``sentence`` as it is read aloud, with a way back to what was written.

    Args:
        sentence: From a `SentenceStream`, or a text by itself.
        language: A tag that `resolve_language` knows.
        after: What the sentence before it was, so that a table is announced once and not at every row.
        options: What to read otherwise.

    Returns:
        The words, empty if there is nothing to read; offsets are into the sentence's text.

    Raises:
        UnknownLanguage: Kokoro doesn't speak ``language``.
    """
    tag = resolve_language(language)
    tongue = tongue_for(tag)
    text = sentence if isinstance(sentence, str) else sentence.text
    kind = kind_of(text) if isinstance(sentence, str) else sentence.kind
    draft = Draft(text)
    naming = options.emoji == "name"
    if kind != "fence":  # the marks in code are its own
        controls(draft, options.alphabet)
    last = structure(draft, tongue, kind, after=after, options=options)
    if kind != "fence":
        emoticons(draft, name=naming)  # before Markdown takes their marks for its own
        markup(draft, tongue)
    options.lexicon.apply(draft, tag)
    pictographs(draft, tongue, name=naming, row=kind == "row")
    close_up(draft)
    if last != "prose":
        closed(draft, tongue)
    for rule in (*RULES_BEFORE, *tongue.rules, *RULES_AFTER):
        rule(draft, tongue)
    return draft.spoken()
