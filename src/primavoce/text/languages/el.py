"""Greek."""

from primavoce.text.languages.rules import LanguageRules, words

RULES = LanguageRules(
    opening=words(
        # Titles before a name: ο κ. Παπαδόπουλος, η Δρ. Νικολάου.
        "κ κα κος κυρ δρ καθ αγ",
        # Words that explain what follows: π.χ. ψωμί, δηλ. αύριο.
        "π.χ δηλ βλ πρβλ περ",
    ),
    labels=words(
        # A number follows: σελ. 3, αρ. 7.
        "σελ αρ άρθ κεφ τηλ παρ εικ τόμ",
    ),
    inner=words(
        # Eras and companies: 300 μ.Χ., Ήλιος Α.Ε. Αθήνα.
        "μ.χ α.ε ε.π.ε",
    ),
    closing=words(
        # Lists that stop before their end, times of day: ψωμί κ.λπ. Ευχαριστώ. Στις 5 μ.μ. Έλα.
        "κ.λπ κ.ά κτλ κλπ π.μ μ.μ",
    ),
    conjunctions=words(
        # A long sentence is cut before one of these, rather than between other words: … γιατί βρέχει.
        "και ή αλλά γιατί όταν αν ότι που ενώ",
    ),
)
