"""What a list shows of a result, read from its line."""

from vivavoce.model.json_value import JsonObject, JsonValue
from vivavoce.results.row_parts import RowParts, parts_in
from vivavoce.wording.terminal_text import clip, quoted

SHOWN_CHARS = 300
"""More than a table cell can show; the row has it all."""


def head_in(row: bytes) -> JsonObject:
    """What the case list shows, sorts and filters by; empty fields are left out."""
    seen = parts_in(row)
    decisive = seen.decisive
    head: JsonObject = {
        "id": seen.id,
        "name": _shown(seen.name) or _first_words(seen.input),
        "status": seen.status,
        "duration_ms": seen.typical_ms(decisive),
        "turns": decisive.total_turns,
        "fault": decisive.fault,
        "error": _shown(decisive.error or decisive.skip_reason),
        "quarantine": seen.quarantine,
        "tags": seen.tags,
        "tools": sorted(_tools_of(seen)),
        "file": seen.file,
        "line": seen.line,
    }
    if seen.stability_class is not None:
        head["runs"] = [attempt.status for attempt in seen.attempts]
        head["pass_rate"] = seen.pass_rate
        head["stability_class"] = seen.stability_class
    return {name: value for name, value in head.items() if value or value == 0}


def _tools_of(seen: RowParts) -> set[str]:
    if seen.turns is None and not seen.run_details:
        return {call.name for call in seen.tool_calls}
    return {call.name for attempt in seen.attempts for turn in attempt.taken() for call in turn.tool_calls}


def _first_words(said: JsonValue) -> str | None:
    """A case without a name is known by what it says, as on the console."""
    return quoted(clip(said, 60)) if isinstance(said, str) and said else None


def _shown(text: str | None) -> str | None:
    return text if text is None or len(text) <= SHOWN_CHARS else f"{text[:SHOWN_CHARS]}…"
