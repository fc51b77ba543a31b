"""The project around the tests: viva.yaml, agent packages, variables and secrets."""
