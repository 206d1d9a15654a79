"""An agent's part: where text deltas come from."""
