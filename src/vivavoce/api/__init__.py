"""viva from Python: run, rejudge, compare, coverage, mutate, shrink, fuzz and check, each with its async twin."""
