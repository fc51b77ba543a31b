"""Talking to an agent from the web page: a process for each conversation, and what it can be saved as."""
