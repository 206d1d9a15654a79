"""Benchmarks: how soon the first sound is heard, and how that compares with others."""
