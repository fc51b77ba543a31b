"""Baselines: the results of a suite in a small file, to find what became worse since."""
