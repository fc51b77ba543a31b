"""Where model providers are reached when nobody names another address."""

OPENAI = "https://api.openai.com"
ANTHROPIC = "https://api.anthropic.com"
