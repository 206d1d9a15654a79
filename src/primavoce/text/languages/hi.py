"""Hindi."""

from primavoce.text.languages.rules import LanguageRules, words

RULES = LanguageRules(
    opening=words(
        # Titles before a name: डॉ. शर्मा, प्रो. वर्मा.
        "डॉ डा श्री श्रीमती सुश्री कु प्रो पं स्व मो",
        # Initials, which are spelled by the names of their letters: एम. के. गांधी. (Not आई and जी, which are words.)
        "ए बी सी डी ई एफ एच जे के एल एम एन ओ पी क्यू आर एस टी यू वी डब्ल्यू एक्स वाई ज़ेड",
    ),
    labels=words(
        # A number follows: सं. 5, पृ. 12, रु. 500.
        "सं पृ क्र रु नं",
    ),
    inner=words(
        # Measures and eras: कि.मी., ई.पू.
        "कि.मी मी से.मी ई.पू ई",
    ),
    conjunctions=words(
        # A long sentence is cut before one of these, rather than between other words: … क्योंकि बारिश है।
        "और या लेकिन मगर क्योंकि जब तो कि अगर ताकि जबकि",
    ),
)
