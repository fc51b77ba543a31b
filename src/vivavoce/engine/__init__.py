"""Runs cases: plan, attempts, the run itself."""
