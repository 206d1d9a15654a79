"""White space as it is spoken: none before a mark, however it came there."""

import re

from primavoce.normalize.draft import Draft

_BEFORE_MARK = re.compile(r"(?<!\s)\s++(?=[.,;:!?…]++(?:[\s”’»\"']|\Z)|[。，、！？；：।])")


def close_up(draft: Draft) -> None:
    """Take out the space that something dropped has left before a mark: "Done 🎉." becomes "Done."."""
    draft.rewrite(_BEFORE_MARK, lambda _: "")
