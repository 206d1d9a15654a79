"""What holds wherever Latin letters are written, and in text of an unknown language."""

from primavoce.text.languages.rules import LanguageRules, words

RULES = LanguageRules(
    opening=words(
        # Titles that many languages share, and the English ones that names carry abroad.
        "dr mr mrs ms mx prof",
        # Latin that points ahead.
        "cf vs ca e.g i.e viz",
    ),
    labels=words(
        # Places in a book: p. 12, fig. 3, vol. II.
        "p pp fig figs vol vols cap art tab op v",
        # Labels that are words in some language, and so only count with their capital.
        "No Nos Nr",
    ),
    inner=words(
        # Companies: Northwind Inc. (“the Buyer”).
        "inc ltd corp co llc plc gmbh s.p.a s.r.l s.a",
        # Degrees and generations.
        "ph.d b.sc m.sc ll.m jr sr",
        # Citations: Lee et al. (2020).
        "al",
    ),
    closing=words(
        # Lists that stop before their end.
        "etc",
        # Times of day.
        "a.m p.m",
    ),
)
