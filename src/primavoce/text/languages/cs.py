"""Czech, which writes ordinals with a period."""

from primavoce.text.languages.rules import LanguageRules, words

RULES = LanguageRules(
    opening=words(
        # Titles before a name: Ing. Novák, Mgr. Malá, JUDr. Veselý, sv. Jan.
        "ing mgr bc judr mudr phdr rndr doc prof sv gen plk",
        # Words that explain what follows: např. Jablko, tzv. Sedmička, tj. Zítra.
        "např tzv tj tzn mj srov",
        # Streets and squares: ul. Dlouhá, nám. Míru.
        "ul nám tř",
    ),
    labels=words(
        # A number follows: č. 5, str. 12, čl. 3, odst. 2.
        "č čís str s čl odst kap obr tab tel",
    ),
    inner=words(
        # Companies: Kolář s.r.o. Brno, Labe a.s. Praha.
        "a.s v.o.s",
        # Eras: 44 př. n. l.
        "n.l př.n.l př",
    ),
    closing=words(
        # Lists that stop before their end: chléb, mléko atd. Potom vaříme.
        "atd apod aj",
    ),
    ordinal_nouns=words(
        # Dates: 5. Května.
        "ledna února března dubna května června července srpna září října listopadu prosince",
        # What is counted: 2. Patro, 19. Století.
        "století patro třída kapitola ročník den týden místo",
    ),
)
