"""What recorded runs tell: coverage, mutants, flakiness, baselines, order. Few of them call the agent."""
