"""The order in which cases run, so that failures show early: pure functions over the history."""
