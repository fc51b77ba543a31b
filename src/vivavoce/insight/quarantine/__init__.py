"""Quarantine: cases that run and are reported, and for a while do not decide the exit code."""
