"""What a file holds before its cases are decoded: objects with their lines, ids, names found fast."""
