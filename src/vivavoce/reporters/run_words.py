"""A run in a few words, for terminals."""

from datetime import datetime

from vivavoce.model.result import RunInfo
from vivavoce.notation.durations import format_duration
from vivavoce.results.history.records import KeptRun, RunState
from vivavoce.wording.terminal_text import one_line


def started(info: RunInfo) -> str:
    """In local time."""
    try:
        return datetime.fromisoformat(info.started_at).astimezone().strftime("%Y-%m-%d %H:%M:%S")
    except ValueError:
        return one_line(info.started_at)


def verdict(run: KeptRun) -> str:
    """`8/9 passed, 1 failed`; a run that did not come to its end says so."""
    summary = run.summary
    judged = summary.total - summary.skipped - summary.not_run
    parts = [f"{summary.passed}/{judged} passed"]
    others = (
        ("failed", summary.failed),
        ("error" if summary.errors == 1 else "errors", summary.errors),
        ("timeout" if summary.timeouts == 1 else "timeouts", summary.timeouts),
        ("skipped", summary.skipped),
        ("not run", summary.not_run),
    )
    parts += [f"{number} {name}" for name, number in others if number]
    if run.state is not RunState.FINISHED:
        parts.append(run.state.value)
    elif summary.interrupted:
        parts.append(f"ended early ({summary.interrupted})")
    return ", ".join(parts)


def took(run: KeptRun) -> str:
    return format_duration(run.summary.duration_ms / 1000)


def title(run: KeptRun) -> str:
    """`3f2a90c1b7de (2026-11-15 22:10:03, shop, 8/9 passed)`"""
    return f"{run.info.run_id or 'run'} ({started(run.info)}, {one_line(run.info.agent_id)}, {verdict(run)})"
