"""Dutch."""

from primavoce.text.languages.rules import LanguageRules, words

RULES = LanguageRules(
    opening=words(
        # Titles before a name: dhr. De Wit, mevr. Bos, drs. Vos, ir. Kok.
        "dhr mevr mw mej drs ir ing mr prof jhr ds",
        # Words that explain what follows: bijv. Een appel, d.w.z. Morgen, m.a.w. Nee.
        "bijv bv d.w.z m.a.w m.n t.w nl i.p.v n.a.v t.a.v t.o.v i.v.m o.l.v",
        # Lists that go on: o.a. Gent en Brugge.
        "o.a o.m",
        # Saints: St. Nicolaas.
        "St",
    ),
    labels=words(
        # A number follows: nr. 5, blz. 12, art. 3, tel. 020.
        "nr nrs blz pag hfst art tel afb fig dl bijl",
        # Months: 5 jan. 2024.
        "jan feb mrt apr jun jul aug sept okt nov dec",
    ),
    inner=words(
        # Companies: Bakker B.V. Utrecht.
        "b.v n.v v.o.f",
        # Eras: 44 v.Chr.
        "v.chr n.chr",
    ),
    closing=words(
        # Lists that stop before their end: brood, melk, enz. Daarna koken we.
        "enz e.d e.a",
    ),
    starters=words(
        # Articles and pronouns: brood, enz. Het is klaar.
        "de het een ik jij je hij zij ze we wij u jullie dit dat deze die er men iedereen niemand",
        # Questions, conjunctions, prepositions: bij Bakker B.V. Daar is het.
        "wat wie waar wanneer waarom hoe welke en of maar want als omdat hoewel terwijl in op aan bij met naar van voor om na tot zonder",
        # Adverbs and answers: gezien met o.a. Dan gaan we.
        "dan daarna nu vandaag morgen gisteren hier daar ook dus toch ja nee bedankt hallo niet",
    ),
    lettered=words(
        # A letter is the name of a thing: vitamine C. Sinaasappels…
        "vitamine plan optie type groep klasse deel",
    ),
)
