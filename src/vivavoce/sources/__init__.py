"""Files, folders, messages and generators → cases."""
