"""Answers that a test gives in place of tools."""
