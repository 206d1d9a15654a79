"""primavoce: an agent's answer, spoken while it is still being written."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from primavoce.scripting import Speaker, speak

__all__ = ["Speaker", "__version__", "speak"]
__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """Import what scripts use only when it is used, so that importing a part of primavoce imports no more."""
    if name in ("Speaker", "speak"):
        from primavoce import scripting

        return getattr(scripting, name)
    raise AttributeError(f"module 'primavoce' has no attribute {name!r}")
