"""Danish, which writes ordinals with a period."""

from primavoce.text.languages.rules import LanguageRules, words

RULES = LanguageRules(
    opening=words(
        # Words that explain what follows: f.eks. Æble, dvs. Mandag, bl.a. Aarhus.
        "f.eks fx dvs d.v.s bl.a s.k pga p.g.a vedr iflg jf",
        # Titles before a name: hr. Berg, fr. Holm, ing. Dam.
        "hr fr ing cand",
    ),
    labels=words(
        # A number follows: nr. 5, s. 12, kap. 3, tlf. 33.
        "nr s kap stk tlf fig afs",
    ),
    closing=words(
        # Lists that stop before their end: brød, mælk osv. Så laver vi mad.
        "osv o.s.v m.m m.v mv m.fl mm",
    ),
    inner=words(
        # Eras: 44 f.Kr.
        "f.kr e.kr",
    ),
    starters=words(
        # Pronouns and articles: 44 f.Kr. Det var…
        "jeg du han hun den det vi i de man en et denne dette disse alle ingen nogen",
        # Questions, conjunctions, prepositions: 44 f.Kr. Da han…
        "hvad hvem hvor hvornår hvorfor hvordan og men eller for om fordi mens da på af til fra med ved efter før under uden",
        # Adverbs and answers: 44 f.Kr. Så kom…
        "så nu her der også derfor ja nej tak hej",
    ),
    ordinal_nouns=words(
        # Dates and what is counted, which have no capital but at a line's start: den 5. Maj.
        "januar februar marts april maj juni juli august september oktober november december jan feb mar apr jun jul aug sept okt nov dec",
    ),
)
