"""The smallest conversation that still fails the same way."""
