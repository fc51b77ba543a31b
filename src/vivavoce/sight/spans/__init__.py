"""An agent's OpenTelemetry spans: received, read in every dialect, joined with the agent's answer."""
