"""Calls of MCP servers that pass through `viva mcp-mock`: mocked, taped, seen."""
