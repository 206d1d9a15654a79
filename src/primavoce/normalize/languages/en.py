"""English."""

from primavoce.normalize.tongue import Tongue

TONGUE = Tongue(
    tag="en-us",
    locale="en",
    numerals="en",
    symbols={},
    address={},
    phrases={"point": "point"},
    rules=(),
)
