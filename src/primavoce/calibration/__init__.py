"""The texts by which the streaming vocoder's statistics are calibrated."""
