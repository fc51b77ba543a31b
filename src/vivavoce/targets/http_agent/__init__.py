"""Agents behind any HTTP endpoint."""
