"""A run in a few words, for terminals."""

from datetime import datetime

from msgspec import structs

from vivavoce.model.result import RunInfo
from vivavoce.notation.durations import format_ms
from vivavoce.results.history.records import KeptRun, RunState
from vivavoce.wording.money import money
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
    return format_ms(run.summary.duration_ms)


def about(run: KeptRun) -> str:
    """`nightly · 3f2a90c* on main · gpt-5 · $0.12`: what tells a run from others; empty when nothing is known.

    A star stands for files that were changed and not committed.
    """
    info, usage = run.info, run.summary.usage
    cost = money(usage.cost) if usage is not None and usage.cost else ""
    return " · ".join(filter(None, (identity(structs.replace(info, revision=run.revision)), cost)))


def identity(info: RunInfo) -> str:
    """`nightly · 3f2a90c* on main · gpt-5`: what is known of a run before it begins."""
    return one_line(" · ".join(filter(None, (info.title, checkout(info), ", ".join(info.models)))))


def checkout(info: RunInfo) -> str:
    """`3f2a90c* on main`"""
    commit = f"{info.revision[:7]}{'*' if info.dirty else ''}" if info.revision else ""
    return " on ".join(filter(None, (commit, info.branch)))


def title(run: KeptRun) -> str:
    """`3f2a90c1b7de (2026-11-15 22:10:03, shop, 8/9 passed; nightly · 3f2a90c on main)`"""
    told = f"; {more}" if (more := about(run)) else ""
    return f"{run.info.run_id or 'run'} ({started(run.info)}, {one_line(run.info.agent_id)}, {verdict(run)}{told})"
