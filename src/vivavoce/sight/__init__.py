"""What else can be seen of an agent: model proxy and tapes, spans, mocks, faults. All end in the same `ToolCall`s."""
