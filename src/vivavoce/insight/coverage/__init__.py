"""Coverage: what of an agent recorded conversations exercised, and which of it a check watches."""
