"""Adds checks to the text of case files, so that comments and layout stay as they are."""
