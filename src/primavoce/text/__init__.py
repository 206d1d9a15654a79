"""Text as it comes: deltas to sentences, without a model, a clock or a dependency."""

from primavoce.text.sentences import Kind, Sentence, SentenceStream

__all__ = ["Kind", "Sentence", "SentenceStream"]
