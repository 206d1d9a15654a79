"""Romanian."""

from primavoce.text.languages.rules import LanguageRules, words

RULES = LanguageRules(
    opening=words(
        # Titles before a name: dl. Popa, dna. Ionescu, ing. Radu, sf. Ion.
        "dl dna d-na d-l dra dnul ing av prof sf gen col",
        # Words that explain what follows: de ex. Un măr.
        "ex",
        # Streets: str. Lungă, bd. Unirii, ap. 5.
        "str bd bdul șos",
    ),
    labels=words(
        # A number follows: nr. 5, pag. 12, art. 3, alin. 2.
        "nr pag p art alin lit tel ap bl sc et",
    ),
    inner=words(
        # Companies: Munte S.R.L. Cluj.
        "s.r.l s.a",
        # Eras: 44 î.Hr.
        "î.hr d.hr î.e.n",
    ),
    closing=words(
        # Lists that stop before their end: pâine, lapte ș.a. Apoi gătim.
        "ș.a ș.a.m.d ș.c.l",
    ),
)
