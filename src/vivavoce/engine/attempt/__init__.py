"""One case, once: hooks, the conversation loop, judging."""
