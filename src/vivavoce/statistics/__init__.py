"""Statistics as pure functions, tested against published values and scipy. No other room does statistics of its own."""
