"""Russian."""

from primavoce.text.languages.rules import LanguageRules, words

RULES = LanguageRules(
    opening=words(
        # Titles, cities and streets: г. Москва, ул. Мира, проф. Иванов.
        "гр ул просп пл д кв проф акад им св ст тов",
        # Words that explain what follows: т. е., напр.
        "т.е напр см ср т.н т.к",
    ),
    labels=words(
        # A number follows: стр. 3, рис. 2.
        "стр с рис табл гл п пп тел кн",
    ),
    inner=words(
        # Measures of money and time: 5 тыс. Рублей is rare, so a capital needs proof.
        "руб коп тыс млн млрд н.э вв",
        # A year or a city: в 2020 г. Он…, г. Москва.
        "г гг",
    ),
    closing=words(
        # Lists that stop before their end: хлеб, молоко и т. д. Потом готовим.
        "т.д т.п др пр",
    ),
    starters=words(
        # Pronouns: Он уехал в 1990 г. Он вернулся.
        "я ты он она оно они мы вы это этот эта эти тот та те все всё никто кто что где когда как почему зачем",
        # Conjunctions and prepositions: Он уехал в 1990 г. После войны вернулся.
        "и а но или если потому хотя после до в во на по с со из к у о об от для без при за над под",
        # Adverbs and answers that lead: Он уехал в 1990 г. Потом умер.
        "потом затем теперь сейчас сегодня завтра вчера здесь там так также поэтому однако да нет не",
    ),
    conjunctions=words(
        # A long sentence is cut before one of these, rather than between other words: … потому что идёт дождь.
        "и или но а что чтобы когда если потому пока хотя где",
    ),
)
