"""Running code that is not ours: found, called, listened to, and stopped when it must be."""
