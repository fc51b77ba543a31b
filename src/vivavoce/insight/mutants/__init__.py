"""Mutants: changed copies of recorded conversations, which good checks notice. One small file per family."""
