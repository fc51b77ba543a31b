"""People and judges about the same conversations: labels in a file, and how far both agree."""
