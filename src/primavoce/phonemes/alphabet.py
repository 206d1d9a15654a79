"""The symbols that Kokoro v1.0 knows, and the number that the model has for each.

The numbers are those of the published configuration; the gaps in them are symbols that this version of the model
was never taught. Number 0 is the pad, which the model wants at both ends of its input; it is nobody's symbol.
"""

from primavoce.errors import PhonemesFailed

MAX_PHONEMES = 510
"""Symbols that the model takes in one go; with a pad at each end that is its 512 positions."""

PAD = 0

SYMBOLS: dict[str, int] = {
    # Pauses and quotes.
    ";": 1, ":": 2, ",": 3, ".": 4, "!": 5, "?": 6, "—": 9, "…": 10, '"': 11, "(": 12, ")": 13, "“": 14, "”": 15,
    " ": 16,
    # The nasal tilde (combining), affricates, and the rounding of Japanese.
    "\u0303": 17, "ʣ": 18, "ʥ": 19, "ʦ": 20, "ʨ": 21, "ᵝ": 22, "ꭧ": 23,
    # Capitals stand for diphthongs (A as in day, I as in high), S for a long s, T for a flapped t.
    "A": 24, "I": 25, "O": 31, "Q": 33, "S": 35, "T": 36, "W": 39, "Y": 41, "ᵊ": 42,
    "a": 43, "b": 44, "c": 45, "d": 46, "e": 47, "f": 48, "h": 50, "i": 51, "j": 52, "k": 53, "l": 54, "m": 55,
    "n": 56, "o": 57, "p": 58, "q": 59, "r": 60, "s": 61, "t": 62, "u": 63, "v": 64, "w": 65, "x": 66, "y": 67,
    "z": 68,
    "ɑ": 69, "ɐ": 70, "ɒ": 71, "æ": 72, "β": 75, "ɔ": 76, "ɕ": 77, "ç": 78, "ɖ": 80, "ð": 81, "ʤ": 82, "ə": 83,
    "ɚ": 85, "ɛ": 86, "ɜ": 87, "ɟ": 90, "ɡ": 92, "ɥ": 99, "ɨ": 101, "ɪ": 102, "ʝ": 103, "ɯ": 110, "ɰ": 111,
    "ŋ": 112, "ɳ": 113, "ɲ": 114, "ɴ": 115, "ø": 116, "ɸ": 118, "θ": 119, "œ": 120, "ɹ": 123, "ɾ": 125, "ɻ": 126,
    "ʁ": 128, "ɽ": 129, "ʂ": 130, "ʃ": 131, "ʈ": 132, "ʧ": 133, "ʊ": 135, "ʋ": 136, "ʌ": 138, "ɣ": 139, "ɤ": 140,
    "χ": 142, "ʎ": 143, "ʒ": 147, "ʔ": 148,
    # Stress, length, aspiration, palatalisation, the tones of Mandarin, and the reduced i of "roses".
    "ˈ": 156, "ˌ": 157, "ː": 158, "ʰ": 162, "ʲ": 164, "↓": 169, "→": 171, "↗": 172, "↘": 173, "ᵻ": 177,
}  # fmt: skip
"""Symbol → number, 114 of them."""

ALPHABET = frozenset(SYMBOLS)

SILENT = frozenset({PAD, *(number for symbol, number in SYMBOLS.items() if symbol in ';:,.!?—…"()“” ')})
"""The numbers of what isn't heard: pauses, quotes, the space and the pad."""

_SYMBOL_OF = {number: symbol for symbol, number in SYMBOLS.items()}


def encode(phonemes: str) -> list[int]:
    """Return the model's number for each symbol, without pads.

    Raises:
        PhonemesFailed: a symbol is not in the alphabet; `clean` takes such symbols out.
    """
    try:
        return [SYMBOLS[symbol] for symbol in phonemes]
    except KeyError as unknown:
        raise PhonemesFailed from unknown


def decode(numbers: list[int]) -> str:
    """Undo `encode`; pads, which stand for no symbol, are left out.

    Raises:
        ValueError: a number is nobody's.
    """
    try:
        return "".join(_SYMBOL_OF[number] for number in numbers if number != PAD)
    except KeyError as unknown:
        raise ValueError(f"no symbol has the number {unknown}") from None


def clean(phonemes: str) -> tuple[str, str]:
    """Return the symbols that the model knows, and those that it doesn't, each in their order."""
    kept = "".join(symbol for symbol in phonemes if symbol in SYMBOLS)
    dropped = "".join(symbol for symbol in phonemes if symbol not in SYMBOLS)
    return kept, dropped
