"""The order in which a sentence is made ready to be read."""

from primavoce.languages import resolve_language
from primavoce.normalize.draft import Draft
from primavoce.normalize.languages import tongue_for
from primavoce.normalize.options import ReadingOptions
from primavoce.normalize.spoken import Spoken
from primavoce.text import Kind, Sentence

DEFAULT = ReadingOptions()


def normalize(
    sentence: Sentence | str, language: str, *, after: Kind | None = None, options: ReadingOptions = DEFAULT
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
    tongue = tongue_for(resolve_language(language))
    text = sentence if isinstance(sentence, str) else sentence.text
    kind: Kind = "prose" if isinstance(sentence, str) else sentence.kind
    del kind, after, options
    draft = Draft(text)
    for rule in tongue.rules:
        rule(draft, tongue)
    return draft.spoken()
