"""Style vectors of voices and blends, read once."""

from collections.abc import Callable
from pathlib import Path

from primavoce.synthesis.segment import Samples
from primavoce.voices.blend import Blend
from primavoce.voices.packs import VoicePack, blend_packs, load_pack, style_for


class PackStyles:
    """Style vectors from voice packs; not thread-safe.

    Args:
        find_pack: The path of a voice's pack, by the voice's name; may fetch it.

    A pack takes half a megabyte and there are 54 of them, so all stay in memory. Blends are mixed anew for each
    segment, which takes well under a millisecond: there is no end of different ones.
    """

    def __init__(self, find_pack: Callable[[str], Path]) -> None:
        self._find_pack = find_pack
        self._packs: dict[str, VoicePack] = {}

    def style(self, voice: Blend, n_phonemes: int) -> Samples:
        """Return the style vector, shape (1, 256), for a segment of ``n_phonemes``.

        Raises:
            AssetError: a pack can't be had.
        """
        packs = [self._pack(part.name) for part, _ in voice.parts]
        if len(packs) == 1:
            return style_for(packs[0], n_phonemes)
        return style_for(blend_packs(packs, [weight for _, weight in voice.parts]), n_phonemes)

    def _pack(self, name: str) -> VoicePack:
        if name not in self._packs:
            self._packs[name] = load_pack(self._find_pack(name))
        return self._packs[name]
