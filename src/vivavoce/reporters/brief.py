"""The built-in `report.summary`: the run in a few lines of plain text."""

from typing import TextIO

from vivavoce.model.result import UNSUCCESSFUL, RunReport, Summary
from vivavoce.notation.durations import format_ms
from vivavoce.wording.results import case_label, failed_at, place_of, quarantine_words, reason_of
from vivavoce.wording.terminal_text import one_line

_MOST_LISTED = 20


def write_brief(report: RunReport, out: TextIO) -> None:
    """`assistants.expense: 2 of 3 passed …`, then a line for each case that did not pass."""
    out.write(f"{report.info.agent_id}: {brief_line(report.summary)}\n")
    for warning in report.summary.warnings:
        out.write(f"! {one_line(warning)}\n")
    listed = 0
    for result in report.results():
        if result.status not in UNSUCCESSFUL:
            continue
        listed += 1
        if listed <= _MOST_LISTED:
            apart = "" if result.quarantine is None else f" ({quarantine_words(result.quarantine)})"
            case = f"{place_of(failed_at(result.case, result.decisive))} {case_label(result.case)}"
            out.write(f"- {case}: {one_line(reason_of(result))}{apart}\n")
    if listed > _MOST_LISTED:
        out.write(f"- … and {listed - _MOST_LISTED} more\n")


def brief_line(summary: Summary) -> str:
    """`40 of 42 passed, 1 failed, 1 timed out, in 12.3s`"""
    parts = [f"{summary.passed} of {summary.total} passed"]
    parts += [f"{count} {word}" for word, count in _others(summary) if count]
    if summary.quarantined:
        parts.append(f"{summary.quarantined} of these in quarantine")
    if summary.tested_nothing:
        parts = ["everything was skipped, nothing was tested"]
    line = f"{', '.join(parts)}, in {format_ms(summary.duration_ms)}"
    return f"{line}; the run ended early ({summary.interrupted})" if summary.interrupted else line


def _others(summary: Summary) -> list[tuple[str, int]]:
    return [
        ("failed", summary.failed),
        ("broke", summary.errors),
        ("timed out", summary.timeouts),
        ("skipped", summary.skipped),
        ("not run", summary.not_run),
    ]
