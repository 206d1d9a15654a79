"""French."""

from primavoce.text.languages.rules import LanguageRules, words

RULES = LanguageRules(
    opening=words(
        # Titles before a name: M. Dupont, MM. Roux et Blanc. "Mme" and "Dr" take no period, but are often given one.
        "M MM Me mme mmes mlle mlles mgr pr vve st ste",
        # Words that explain what follows: p. ex. du pain, c.-à-d. demain.
        "p.ex c.-à-d càd env",
        # Streets: 5 av. Foch, 12 Bd. Voltaire.
        "av Bd boul Pl",
    ),
    labels=words(
        # A number follows: art. 5, p. 12, chap. IV, tél. 01.
        "art n no nos num chap cap tél tel éd sect t ann",
        # Months: 5 janv. 2024.
        "janv févr avr juil sept oct nov déc",
    ),
    inner=words(
        # Companies, eras, citations: 52 av. J.-C.
        "cie s.a.s s.a.r.l s.n.c j.-c apr",
    ),
    starters=words(
        # Articles, pronouns and demonstratives: Elle dirige Roux et Cie. Elle vend du pain.
        "le la les l un une des je j tu il elle on nous vous ils elles ce c cet cette ces ça cela ceci celui qui personne tout tous",
        # Possessives: Elle dirige Roux et Cie. Son frère aide.
        "mon ma mes ton ta son sa ses notre votre leur leurs",
        # Questions, conjunctions, prepositions: Elle dirige Roux et Cie. Mais elle est seule.
        "que qu comment où quand pourquoi quel quelle est-ce et ou mais donc or si car comme lorsque puisque en au aux du de d avec",
        # More of them: Elle dirige Roux et Cie. Depuis hier, c'est fermé.
        "pour par sur sous dans sans chez après avant depuis pendant à",
        # Adverbs and answers that lead: Elle dirige Roux et Cie. Puis elle part.
        "puis ensuite alors maintenant aujourd demain hier ici là ainsi aussi enfin cependant pourtant oui non merci bonjour voici voilà",
    ),
    lettered=words(
        # A letter is the name of a thing: la vitamine C. Les oranges…
        "vitamine plan option type groupe classe section partie lettre",
    ),
    conjunctions=words(
        # A long sentence is cut before one of these, rather than between other words: … parce qu'il pleut.
        "et ou mais donc or ni car parce quand lorsque puisque quoique si que qui où comme tandis",
    ),
)
