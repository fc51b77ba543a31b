"""`vivavoce.rejudge` and `vivavoce.arejudge`: recorded conversations judged again, from Python."""

import os
from pathlib import Path

from vivavoce.api.report import Report
from vivavoce.api.running import KeptResults
from vivavoce.api.waiting import for_people, waits_for
from vivavoce.app.rejudging import rejudge as judge_again
from vivavoce.app.request import RunRequest
from vivavoce.errors import UsageError
from vivavoce.project.option import Texts, texts_of
from vivavoce.wording.plurals import counted


@for_people
async def arejudge(
    *runs: str | Path,
    cases: Texts = (),
    outputs: Texts = (),
    judges: bool = True,
    allow_stale: bool = False,
    connector: str | None = None,
    config: str | Path | None = None,
) -> Report:
    """Judges recorded runs (result files, `last`, run ids; default: `last`) by their cases as they read now.

    No agent under test is called. Raises UsageError for a run that does not exist and for cases that are not in order.
    """
    asked = {
        "inputs": texts_of(cases) or None,
        "outputs": texts_of(outputs) or None,
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


rejudge = waits_for(arejudge, "rejudge")
