"""A report in a notebook: a table that shows itself, rows, a data frame."""

from html import escape
from importlib import import_module
from typing import Any, Literal

from vivavoce.errors import UsageError
from vivavoce.model.json_value import JsonObject, text_of
from vivavoce.model.result import UNSUCCESSFUL, CaseResult, RunInfo, Summary
from vivavoce.notation.durations import format_ms
from vivavoce.wording.quoting import cut
from vivavoce.wording.results import call_text, name_beside_id, reason_of, typical_duration_ms

Library = Literal["pandas", "polars"]
_LIBRARIES: tuple[Library, ...] = ("pandas", "polars")
_MOST_ROWS = 100
_LONGEST_TEXT = 300
_COLORS = {"passed": "#1a7f37", "skipped": "#9a6700", "not_run": "#9a6700"}


def row_of_result(result: CaseResult) -> JsonObject:
    """A case as one flat row; what is not known is None."""
    attempt = result.decisive
    turns = attempt.transcript.turns
    usage = attempt.usage
    stability = result.stability
    return {
        "id": result.case.id,
        "name": result.case.name,
        "file": result.case.origin.path or None,
        "line": result.case.origin.line,
        "tags": ", ".join(result.case.tags),
        "status": result.status.value,
        "reason": (reason_of(result) or None) if result.status.value != "passed" else None,
        "fault": attempt.fault,
        "duration_ms": typical_duration_ms(result),
        "turns": len(turns),
        "tool_calls": sum(len(turn.reply.calls) for turn in turns),
        "tools": ", ".join(call_text(call) for turn in turns for call in turn.reply.calls),
        "runs": len(result.attempts),
        "pass_rate": stability.pass_rate if stability is not None else None,
        "input_tokens": usage.input_tokens if usage is not None else None,
        "output_tokens": usage.output_tokens if usage is not None else None,
        "cost": usage.cost if usage is not None else None,
        "input": turns[0].line.text if turns else None,
        "output": text_of(attempt.output) if turns else None,
    }


def frame_of(rows: list[JsonObject], library: Library | None) -> Any:
    """The rows as a data frame of pandas, else of polars. Raises UsageError when neither is installed."""
    if library is not None and library not in _LIBRARIES:
        raise UsageError(f"no data frames of {library!r}", hint=f"use {' or '.join(_LIBRARIES)}")
    for name in (library,) if library else _LIBRARIES:
        try:
            module: Any = import_module(name)
        except ImportError:
            continue
        return module.DataFrame(rows, infer_schema_length=None) if name == "polars" else module.DataFrame(rows)
    wanted = library or " nor ".join(_LIBRARIES)
    raise UsageError(
        f"{'neither ' if library is None else ''}{wanted} is installed",
        hint=f"pip install {library or 'pandas'}; to_rows() needs nothing",
    )


def html_of(info: RunInfo, summary: Summary, results: tuple[CaseResult, ...] | None, *, passed: bool) -> str:
    """The run as a small table: failures first, everything that agents said escaped."""
    word, color = ("PASSED", _COLORS["passed"]) if passed else ("FAILED", "#cf222e")
    if passed and summary.tested_nothing:
        word, color = "NOTHING TESTED", _COLORS["skipped"]
    head = (
        f'<p><b style="color:{color}">{word}</b> {escape(info.agent_id)}: {summary.passed} of {summary.total} passed'
        f" in {format_ms(summary.duration_ms)}</p>"
    )
    if not results:
        return head
    ordered = sorted(results, key=lambda result: result.status not in UNSUCCESSFUL)
    rows = "".join(map(_html_row, ordered[:_MOST_ROWS]))
    more = f"<p>… and {len(ordered) - _MOST_ROWS} more</p>" if len(ordered) > _MOST_ROWS else ""
    titles = "".join(f"<th>{title}</th>" for title in ("case", "status", "reason or reply", "turns", "time"))
    return f"{head}<table><thead><tr>{titles}</tr></thead><tbody>{rows}</tbody></table>{more}"


def _html_row(result: CaseResult) -> str:
    row = row_of_result(result)
    color = _COLORS.get(result.status.value, "#cf222e")
    said = cut(str(row["reason"] or row["output"] or ""), _LONGEST_TEXT)
    name = f" {escape(name)}" if (name := name_beside_id(result.case.id, result.case.name)) else ""
    return (
        f"<tr><td><b>{escape(result.case.id)}</b>{name}</td>"
        f'<td style="color:{color}">{result.status.value}</td>'
        f'<td style="text-align:left">{escape(said)}</td>'
        f"<td>{row['turns']}</td><td>{format_ms(typical_duration_ms(result))}</td></tr>"
    )
