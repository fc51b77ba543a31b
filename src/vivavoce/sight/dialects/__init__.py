"""How each model API writes a conversation: sections of a request, tool results in it, readers of the answer."""
