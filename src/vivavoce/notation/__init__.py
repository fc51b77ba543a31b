"""How things are written: JSON in its varieties, YAML, paths, patterns, durations, templates."""
