"""Files and streams → raw cases with their lines."""
