"""Ways to a model: messages and tools in, a reply out."""
