"""Norwegian, which writes ordinals with a period."""

from primavoce.text.languages.rules import LanguageRules, words

RULES = LanguageRules(
    opening=words(
        # Words that explain what follows: f.eks. Eple, dvs. Mandag, bl.a. Bergen.
        "f.eks eks dvs d.v.s bl.a s.k pga p.g.a vedr iflg jf",
        # Titles before a name: hr. Berg, fr. Holm, ing. Dahl.
        "hr fr ing cand",
    ),
    labels=words(
        # A number follows: nr. 5, s. 12, kap. 3, tlf. 22.
        "nr s kap tlf fig avd",
    ),
    closing=words(
        # Lists that stop before their end: brød, melk osv. Så lager vi mat.
        "osv o.s.v m.m mm m.fl",
    ),
    inner=words(
        # Eras: 44 f.Kr.
        "f.kr e.kr",
    ),
    starters=words(
        # Pronouns and articles: 44 f.Kr. Det var…
        "jeg du han hun den det vi dere de man en et ei denne dette disse alle ingen noen",
        # Questions, conjunctions, prepositions: 44 f.Kr. Da han…
        "hva hvem hvor når hvorfor hvordan og men eller for om fordi mens da i på av til fra med ved etter før under uten",
        # Adverbs and answers: 44 f.Kr. Så kom…
        "så nå her der også derfor ja nei takk hei",
    ),
    ordinal_nouns=words(
        # Dates, which have no capital but at a line's start: den 5. Mai.
        "januar februar mars april mai juni juli august september oktober november desember jan feb mar apr jun jul aug sept okt nov des",
    ),
)
