"""viva for coding agents: a stdio MCP server over the same use cases as the command line."""
