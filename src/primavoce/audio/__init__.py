"""Samples, silence, sample rates, containers and frames."""
