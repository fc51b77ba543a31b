"""How model providers speak over HTTP: what is sent, and how an answer or its stream is read."""
