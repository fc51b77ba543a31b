"""Reads cases with their lines from files and streams."""
