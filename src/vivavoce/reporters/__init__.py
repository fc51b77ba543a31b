"""Report formats: events or a finished run → bytes."""
