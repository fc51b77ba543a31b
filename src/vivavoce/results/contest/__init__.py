"""What a comparison of agents came to: standings, the matrix of cases, and which differences are real."""
