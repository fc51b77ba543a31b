"""`viva mcp-mock`: an MCP server in front of a real one, which answers from mocks and tapes."""
