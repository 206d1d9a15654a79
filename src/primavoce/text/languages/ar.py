"""Arabic."""

from primavoce.text.languages.rules import LanguageRules, words

RULES = LanguageRules(
    opening=words(
        # Titles of one letter: د. سعاد, أ. منى, م. كريم.
        "د أ م أ.د ش",
    ),
    labels=words(
        # A number follows: ص. 12, ج. 3, رقم.
        "ص ج ع ط",
    ),
    inner=words(
        # Eras: 300 ق.م.
        "ق.م هـ",
    ),
    conjunctions=words(
        # A long sentence is cut before one of these, rather than between other words: … لأن المطر شديد.
        "و أو لكن لأن عندما إذا أن حتى",
    ),
)
