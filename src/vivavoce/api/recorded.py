"""`vivavoce.coverage`, `mutate` and `shrink` with their async twins: what recorded runs tell, from Python."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from vivavoce.api.waiting import for_people, waits_for
from vivavoce.app.candidates import CandidateLimits
from vivavoce.app.covering import measure_coverage
from vivavoce.app.mutating import mutate as mutate_recorded
from vivavoce.app.request import RunRequest
from vivavoce.app.shrinking import Shrinking, Step, shrink_recorded
from vivavoce.app.shrunk_file import write_shrunk
from vivavoce.errors import UsageError
from vivavoce.insight.mutants.score import MutationReport
from vivavoce.model.coverage import Coverage
from vivavoce.project.option import Texts, texts_of


@for_people
async def acoverage(
    *runs: str | Path,
    cases: Texts = (),
    judges: bool = False,
    connector: str | None = None,
    config: str | Path | None = None,
) -> Coverage:
    """What recorded runs (result files, `last`, run ids; default: `last`) exercised of the agent, and what a check of
    the cases as they read now would miss. No agent under test is called; judges are asked only with `judges`.

    Raises UsageError when there is nothing to measure.
    """
    request = _request(cases, connector=connector, config=config)
    return await measure_coverage([str(run) for run in runs], request, judges=judges)


@for_people
async def amutate(
    *runs: str | Path,
    cases: Texts = (),
    judges: bool = False,
    seed: int = 0,
    connector: str | None = None,
    config: str | Path | None = None,
) -> MutationReport:
    """Changes each recorded conversation that passes in one way at a time and judges it by the cases as they read now.

    No agent is called; judges are asked only with `judges`. Raises UsageError when no recorded case can be changed.
    """
    request = _request(cases, connector=connector, config=config, seed=seed)
    return await mutate_recorded([str(run) for run in runs], request, judges=judges)


@for_people
async def ashrink(
    run: str | Path,
    *,
    agent: object = None,
    runs: int | None = None,
    min_fail: int = 1,
    candidates: int = 200,
    output: str | Path | None = None,
    on_step: Callable[[Step], None] = lambda step: None,
    cases: Texts = (),
    **options: Any,
) -> Shrinking:
    """Repeats a recorded conversation that failed (`out.jsonl::CASE`) with less and less in it, as long as the same
    check fails. With `output` the smallest case is added to that file.

    The agent (a reference, or a live object) is called; without one it is that of the recorded run. `options` are those
    of `vivavoce.run` about calls: `connector`, `context`, `timeout`, `budget`, `time_limit`, `parallel`, `config`, ….
    Raises UsageError when the run names no case that failed, or several.
    """
    request = _request(cases, agent=agent, runs=runs, **options)
    if runs is not None and min_fail > runs:
        raise UsageError(f"a candidate cannot fail {min_fail} times in {runs} runs", hint="raise runs=")
    limits = CandidateLimits(
        runs=runs or min_fail, min_fail=min_fail, most=candidates, time_limit_s=request.time_limit_s
    )
    found = await shrink_recorded(str(run), request, limits, on_step)
    if output is not None and found.smallest is not None:
        write_shrunk(found, str(run), str(output))
    return found


coverage = waits_for(acoverage, "coverage")
mutate = waits_for(amutate, "mutate")
shrink = waits_for(ashrink, "shrink")


def _request(cases: Texts, **given: Any) -> RunRequest:
    return RunRequest.of({"inputs": texts_of(cases) or None, **given}, os.environ)
