"""`viva flaky --why`: judges the failed conversations of flaky cases again, without calling the agent."""

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from vivavoce.app.history_keeping import open_history
from vivavoce.app.request import RunRequest
from vivavoce.engine.rejudging import Rejudging
from vivavoce.engine.wiring import RunResources
from vivavoce.insight.flakiness import FlakyCase
from vivavoce.insight.flaky_reasons import FlakyReasons, blame
from vivavoce.model.case import Case
from vivavoce.model.result import UNSUCCESSFUL, Attempt, Status
from vivavoce.model.verdict import Fault
from vivavoce.project.project import Project
from vivavoce.results.recorded_cases import RecordedCases
from vivavoce.results.recorded_runs import RecordedRuns, recorded_runs

AGAIN = 3
"""How often a conversation is judged again, unless told otherwise."""
MOST_CONVERSATIONS = 5
"""Failed conversations looked at per case, the newest."""
_MOST_PASSED = 20


class _Conversations(Struct):
    failed: list[tuple[Case, Attempt]] = []
    passed: list[Attempt] = []


async def reasons_of(flaky: Sequence[FlakyCase], project: Project, again: int = AGAIN) -> list[FlakyReasons | None]:
    """Returns the reasons for each case, in the same order; None where no failed conversation is kept any more."""
    kept = [run.info.run_id for run in open_history(project).runs()]
    if not flaky or not kept:
        return [None] * len(flaky)
    runs = recorded_runs(kept, project)
    found = _conversations(flaky, runs)
    resources = RunResources(project, RunRequest.of({}).with_defaults(project.config.run).settings())
    try:
        rejudging = Rejudging(resources, RecordedCases(runs), reuse=False)
        return [await _reasons(found[case.key, case.agent], rejudging, again) for case in flaky]
    finally:
        await resources.close()


def _conversations(flaky: Sequence[FlakyCase], runs: RecordedRuns) -> dict[tuple[str, str], _Conversations]:
    """Collects the newest conversations of these cases; the runs come newest first."""
    found = {(case.key, case.agent): _Conversations() for case in flaky}
    keys = {case.key for case in flaky}
    for place, head in runs.heads():
        if head.key not in keys or (result := runs.result_at(place)) is None:
            continue
        info = runs.infos[place.run]
        agent = info.agent_for(result.case.agent, result.case.origin.path)
        if (of_case := found.get((head.key, agent))) is None:
            continue
        for attempt in result.attempts:
            if attempt.status is Status.PASSED and len(of_case.passed) < _MOST_PASSED:
                of_case.passed.append(attempt)
            elif attempt.status in UNSUCCESSFUL and len(of_case.failed) < MOST_CONVERSATIONS:
                of_case.failed.append((result.case, attempt))
    return found


async def _reasons(found: _Conversations, rejudging: Rejudging, again: int) -> FlakyReasons | None:
    if not found.failed:
        return None
    blamed: Counter[Fault] = Counter()
    for case, attempt in found.failed:
        judged = [(await rejudging.judged(case, case, attempt)).status for _ in range(again)]
        blamed[blame(attempt, judged, found.passed)] += 1
    return FlakyReasons(blamed=dict(blamed.most_common()), again=again)
