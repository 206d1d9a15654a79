"""Voice packs: a voice as the model wants it, one style vector for each number of phonemes."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from primavoce.errors import AssetMissing, PreparationFailed

ROWS = 510
"""Style vectors in a pack, for 1 to 510 phonemes."""

STYLE_SIZE = 256
"""Numbers in a style vector."""

PACK_BYTES = ROWS * STYLE_SIZE * 4


@dataclass(frozen=True, slots=True, eq=False)
class VoicePack:
    """All style vectors of a voice or of a blend."""

    rows: NDArray[np.float32]
    """(510, 1, 256), read-only."""


def load_pack(path: Path) -> VoicePack:
    """Read a pack: 510 x 1 x 256 little-endian float32 without a header.

    Raises:
        AssetMissing: there is no such file.
        PreparationFailed: the file is of another size, or holds what is no number.
    """
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise AssetMissing(path.name, str(path.parent)) from None
    if len(content) != PACK_BYTES:
        raise PreparationFailed(f"{path.name} has {len(content)} bytes, but a voice pack has {PACK_BYTES}")
    rows = np.frombuffer(content, dtype="<f4").astype(np.float32).reshape(ROWS, 1, STYLE_SIZE)
    if not np.isfinite(rows).all():
        raise PreparationFailed(f"{path.name} holds values that are no numbers")
    return _sealed(rows)


def style_for(pack: VoicePack, n_phonemes: int) -> NDArray[np.float32]:
    """Return the (1, 256) style vector for so many phonemes, pads not counted: row ``n_phonemes`` - 1.

    That is the rule of the model's reference code. Row ``n_phonemes`` is a known mistake: another style than the
    one trained for, and past the end at 510.

    Raises:
        ValueError: ``n_phonemes`` is not from 1 to 510.
    """
    if not 1 <= n_phonemes <= ROWS:
        raise ValueError(f"a style is for 1 to {ROWS} phonemes, not {n_phonemes}")
    style: NDArray[np.float32] = pack.rows[n_phonemes - 1]
    return style


def blend_packs(packs: Sequence[VoicePack], weights: Sequence[float]) -> VoicePack:
    """Return the weighted sum of ``packs``; a single pack of weight 1 comes back as it is.

    Raises:
        ValueError: there is no pack, or not one weight for each.
    """
    if not packs or len(packs) != len(weights):
        raise ValueError(f"{len(packs)} packs and {len(weights)} weights can't be blended")
    if len(packs) == 1 and weights[0] == 1:
        return packs[0]
    rows = sum(pack.rows.astype(np.float64) * weight for pack, weight in zip(packs, weights, strict=True))
    return _sealed(np.asarray(rows, dtype=np.float32))


def _sealed(rows: NDArray[np.float32]) -> VoicePack:
    rows.flags.writeable = False
    return VoicePack(rows)
