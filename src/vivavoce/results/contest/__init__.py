"""The result of comparing agents: standings, the matrix of cases, and which differences are real."""
