"""Checks added to case files: as text, so that comments and layout stay as they are."""
