"""Spanish."""

from primavoce.text.languages.rules import LanguageRules, words

RULES = LanguageRules(
    opening=words(
        # Titles before a name: El Sr. Ruiz y la Dra. Vega llegaron.
        "sr sra srta sres sras dra dres profa d dña lic licda ing arq abg gral cnel cap tte sto sta fr mons",
        # Usted, and words that explain what follows: p. ej. naranjas.
        "ud uds vd vds p.ej ej",
        # Plurals of initials, in front: EE. UU., RR. HH.
        "EE RR FF CC JJ",
        # Streets: Avda. de América, C. Mayor.
        "avda av pza pl ctra",
    ),
    labels=words(
        # A number follows: pág. 3, n.º 5, núm. 7, art. 14.
        "art pág págs pag núm num nro n arts cap tel tlf ext vol apdo párr",
        # Months, some of them words of their own: 5 ene. 2024.
        "ene febr mar abr ag sept oct nov dic",
    ),
    inner=words(
        # Countries and companies: EE. UU., S. A., Cía.
        "ee.uu UU rr.hh HH ff.aa AA cía s.l s.a.u hnos",
        # Eras: 44 a. C.
        "a.c d.c",
    ),
    starters=words(
        # Articles, pronouns and demonstratives: Vive en EE. UU. Ella lo sabe.
        "el la los las lo un una unos unas yo tú él ella nosotros ellos ellas usted ustedes esto este esta estos estas eso ese esa",
        # More of them: Vive en EE. UU. Nadie lo sabe.
        "aquel aquella nadie alguien todos todo cada",
        # Possessives: Vive en EE. UU. Su casa es grande.
        "mi tu su nuestro nuestra sus mis",
        # Questions, conjunctions, prepositions: Vive en EE. UU. Pero vuelve.
        "qué cómo dónde cuándo quién por para y o pero si no que como cuando donde porque aunque mientras en con de desde hasta sin",
        # Melted with their article: Vive en EE. UU. Al final vuelve.
        "al del a",
        # Adverbs and answers that lead: Vive en EE. UU. Después vuelve.
        "después luego ahora hoy mañana ayer aquí allí también además entonces así sí gracias hola es son hay está",
    ),
    lettered=words(
        # A letter is the name of a thing: la vitamina C. Las naranjas…
        "vitamina plan opción tipo grupo clase sección parte letra",
    ),
    conjunctions=words(
        # A long sentence is cut before one of these, rather than between other words: … porque llueve.
        "y e o u pero sino porque aunque mientras cuando si que donde pues ni como",
    ),
)
