"""Agents behind the A2A protocol."""
