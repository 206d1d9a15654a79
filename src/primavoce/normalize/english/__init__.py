"""English, read the way a person does: what needs to know the language and not only its numbers.

Each file is a subject. Their order is that of `RULES`: what is most certain to be what it looks like comes first, for
what it settles no later rule looks into. Money, percent, units, clock times and plain numbers are left to the rules
that hold in every language.
"""

import re

from primavoce.normalize.english.abbreviations import abbreviations, slashes
from primavoce.normalize.english.acronyms import acronyms
from primavoce.normalize.english.code_marks import code_marks
from primavoce.normalize.english.codes import lettered, long_codes, numbered
from primavoce.normalize.english.dates import date_times, dates, days, months
from primavoce.normalize.english.durations import durations
from primavoce.normalize.english.formulas import formulas
from primavoce.normalize.english.fractions import fractions
from primavoce.normalize.english.hours import hours, zones
from primavoce.normalize.english.letters import lone_letters
from primavoce.normalize.english.magnitudes import magnitudes
from primavoce.normalize.english.mathematics import mathematics, powers
from primavoce.normalize.english.measures import measures
from primavoce.normalize.english.ordinals import ordinals
from primavoce.normalize.english.phones import phones
from primavoce.normalize.english.places import places
from primavoce.normalize.english.primes import primes
from primavoce.normalize.english.ranges import ranges
from primavoce.normalize.english.references import references
from primavoce.normalize.english.roman import roman
from primavoce.normalize.english.scores import scores
from primavoce.normalize.english.temperatures import temperatures
from primavoce.normalize.english.versions import versions
from primavoce.normalize.english.years import business_years, decades, eras, year_ranges, years
from primavoce.normalize.needs import FIGURE, needing
from primavoce.normalize.tongue import Rule

_OF_FORMULAS = re.compile(r"[\d₀-₉⁺]|Cl\b|Na|HF\b|OH\b|[+-](?=\W|\Z)|CaO|MgO|CuO|ZnO|K[IBC]|AgB|FeS|HBr|HI\b|HCN")
_OF_REFERENCES = re.compile(r"[\d§¶№#]|\.[ ]?[(#IVXLCA-Z\ue000]|[ivx]{2}")
_OF_POWERS = re.compile(r"[\d^√∛(⁻⁰¹²³⁴-₉]")
_OF_MATHEMATICS = re.compile(r"[-−–+=<>≤≥≠≈≡≪≫×·⋅∙÷*/π∞∑∫∂∆∝∈∉∪∩⊂∅∀∃∴]|\dx")
_OF_FRACTIONS = re.compile(r"[\d¼-¾⅐-⅞↉]")
_OF_CODE = re.compile(r"[!$^\\](?=\S)|:[a-z]|[+$](?!\d)| -[a-z]{2}|\*|s/")
_OF_MEASURES = re.compile(r"[\d\ue000]|min\.", re.IGNORECASE)
_OF_RANGES = re.compile(r"\d|[Aa][-‐-―][Zz]|[Nn]oon|[Mm]idnight")
_LETTERS = re.compile(r"[Aa](?![A-Za-z])|[ABCDO][-+−](?!\w)")

RULES: tuple[Rule, ...] = (
    *needing(_OF_CODE, code_marks),
    *needing(FIGURE, date_times, dates),
    acronyms,
    *needing(_OF_FORMULAS, formulas),
    *needing(FIGURE, phones, temperatures, durations, places, long_codes),
    *needing(_OF_REFERENCES, references),
    *needing(FIGURE, versions),
    months,
    days,
    *needing(FIGURE, eras, business_years, year_ranges, decades, years, numbered),
    slashes,
    *needing(FIGURE, scores, primes),
    *needing(_OF_FRACTIONS, fractions),
    *needing(_OF_POWERS, powers),
    *needing(_LETTERS, lone_letters),
    *needing(FIGURE, zones),
    *needing(_OF_MATHEMATICS, mathematics),
    *needing(_OF_RANGES, ranges),
    *needing(FIGURE, hours, magnitudes, ordinals),
    roman,
    abbreviations,
    *needing(_OF_MEASURES, measures, lettered),
)
"""In their order."""

__all__ = ["RULES"]
