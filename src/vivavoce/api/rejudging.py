"""`vivavoce.rejudge` and `vivavoce.arejudge`: recorded conversations judged again, from Python."""

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path

from vivavoce.api.keywords import in_python
from vivavoce.api.report import Report
from vivavoce.api.running import KeptResults
from vivavoce.app.rejudging import rejudge as judge_again
from vivavoce.app.request import RunRequest
from vivavoce.containment.running_loop import loop_is_running
from vivavoce.errors import UsageError, VivaError
from vivavoce.wording.plurals import counted


async def arejudge(
    *runs: str | Path,
    cases: str | Path | Sequence[str | Path] = (),
    outputs: str | Path | Sequence[str | Path] = (),
    judges: bool = True,
    allow_stale: bool = False,
    connector: str | None = None,
    config: str | Path | None = None,
) -> Report:
    """Judges recorded runs (result files, `last`, run ids; default: `last`) by their cases as they read now.

    No agent under test is called. Raises UsageError for a run that does not exist and for cases that are not in order.
    """
    try:
        return await _report(runs, cases, outputs, judges, allow_stale, connector, config)
    except VivaError as problem:
        raise in_python(problem).with_traceback(None) from None


def rejudge(
    *runs: str | Path,
    cases: str | Path | Sequence[str | Path] = (),
    outputs: str | Path | Sequence[str | Path] = (),
    judges: bool = True,
    allow_stale: bool = False,
    connector: str | None = None,
    config: str | Path | None = None,
) -> Report:
    """The same as `arejudge`, for programs without an event loop: waits for the report."""
    if loop_is_running():
        raise UsageError("vivavoce.rejudge cannot wait inside a running event loop", hint="await vivavoce.arejudge")
    try:
        return asyncio.run(_report(runs, cases, outputs, judges, allow_stale, connector, config))
    except VivaError as problem:
        raise in_python(problem).with_traceback(None) from None


async def _report(
    runs: Sequence[str | Path],
    cases: str | Path | Sequence[str | Path],
    outputs: str | Path | Sequence[str | Path],
    judges: bool,
    allow_stale: bool,
    connector: str | None,
    config: str | Path | None,
) -> Report:
    asked = {
        "inputs": _texts(cases) or None,
        "outputs": _texts(outputs) or None,
        "connector": connector,
        "config": config,
        "allow_not_run": True if allow_stale else None,
    }
    results = KeptResults()
    request = RunRequest.of(asked, os.environ)
    rejudged = await judge_again([str(run) for run in runs], request, [results], ask_judges=judges)
    outcome = rejudged.outcome
    if rejudged.unreadable:
        lines = counted(rejudged.unreadable, "line")
        raise UsageError(f"{lines} of the recording cannot be read", hint="name the cases to judge: RUN::CASE")
    return Report(info=outcome.info, summary=outcome.summary, kept=results.in_order(), allow_not_run=allow_stale)


def _texts(given: str | Path | Sequence[str | Path]) -> tuple[str, ...]:
    return (str(given),) if isinstance(given, str | Path) else tuple(map(str, given))
