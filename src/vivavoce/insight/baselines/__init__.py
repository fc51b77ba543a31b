"""Baselines: what a suite did before, as a small file, and what became worse since."""
