"""AG-UI apps."""
