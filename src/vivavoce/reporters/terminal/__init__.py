"""The parts of the console."""
