"""Analyses of recorded runs: coverage, mutants, flakiness, baselines, order. Few of them call the agent."""
