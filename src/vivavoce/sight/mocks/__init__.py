"""Mocks: answers that a test gives instead of tools."""
