"""Where conversations run: in this process, in worker processes, on a Ray cluster."""
