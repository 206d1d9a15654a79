"""Japanese, by misaki's form of cutlet with the dictionary of unidic-lite; heavy, and an extra.

misaki's own entrance to it also imports pyopenjtalk, which this form of Kokoro doesn't use.
"""

import re
from collections.abc import Callable

from misaki.cutlet import Cutlet

from primavoce.phonemes.latin import pronounce_mixed

_BRACKETS = str.maketrans("«»", "()")
"""cutlet writes parentheses as guillemets, which are not in the model's alphabet."""

_LONG_NUMBER = re.compile(r"\d{10,}")
"""Numbers beyond cutlet, telephone numbers first of all; said digit by digit."""


class Japanese:
    """Pronounces Japanese text, and Latin words in it as ``english`` does."""

    def __init__(self, *, english: Callable[[str], str]) -> None:
        self._cutlet = Cutlet()
        self._english = english

    def __call__(self, text: str) -> str:
        """Return the phonemes of ``text``."""
        return pronounce_mixed(text, native=self._native, english=self._english)

    def _native(self, text: str) -> str:
        phonemes, _ = self._cutlet(_LONG_NUMBER.sub(lambda found: " ".join(found.group()), text))
        return str(phonemes).translate(_BRACKETS)
