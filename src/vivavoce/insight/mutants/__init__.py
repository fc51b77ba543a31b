"""Changes of recorded conversations that a good test notices; one small file per family."""
