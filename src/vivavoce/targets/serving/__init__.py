"""`serve:`: servers that viva starts and ends."""
