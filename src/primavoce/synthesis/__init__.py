"""From sentences to PCM: one engine, shared by all who speak."""
