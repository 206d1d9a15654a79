"""Rewriting of the published graph: one file for each thing that is rewritten."""
