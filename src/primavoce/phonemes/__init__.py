"""The model's alphabet, and how each language's text becomes it."""
