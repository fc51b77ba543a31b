"""Compares judges with people: labels of conversations in a file, and how far both agree."""
