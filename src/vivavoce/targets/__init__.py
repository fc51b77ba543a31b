"""Kinds of agents: a line of the user → AgentReply. Each kind declares itself."""
