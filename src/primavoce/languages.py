"""The languages that Kokoro speaks, and the tags by which they are known on the wire."""

from primavoce.errors import UnknownLanguage

LANGUAGES: dict[str, str] = {
    "en-us": "American English",
    "en-gb": "British English",
    "es": "Spanish",
    "fr": "French",
    "hi": "Hindi",
    "it": "Italian",
    "pt-br": "Brazilian Portuguese",
    "ja": "Japanese",
    "zh": "Mandarin Chinese",
}
"""Tag → English name. The tags are those of the wire protocol; short forms are in `SHORT_FORMS`."""

SHORT_FORMS: dict[str, str] = {
    "en": "en-us",
    "pt": "pt-br",
    "zh-cn": "zh",
    "cmn": "zh",
    "ja-jp": "ja",
    "it-it": "it",
    "fr-fr": "fr",
    "es-es": "es",
    "hi-in": "hi",
}


def resolve_language(tag: str) -> str:
    """Return the wire's tag for ``tag``, whatever its case and separator.

    Raises:
        UnknownLanguage: Kokoro doesn't speak it.
    """
    folded = tag.strip().lower().replace("_", "-")
    resolved = SHORT_FORMS.get(folded, folded)
    if resolved not in LANGUAGES:
        raise UnknownLanguage(tag[:40], tuple(LANGUAGES))
    return resolved
