"""The 54 voices of Kokoro v1.0."""

import difflib
from dataclasses import dataclass
from typing import Literal

from primavoce.errors import UnknownVoice

_LANGUAGE_OF = {
    "a": "en-us",
    "b": "en-gb",
    "e": "es",
    "f": "fr",
    "h": "hi",
    "i": "it",
    "j": "ja",
    "p": "pt-br",
    "z": "zh",
}

_NAMES: dict[str, tuple[str, ...]] = {
    "af": ("alloy", "aoede", "bella", "heart", "jessica", "kore", "nicole", "nova", "river", "sarah", "sky"),
    "am": ("adam", "echo", "eric", "fenrir", "liam", "michael", "onyx", "puck", "santa"),
    "bf": ("alice", "emma", "isabella", "lily"),
    "bm": ("daniel", "fable", "george", "lewis"),
    "ef": ("dora",),
    "em": ("alex", "santa"),
    "ff": ("siwis",),
    "hf": ("alpha", "beta"),
    "hm": ("omega", "psi"),
    "if": ("sara",),
    "im": ("nicola",),
    "jf": ("alpha", "gongitsune", "nezumi", "tebukuro"),
    "jm": ("kumo",),
    "pf": ("dora",),
    "pm": ("alex", "santa"),
    "zf": ("xiaobei", "xiaoni", "xiaoxiao", "xiaoyi"),
    "zm": ("yunjian", "yunxi", "yunxia", "yunyang"),
}
"""Letters of language and gender → the rest of the names."""

SHOWN_LENGTH = 40
"""Characters of an unknown name that an error repeats."""


@dataclass(frozen=True, slots=True)
class Voice:
    """One of Kokoro's voices."""

    name: str
    """Also the stem of its pack's file name; its first letter tells the language, its second the gender."""
    language: str
    """The tag of the language it was made for."""
    gender: Literal["female", "male"]


def _voice(name: str) -> Voice:
    return Voice(name, _LANGUAGE_OF[name[0]], "female" if name[1] == "f" else "male")


VOICES: dict[str, Voice] = {
    (name := f"{letters}_{rest}"): _voice(name) for letters, rests in _NAMES.items() for rest in rests
}
"""Name → voice, by language and name."""

DEFAULT_VOICES: dict[str, str] = {
    "en-us": "af_heart",
    "en-gb": "bf_emma",
    "es": "ef_dora",
    "fr": "ff_siwis",
    "hi": "hf_alpha",
    "it": "if_sara",
    "ja": "jf_alpha",
    "pt-br": "pf_dora",
    "zh": "zf_xiaobei",
}
"""Language → the voice that speaks it unless another is asked for."""


def find_voice(name: str) -> Voice:
    """Return the voice called ``name``.

    Raises:
        UnknownVoice: there is none; the error has up to three names like it.
    """
    try:
        return VOICES[name]
    except KeyError:
        shown = name[:SHOWN_LENGTH]
        raise UnknownVoice(shown, _near(shown)) from None


def _near(name: str) -> tuple[str, ...]:
    """Return the names most like ``name``: as a whole, or without the letters of language and gender."""
    asked = name.strip().lower()
    whole = difflib.get_close_matches(asked, VOICES, n=3, cutoff=0.6)
    bare = [voice for voice in VOICES if voice.partition("_")[2] == asked.rpartition("_")[2]]
    return tuple(dict.fromkeys([*bare, *whole]))[:3]
