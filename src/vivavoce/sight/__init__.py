"""What viva sees beside an agent's answers: model proxy, tapes, spans, mocks, faults. All give the same `ToolCall`s."""
