"""Tapes: model calls recorded in files and answered from there."""
