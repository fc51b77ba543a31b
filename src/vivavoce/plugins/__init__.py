"""How viva is extended: what a plug-in declares, and how a file of the project registers it (docs/extending.md)."""

from vivavoce.plugins.declarations import AgentFields, ReportFormat, TargetKind
from vivavoce.plugins.registering import assertion, connector, executor, report, target

__all__ = [
    "AgentFields",
    "ReportFormat",
    "TargetKind",
    "assertion",
    "connector",
    "executor",
    "report",
    "target",
]
