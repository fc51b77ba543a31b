"""promptfoo's configurations."""
