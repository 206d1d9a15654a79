"""Mandarin Chinese, by misaki with jieba and pypinyin; heavy, and an extra."""

import logging
import re
from collections.abc import Callable

from misaki import zh

from primavoce.phonemes.latin import pronounce_mixed

_LONG_NUMBER = re.compile(r"\d{16,}", re.ASCII)
"""Numbers that cn2an would leave as they are, with a warning; said digit by digit."""

_DIGITS = str.maketrans("0123456789", "零一二三四五六七八九")


class Mandarin:
    """Pronounces Mandarin text, and Latin words in it as ``english`` does."""

    def __init__(self, *, english: Callable[[str], str]) -> None:
        zh.jieba.setLogLevel(logging.WARNING)  # it reports its start on standard error
        zh.jieba.initialize()
        self._g2p = zh.ZHG2P(version=None)  # the form of Kokoro v1.0
        self._english = english

    def __call__(self, text: str) -> str:
        """Return the phonemes of ``text``."""
        return pronounce_mixed(text, native=self._native, english=self._english)

    def _native(self, text: str) -> str:
        phonemes, _ = self._g2p(_LONG_NUMBER.sub(lambda found: found.group().translate(_DIGITS), text))
        return str(phonemes)
