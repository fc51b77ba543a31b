"""The use case "are the tests strong?": mutants of recorded conversations, judged by today's cases."""

import asyncio
from collections.abc import Callable, Sequence

from msgspec import Struct

from vivavoce.app.rejudging import Ready, planned_again
from vivavoce.app.request import RunRequest
from vivavoce.containment.captured_output import OutputLog
from vivavoce.containment.stoppable import was_stopped
from vivavoce.engine.rejudging import case_of_recording
from vivavoce.engine.staleness import what_changed
from vivavoce.errors import UsageError
from vivavoce.insight.mutants.case_score import case_score
from vivavoce.insight.mutants.kept_scores import KeptScores
from vivavoce.insight.mutants.mutant import RunPool, pool_of
from vivavoce.insight.mutants.score import CaseScore, LeftOut, MutationReport
from vivavoce.insight.mutants.survival import Trial
from vivavoce.insight.mutants.without_judges import checks_something, without_judges
from vivavoce.metering.expenses import Expenses
from vivavoce.model.case import Case

ONLY_JUDGES = "only judges check it: use --judges"


async def mutate(
    runs: Sequence[str],
    request: RunRequest,
    *,
    judges: bool = False,
    owns_process: bool = False,
    on_case: Callable[[int, int], None] = lambda _done, _of: None,
) -> MutationReport:
    """The score of each recorded case that passes. No agent is called; models are asked only with `judges`.

    With `owns_process`, Ctrl-C ends it with the scores so far. Raises UsageError when no recorded case can be scored.
    """
    scores = KeptScores()
    left_out: list[LeftOut] = []

    async def score_all(ready: Ready) -> None:
        mutation = _Mutation(ready, pool_of(ready.runs.results()), judges, request.seed)
        for case in ready.planned.plan.cases():
            with Expenses(), OutputLog():
                found = await mutation.scored(case)
            if isinstance(found, LeftOut):
                left_out.append(found)
            else:
                scores.add(found)
            on_case(len(scores) + len(left_out), ready.planned.plan.selected)
            await asyncio.sleep(0)  # Ctrl-C is heard here

    async with planned_again(runs, request, ask_judges=judges) as ready:
        stopped = await was_stopped(score_all(ready), request.judge_timeout_s, owns_process=owns_process)
        to_come = ready.planned.plan.selected - len(scores) - len(left_out) if stopped else 0
        unreadable = 0 if any("::" in run for run in runs) else len(ready.runs.problems)
    if not scores and not stopped:
        why = "; ".join(f"{one.key}: {one.why}" for one in left_out[:3])
        judged_only = all(one.why == ONLY_JUDGES for one in left_out) and bool(left_out)
        hint = None if judged_only else "run viva test first; only conversations that pass can be changed"
        raise UsageError(f"no recorded case can be changed: {why}", hint=hint)
    return MutationReport(
        cases=scores,
        left_out=tuple(left_out),
        seed=request.seed,
        with_judges=judges,
        not_reached=to_come,
        unreadable=unreadable,
    )


class _Mutation(Struct, frozen=True):
    ready: Ready
    pool: RunPool
    judges: bool
    seed: int

    async def scored(self, case: Case) -> CaseScore | LeftOut:
        """The score of the first recorded attempt that passes by the case as it reads now, or why there is none."""
        if case.skip is not None:
            return LeftOut(case.key, "it is skipped")
        why = "its recording cannot be read"
        for run in range(1, self.ready.recorded.attempts(case) + 1):
            found = self.ready.recorded.attempt(case, run)
            if found is None:
                continue
            then, recorded = found.case, found.attempt
            if changed := what_changed(self.ready.planned.resources.secrets.masked(case), then):
                why = f"stale: {changed}"
                continue
            try:
                now = case_of_recording(case, then, recorded, self.ready.planned.resources)
            except UsageError as problem:
                why = str(problem)
                continue
            checked = now if self.judges else without_judges(now)
            if checked is not now and not checks_something(checked):
                return LeftOut(case.key, ONLY_JUDGES)
            trial = Trial(checked, recorded, self.ready.planned.resources.helpers)
            if recorded.transcript.ending is None or not await trial.passes(checked, recorded.transcript):
                why = "it does not pass"
                continue
            return case_score(case, run, await trial.fates(self.pool, self.seed))
        return LeftOut(case.key, why)
