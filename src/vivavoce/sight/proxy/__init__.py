"""The model proxy: stands between an agent and its model providers, on loopback."""
