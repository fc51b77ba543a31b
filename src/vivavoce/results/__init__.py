"""The result file: rows, journal, reading back, merging, comparing, and the history store."""
