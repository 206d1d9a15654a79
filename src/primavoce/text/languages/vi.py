"""Vietnamese."""

from primavoce.text.languages.rules import LanguageRules, words

RULES = LanguageRules(
    opening=words(
        # Titles before a name: TS. Nguyễn Văn An, ThS. Lê, GS. Trần, BS. Phạm, TP. Huế.
        "TS ThS GS PGS BS KS LS TP Tp Q P",
        # Words that explain what follows: vd. Táo.
        "vd",
    ),
    labels=words(
        # A number follows: tr. 12, đt. 090.
        "tr đt",
    ),
    closing=words(
        # Lists that stop before their end: bánh, sữa v.v. Sau đó nấu.
        "v.v vv",
    ),
)
