"""Text as it comes: deltas to sentences, without a model, a clock or a dependency."""

from primavoce.text.sentences import Sentence, SentenceStream
from primavoce.text.structure import Kind

__all__ = ["Kind", "Sentence", "SentenceStream"]
