"""OpenAI's voices and models, by Kokoro's."""

import re
from collections.abc import Mapping

from primavoce.errors import UnknownModel
from primavoce.voices.catalogue import SHOWN_LENGTH

OPENAI_VOICES: Mapping[str, str] = {
    "alloy": "af_alloy",
    "ash": "am_michael",
    "ballad": "bm_george",
    "cedar": "am_fenrir",
    "coral": "af_bella",
    "echo": "am_echo",
    "fable": "bm_fable",
    "marin": "af_heart",
    "nova": "af_nova",
    "onyx": "am_onyx",
    "sage": "af_sarah",
    "shimmer": "af_sky",
    "verse": "am_puck",
}
"""OpenAI's name → the Kokoro voice that is spoken with: its namesake where there is one, else one of the same sex, and
with *ballad* the same accent. They don't sound alike; nobody else's voice is imitated."""
KOKORO = "kokoro"
MODELS = (KOKORO, "tts-1", "tts-1-hd", "gpt-4o-mini-tts")
"""Names of the one model there is; OpenAI's, so that a program needs no other change than its address."""
MODEL_NAME = f"({'|'.join(MODELS)})(-[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}})?"
"""A pattern of them and of their dated snapshots."""
MODELS_CREATED = 1737936000
"""When Kokoro v1.0 was published, in seconds since the epoch."""
MODELS_OWNER = "hexgrad"

_NAME = re.compile(r"[A-Za-z_]+")


def kokoro_voice(voice: str) -> str:
    """Return ``voice``, a name or a blend, with OpenAI's names in it put into Kokoro's."""
    return _NAME.sub(lambda name: OPENAI_VOICES.get(name[0], name[0]), voice)


def known_model(name: str) -> str:
    """Return ``name`` if it is one of the model's, or a dated snapshot's.

    Raises:
        UnknownModel: it isn't.
    """
    if re.fullmatch(MODEL_NAME, name) is None:
        raise UnknownModel(name[:SHOWN_LENGTH], MODELS)
    return name


def model_object(name: str) -> dict[str, object]:
    """Return what OpenAI's API says of a model."""
    return {"id": name, "object": "model", "created": MODELS_CREATED, "owned_by": MODELS_OWNER}
