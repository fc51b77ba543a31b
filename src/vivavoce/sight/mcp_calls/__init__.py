"""Calls of MCP servers through `viva mcp-mock`: mocked, recorded on tape, added to the agent's calls."""
