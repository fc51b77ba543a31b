"""Coverage as a table in the console, Markdown, a page, JSON, and lines for coding agents."""
