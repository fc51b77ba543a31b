"""Quarantine: cases that run and are reported, but do not decide the exit code for some time."""
