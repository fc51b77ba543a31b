"""HTTP and server-sent events."""
