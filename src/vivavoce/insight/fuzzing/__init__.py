"""Variants of cases that an agent must bear: reworded lines that mean the same, and hostile ones."""
