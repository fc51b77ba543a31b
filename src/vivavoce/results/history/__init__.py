"""The store of finished and running runs (SQLite)."""
