"""An agent's OpenTelemetry spans: received, read in every dialect, joined with what the agent's answer shows."""
