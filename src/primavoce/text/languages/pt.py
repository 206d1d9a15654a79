"""Portuguese, of Brazil and of Portugal."""

from primavoce.text.languages.rules import LanguageRules, words

RULES = LanguageRules(
    opening=words(
        # Titles before a name: o Sr. Lima, a Dra. Souza.
        "sr sra srta srs sras dra drs profa prof.ª profª d exmo exma eng engª arq adv gen cel cap ten sgto sto sta Pe",
        # Words that explain what follows: p. ex. pão.
        "p.ex obs",
        # Streets: Av. Paulista, R. Augusta.
        "av R trav pça rod Al",
    ),
    labels=words(
        # A number follows: pág. 3, n.º 7, art. 5.
        "art arts cap pág págs pag n núm num tel ramal",
        # Months, some of them words of their own: 5 set. 2024.
        "jan fev mar abr mai jun jul ago set out nov dez",
    ),
    inner=words(
        # Companies: Silva & Cia. Ltda.
        "ltda cia s/a eua",
        # Eras: 44 a.C. Roma era grande.
        "a.c d.c",
    ),
    starters=words(
        # Articles, pronouns and demonstratives: É da Silva Ltda. Ela vende pão.
        "o a os as um uma uns umas eu tu você ele ela nós vocês eles elas isto isso este esta esse essa aquele aquela ninguém alguém",
        # More of them: É da Silva Ltda. Todos sabem.
        "todos tudo cada",
        # Possessives: É da Silva Ltda. Sua irmã ajuda.
        "meu minha seu sua nosso nossa",
        # Questions, conjunctions, prepositions: É da Silva Ltda. Mas fecha cedo.
        "que qual como onde quando quem por para e ou mas se porque embora enquanto em no na nos nas ao à do da de com sem até desde",
        # Adverbs and answers that lead: É da Silva Ltda. Depois fecha.
        "depois agora hoje amanhã ontem aqui ali também além então assim sim não obrigado obrigada olá é são há está",
    ),
    lettered=words(
        # A letter is the name of a thing: a vitamina C. Laranjas têm.
        "vitamina plano opção tipo grupo classe seção parte letra",
    ),
    conjunctions=words(
        # A long sentence is cut before one of these, rather than between other words: … porque chove.
        "e ou mas porém porque pois embora enquanto quando se que onde nem como",
    ),
)
