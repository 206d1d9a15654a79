"""Finnish, which writes ordinals with a period."""

from primavoce.text.languages.rules import LanguageRules, words

RULES = LanguageRules(
    opening=words(
        # Words that explain what follows: esim. Omena, ts. Huomenna, mm. Turku, ks. Liite.
        "esim ts mm ks vrt nk ns",
        # Titles before a name: hra Virta, rva. Niemi, tri. Salo.
        "hra rva nti tri maist",
    ),
    labels=words(
        # A number follows: s. 12, nro. 5, puh. 09.
        "s nro kpl puh",
    ),
    inner=words(
        # Eras: 44 eKr.
        "eKr jKr",
    ),
    closing=words(
        # Lists that stop before their end: leipä, maito jne. Sitten syödään.
        "jne ym yms",
    ),
    ordinal_nouns=words(
        # Dates: 5. Toukokuuta.
        "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta marraskuuta joulukuuta",
    ),
)
