"""CaseResult → its head: the little a list of cases needs, so that whole rows are read only when opened."""

from collections.abc import Iterator
from typing import Any

from vivavoce.console_text import clip, quoted
from vivavoce.model.case import Case
from vivavoce.model.result import CaseResult

SHOWN_CHARS = 300
"""More than a table cell can show; the row has it all."""


def head_of(result: CaseResult) -> dict[str, Any]:
    """What the case list shows, sorts and filters by; absent fields are empty."""
    case, decisive, stability = result.case, result.decisive, result.stability
    head: dict[str, Any] = {
        "id": case.id,
        "name": _shown(case.name) or _said_first(case),
        "status": result.status.value,
        "duration_ms": round(stability.avg_duration_ms if stability else decisive.duration_ms, 3),
        "turns": len(decisive.transcript.turns),
        "fault": decisive.fault,
        "error": _shown(decisive.error),
        "tags": case.tags,
        "tools": sorted(set(_tools_of(result))),
        "file": case.origin.path,
        "line": case.origin.line,
    }
    if stability is not None:
        head["runs"] = [attempt.status.value for attempt in result.attempts]
        head["pass_rate"] = stability.pass_rate
        head["stability_class"] = stability.stability_class
    return {name: value for name, value in head.items() if value or value == 0}


def _tools_of(result: CaseResult) -> Iterator[str]:
    return (call.name for run in result.attempts for turn in run.transcript.turns for call in turn.reply.calls)


def _said_first(case: Case) -> str | None:
    """A case without a name is known by what it says, as on the console."""
    said = case.first_input
    return quoted(clip(said, 60)) if isinstance(said, str) and said else None


def _shown(text: str | None) -> str | None:
    return text if text is None or len(text) <= SHOWN_CHARS else f"{text[:SHOWN_CHARS]}…"
