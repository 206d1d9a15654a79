"""Swedish."""

from primavoce.text.languages.rules import LanguageRules, words

RULES = LanguageRules(
    opening=words(
        # Words that explain what follows: t.ex. Äpple, dvs. Måndag, bl.a. Malmö, s.k. Fika.
        "t.ex ex dvs d.v.s bl.a s.k m.a.o ang enl jfr resp f.d p.g.a pga fr.o.m t.o.m",
        # Titles before a name: hr. Berg, fru., dir. Ek.
        "hr fr dir ing",
    ),
    labels=words(
        # A number follows: nr. 5, s. 12, kap. 3, tel. 08.
        "nr s sid kap art tel fig avd",
        # Months: 5 jan. 2024.
        "jan feb mar apr jun jul aug sept okt nov dec",
    ),
    inner=words(
        # Eras: 44 f.Kr.
        "f.kr e.kr",
    ),
    closing=words(
        # Lists that stop before their end: bröd, mjölk osv. Sedan lagar vi mat.
        "osv o.s.v mm m.m m.fl",
    ),
    starters=words(
        # Pronouns and articles: 44 f.Kr. Det var…
        "jag du han hon den det vi ni de man en ett denna detta dessa alla ingen någon",
        # Questions, conjunctions, prepositions: 44 f.Kr. När han…
        "vad vem var när varför hur och men eller för om eftersom medan i på av till från med vid efter före under utan",
        # Adverbs and answers: 44 f.Kr. Sedan kom…
        "sedan nu idag imorgon igår här där också alltså ja nej tack hej",
    ),
)
