"""The rules that hold in every language, in their order."""

from primavoce.normalize.addresses import addresses
from primavoce.normalize.clock import clock_times
from primavoce.normalize.money import money
from primavoce.normalize.needs import FIGURE, needing
from primavoce.normalize.percent import percentages
from primavoce.normalize.plain_numbers import plain_numbers
from primavoce.normalize.respellings import respellings
from primavoce.normalize.symbols import arithmetic, compared_numbers, leftovers, plain_forms, symbols
from primavoce.normalize.tongue import Rule
from primavoce.normalize.units import units

RULES_BEFORE: tuple[Rule, ...] = (plain_forms, addresses)
"""What comes before a language's own rules: addresses, whose marks mean nothing else."""

RULES_AFTER: tuple[Rule, ...] = (
    *needing(FIGURE, clock_times),
    compared_numbers,
    *needing(FIGURE, money, percentages, units),
    arithmetic,
    *needing(FIGURE, plain_numbers),
    symbols,
    leftovers,
    respellings,
)
"""What comes after them, the narrower before the wider; the last but one drops what nobody can read."""
