"""`viva mcp`: viva's commands as tools of an MCP server, for coding agents."""
