"""The use case "are the tests strong?": mutants of recorded conversations, judged by today's cases."""

from collections.abc import Sequence

from msgspec import Struct

from vivavoce.app.rejudging import planned_again
from vivavoce.app.request import RunRequest
from vivavoce.engine.recorded_checks import filled_again
from vivavoce.engine.rejudging import Rejudging
from vivavoce.engine.staleness import what_changed
from vivavoce.errors import UsageError
from vivavoce.insight.mutants.mutant import Mutant
from vivavoce.insight.mutants.survival import fates
from vivavoce.model.result import Status


class CaseScore(Struct, frozen=True):
    key: str
    mutants: int
    survivors: tuple[Mutant, ...]


async def mutate(runs: Sequence[str], request: RunRequest, *, judges: bool = False) -> list[CaseScore]:
    """The score of each recorded case that passes and still reads the same. Raises UsageError when there is none."""
    scores: list[CaseScore] = []
    async with planned_again(runs, request, ask_judges=judges) as ready:
        workshop = ready.planned.workshop
        rejudging = Rejudging(workshop, ready.recorded, ask_judges=judges)
        for case in ready.planned.plan.cases():
            found = None if case.skip is not None else ready.recorded.attempt(case, 1)
            if found is None or what_changed(case, found[0]):
                continue
            then, recorded = found
            if (await rejudging.judged(case, then, recorded)).status is not Status.PASSED:
                continue
            filled = filled_again(case, then, recorded, workshop)
            came = await fates(filled, recorded, workshop.helpers, judges=judges)
            scores.append(CaseScore(case.key, len(came), tuple(one.mutant for one in came if not one.noticed)))
    if not scores:
        raise UsageError("no recorded case passes: there is nothing to change", hint="run viva test first")
    return scores
