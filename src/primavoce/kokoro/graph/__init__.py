"""Rewriting of the published graph: one file for each thing that is rewritten."""

DURATIONS = "durations"
"""The name of the output that preparing adds: float, one number of duration steps for each position of the input."""
