"""What was written → what is read aloud, with a way back: heavy, so it belongs to the engine."""

from primavoce.normalize.normalizer import normalize
from primavoce.normalize.options import ReadingOptions
from primavoce.normalize.spoken import GivenPhonemes, Pause, Spoken

__all__ = ["GivenPhonemes", "Pause", "ReadingOptions", "Spoken", "normalize"]
