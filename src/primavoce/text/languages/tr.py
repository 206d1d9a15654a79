"""Turkish, which writes ordinals with a period."""

from primavoce.text.languages.rules import LanguageRules, words

RULES = LanguageRules(
    opening=words(
        # Titles before a name: Doç. Dr. Kaya, Sn. Demir, Av. Yılmaz, Müh. Ak.
        "doç yrd öğr sn Av müh uzm Op alb yzb",
        # Words that explain what follows: örn. Elma, bkz. Sayfa.
        "örn bkz",
        # Streets: Atatürk Cad. Kadıköy, Gül Sok. Beşiktaş.
        "cad sok mah blv Apt",
    ),
    labels=words(
        # A number follows: s. 12, no. 5, tel. 0212.
        "s no tel böl md",
    ),
    inner=words(
        # Companies: Deniz A.Ş. İzmir.
        "a.ş ltd şti",
        # Eras: M.Ö. 44.
        "m.ö m.s",
    ),
    closing=words(
        # Lists that stop before their end: ekmek, süt vb. Sonra pişiririz.
        "vb vd",
    ),
    ordinal_nouns=words(
        # What is counted: 5. Cadde, 2. Kat, 19. Yüzyıl, 1. Dünya Savaşı.
        "cadde sokak kat yüzyıl dünya bölüm sınıf gün hafta ay yıl madde sayfa lig",
    ),
)
