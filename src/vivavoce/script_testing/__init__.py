"""What script tests are written with: `t` and `process`. The front door; tests import from here."""

from vivavoce.script_testing.agent_calls import AgentAnswer, process
from vivavoce.script_testing.checks import Checks
from vivavoce.script_testing.testing import Testing

__all__ = ["AgentAnswer", "Checks", "Testing", "process"]
