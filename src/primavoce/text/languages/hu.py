"""Hungarian, which writes ordinals with a period."""

from primavoce.text.languages.rules import LanguageRules, words

RULES = LanguageRules(
    opening=words(
        # Words that explain what follows: pl. Alma, ill. Körte, ún. Lángos, vö. Fejezet.
        "pl ill ún vö",
        # Titles before a name: id. Nagy, ifj. Kis, özv. Tóth, szt. István.
        "id ifj özv szt gr br",
    ),
    labels=words(
        # A number follows: 12. old., tel. 06.
        "old o tel kb sz",
    ),
    inner=words(
        # Companies: Duna Kft. Győr, Tisza Zrt. Szeged.
        "kft zrt nyrt bt",
        # Eras: i. e. 44, Kr. e. 44.
        "i.e i.sz kr.e kr.u",
    ),
    closing=words(
        # Lists that stop before their end: kenyér, tej stb. Aztán főzünk.
        "stb",
    ),
    ordinal_nouns=words(
        # Dates and what is counted: 5. Május, 19. Század, 2. Emelet.
        "január február március április május június július augusztus szeptember október november december század emelet fejezet osztály kerület",
    ),
)
