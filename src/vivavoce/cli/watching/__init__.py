"""`viva test --watch`: runs what a saved file affects."""
