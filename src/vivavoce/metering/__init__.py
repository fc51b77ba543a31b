"""What calls cost and how fast they may come."""
