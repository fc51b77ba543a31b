"""Which cases run, and their problems, found before anything runs."""
