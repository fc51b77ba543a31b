"""Variants of cases that an agent must handle: reworded lines with the same meaning, and hostile ones."""
