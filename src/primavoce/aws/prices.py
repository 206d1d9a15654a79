"""What an hour of an instance costs, as far as is known here; prices change, and differ between regions."""

import math
from dataclasses import dataclass

from primavoce.errors import InvalidSetting

PRICES_AS_OF = "August 2026"
PRICES_REGION = "us-east-1"
PRICES_REMARK = (
    f"prices of {PRICES_REGION}, on demand, as of {PRICES_AS_OF}: check them at "
    "https://aws.amazon.com/sagemaker/ai/pricing/ and say --price"
)


@dataclass(frozen=True, slots=True)
class Price:
    """An instance's."""

    usd_per_hour: float
    """US dollars."""
    source: str
    """Where it comes from, in words."""


PRICES = {
    "ml.g4dn.xlarge": Price(0.736, "published"),
    "ml.g5.xlarge": Price(1.408, "published"),
    "ml.g6.xlarge": Price(1.1267, "published"),
    "ml.g6.12xlarge": Price(5.752, "published"),
    "ml.c5.2xlarge": Price(0.476, "published"),
    "ml.c7i.xlarge": Price(0.2142, "estimated: 1.2 times what EC2 asks"),
}
"""By instance type."""


def price_of(instance_type: str, given: float | None = None) -> Price:
    """Return the price of ``instance_type``; ``given``, in US dollars an hour, if there is one.

    Raises:
        InvalidSetting: it isn't known here, and none is given; or what is given is none.
    """
    if given is not None:
        if not (math.isfinite(given) and given >= 0):
            raise InvalidSetting("--price", f"must be a number of US dollars, not {given:g}")
        return Price(given, "given")
    found = PRICES.get(instance_type)
    if found is None:
        raise InvalidSetting(
            "--price", f"what an hour of {instance_type} costs isn't known here ({', '.join(PRICES)} are): say it"
        )
    return found


def usd_per_hour(instance_type: str | None, instances: int) -> float | None:
    """Return what ``instances`` cost an hour, in US dollars; `None` where the price isn't known."""
    found = PRICES.get(instance_type or "")
    return None if found is None else round(found.usd_per_hour * instances, 4)
