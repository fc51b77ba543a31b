"""Statistics as pure functions, tested against published values."""
