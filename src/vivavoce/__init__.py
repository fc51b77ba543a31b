"""viva: the oral exam for AI agents. The names a Python program may use; each is loaded when it is first touched."""

import atexit
import gc

from vivavoce.version import __version__

TYPE_CHECKING = False  # not from typing, which takes a while to import: Ctrl-C may come meanwhile
if TYPE_CHECKING:
    from typing import Any

    from vivavoce.api.checking import check
    from vivavoce.api.comparing import acompare, compare
    from vivavoce.api.fuzzing import afuzz, fuzz
    from vivavoce.api.recorded import acoverage, amutate, ashrink, coverage, mutate, shrink
    from vivavoce.api.rejudging import arejudge, rejudge
    from vivavoce.api.report import Report
    from vivavoce.api.running import arun, run
    from vivavoce.errors import CallFailed, UsageError
    from vivavoce.model.case import Case
    from vivavoce.model.message import AgentReply, ToolCall
    from vivavoce.model.result import Attempt, CaseResult, Status, Summary
    from vivavoce.model.verdict import Verdict

__all__ = [
    "AgentReply",
    "Attempt",
    "CallFailed",
    "Case",
    "CaseResult",
    "Report",
    "Status",
    "Summary",
    "ToolCall",
    "UsageError",
    "Verdict",
    "__version__",
    "acompare",
    "acoverage",
    "afuzz",
    "amutate",
    "arejudge",
    "arun",
    "ashrink",
    "check",
    "compare",
    "coverage",
    "fuzz",
    "mutate",
    "rejudge",
    "run",
    "shrink",
]

# Nothing is collected any more when Python ends: msgspec 0.22 frees types twice then, and the process is aborted.
atexit.register(gc.freeze)

_HOME = {
    "AgentReply": "model.message",
    "Attempt": "model.result",
    "CallFailed": "errors",
    "Case": "model.case",
    "CaseResult": "model.result",
    "Report": "api.report",
    "Status": "model.result",
    "Summary": "model.result",
    "ToolCall": "model.message",
    "UsageError": "errors",
    "Verdict": "model.verdict",
    "acompare": "api.comparing",
    "acoverage": "api.recorded",
    "afuzz": "api.fuzzing",
    "amutate": "api.recorded",
    "arejudge": "api.rejudging",
    "arun": "api.running",
    "ashrink": "api.recorded",
    "check": "api.checking",
    "compare": "api.comparing",
    "coverage": "api.recorded",
    "fuzz": "api.fuzzing",
    "mutate": "api.recorded",
    "rejudge": "api.rejudging",
    "run": "api.running",
    "shrink": "api.recorded",
}


def __getattr__(name: str) -> "Any":
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # not before it is needed: Ctrl-C may come while it is read

    return getattr(import_module(f"{__name__}.{home}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
