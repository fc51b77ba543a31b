"""Objects of other libraries as agents: one file per library."""
