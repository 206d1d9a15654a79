"""Ukrainian."""

from primavoce.text.languages.rules import LanguageRules, words

RULES = LanguageRules(
    opening=words(
        # Titles before a name, places: проф. Іваненко, вул. Миру, м. Львів, п. Коваль.
        "проф акад доц ім св вул просп пл обл п",
        # Words that explain what follows: напр. Яблуко, т.зв. Борщ.
        "напр див пор т.зв тзв",
    ),
    labels=words(
        # A number follows: стор. 3, рис. 2, ст. 5.
        "стор с рис табл гл ст п тел кн",
    ),
    inner=words(
        # Years, cities and money: у 1990 р. Потім…, м. Львів.
        "р рр м грн коп тис млн млрд н.е",
    ),
    closing=words(
        # Lists that stop before their end: хліб, молоко тощо та ін. Потім…
        "ін т.д т.п",
    ),
    starters=words(
        # Pronouns, conjunctions, prepositions: у 1990 р. Він поїхав.
        "я ти він вона воно вони ми ви це цей ця ці той та все всі ніхто хто що де коли як чому і й а але або якщо бо хоча після до в у на по з із зі о об від для без при за над під",
        # Adverbs and answers: у 1990 р. Потім дім продали.
        "потім тепер зараз сьогодні завтра вчора тут там також тому проте так ні не",
    ),
)
