"""The model: preparation of the published graph, and the session that runs it."""
