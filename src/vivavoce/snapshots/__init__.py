"""Approved answers in `__snapshots__/NAME.snap.yaml`: their names, their YAML, the file, and who may change it."""
