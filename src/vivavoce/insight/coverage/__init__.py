"""What recorded conversations exercised of an agent, and what of it a check would miss."""
