"""Shrinking: finds the smallest conversation that still fails in the same way."""
