"""MCP servers, as the agent under test and as the tools of a package."""
