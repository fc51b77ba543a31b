"""Who says the next line: the script, a simulated user, a person."""
