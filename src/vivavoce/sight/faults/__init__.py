"""Faults: failures that a test injects into the tools, models and streams of an agent."""
