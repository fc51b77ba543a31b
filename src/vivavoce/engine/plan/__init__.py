"""Which cases run, and what is wrong with them before anything runs."""
