"""Other services' words for what this one does: thin adapters, none of which knows the model."""
