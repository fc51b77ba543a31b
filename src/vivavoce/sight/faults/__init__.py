"""Failures that a test puts in the way of an agent."""
