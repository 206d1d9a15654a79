"""English, read the way a person does: what needs to know the language and not only its numbers.

Each file is a subject. Their order is that of `RULES`: what is most certain to be what it looks like comes first, for
what it settles no later rule looks into. Money, percent, units, clock times and plain numbers are left to the rules
that hold in every language.
"""

from primavoce.normalize.english.abbreviations import abbreviations, measures, slashes
from primavoce.normalize.english.acronyms import acronyms
from primavoce.normalize.english.codes import lettered, long_codes, numbered
from primavoce.normalize.english.dates import date_times, dates, days, months
from primavoce.normalize.english.fractions import fractions
from primavoce.normalize.english.hours import hours
from primavoce.normalize.english.magnitudes import magnitudes
from primavoce.normalize.english.mathematics import mathematics, powers
from primavoce.normalize.english.ordinals import ordinals
from primavoce.normalize.english.phones import phones
from primavoce.normalize.english.ranges import ranges
from primavoce.normalize.english.references import references
from primavoce.normalize.english.roman import roman
from primavoce.normalize.english.scores import scores
from primavoce.normalize.english.versions import versions
from primavoce.normalize.english.years import business_years, decades, eras, year_ranges, years
from primavoce.normalize.tongue import Rule

RULES: tuple[Rule, ...] = (
    date_times,
    dates,
    acronyms,
    phones,
    long_codes,
    references,
    versions,
    months,
    days,
    eras,
    business_years,
    year_ranges,
    decades,
    years,
    numbered,
    slashes,
    scores,
    fractions,
    powers,
    mathematics,
    ranges,
    hours,
    magnitudes,
    ordinals,
    roman,
    abbreviations,
    measures,
    lettered,
)
"""In their order."""

__all__ = ["RULES"]
