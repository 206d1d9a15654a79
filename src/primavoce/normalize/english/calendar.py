"""The names of months and days, and how they are cut short."""

MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

_CUT_MONTHS = ("Jan", "Feb", "Mar", "Apr", "Jun", "Jul", "Aug", "Sept", "Sep", "Oct", "Nov", "Dec")

CUT_DAYS = {
    "Mon": "Monday",
    "Tues": "Tuesday",
    "Tue": "Tuesday",
    "Weds": "Wednesday",
    "Wed": "Wednesday",
    "Thurs": "Thursday",
    "Thu": "Thursday",
    "Fri": "Friday",
    "Sat": "Saturday",
    "Sun": "Sunday",
}

MONTH_NAMES: dict[str, str] = {name: name for name in MONTHS} | {
    cut: next(name for name in MONTHS if name.startswith(cut[:3])) for cut in _CUT_MONTHS
}
"""Month as written, without a period → its name."""

MONTH = rf"(?:(?:{'|'.join(MONTHS)})\b(?!\.\w)|(?:{'|'.join(_CUT_MONTHS)})\b\.?)"
"""A month's name or what is short for it."""

CUT_MONTH = rf"(?:{'|'.join(_CUT_MONTHS)})"

DAY_NAME = rf"(?:{'|'.join((*DAYS, *CUT_DAYS))})"


def month_name(written: str) -> str:
    """Return the name of the month that ``written`` stands for."""
    return MONTH_NAMES[written.rstrip(".")]


def day_name(written: str) -> str:
    """Return the name of the day that ``written`` stands for."""
    cut = written.rstrip(".")
    return CUT_DAYS.get(cut, cut)
