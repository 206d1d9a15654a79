"""Polish."""

from primavoce.text.languages.rules import LanguageRules, words

RULES = LanguageRules(
    opening=words(
        # Titles before a name: inż. Lis, mgr. Kos, ks. Jan, p. Ewa.
        "inż mgr prof doc hab ks abp bp gen płk mjr kpt por św red p pp",
        # Words that explain what follows: np. Jabłko, tzn. Jutro, m.in. Gdańsk.
        "np tzn tj m.in ds ws wg tzw zob por dot",
        # Streets and squares: ul. Długa, al. Jana, pl. Nowy, os. Leśne.
        "ul al pl os",
    ),
    labels=words(
        # A number follows: nr. 5, str. 12, art. 3, tys. 5.
        "nr str s art ust pkt poz rozdz tel tab rys",
        # Months: 5 sty. 2024.
        "sty lut kwi cze lip sie wrz paź lis gru",
    ),
    inner=words(
        # Years and centuries: w 1990 r. Potem…, w XX w. Polska…
        "r w",
        # Companies: Kowal sp. z o.o. Kraków, Orlik S.A. Łódź.
        "sp o.o",
        # Eras and money: 44 p.n.e., 5 tys. Złotych.
        "n.e p.n.e tys mln mld zł gr godz",
    ),
    closing=words(
        # Lists that stop before their end: chleb, mleko itd. Potem gotujemy.
        "itd itp",
    ),
    starters=words(
        # Pronouns: zmarł w 1990 r. On był…
        "ja ty on ona ono my wy oni one to ten ta te tamten każdy nikt ktoś wszyscy wszystko",
        # Questions, conjunctions, prepositions: w 1990 r. W domu…
        "co kto gdzie kiedy dlaczego jak jaki który i a ale lub albo jeśli bo ponieważ choć gdy w na z do od po przed dla bez przy pod nad za o",
        # Adverbs and answers: w 1990 r. Potem dom sprzedano.
        "potem następnie teraz dziś jutro wczoraj tu tam także więc jednak tak nie dziękuję",
    ),
)
