"""In which order cases run, so that failures show early: pure functions over what the history knows."""
