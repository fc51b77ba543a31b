"""Counts which mutants of one case were noticed."""

from collections.abc import Sequence

from vivavoce.insight.mutants.score import CaseScore, Counts, Survivor
from vivavoce.insight.mutants.survival import Fate
from vivavoce.model.case import Case
from vivavoce.model.mutant_kinds import MutantKind

_LONGEST = 2_000


def case_score(case: Case, run: int, fates: Sequence[Fate]) -> CaseScore:
    """Survivors of a kind that the case allows are not listed and do not count."""
    kinds: dict[MutantKind, Counts] = {}
    survivors: list[Survivor] = []
    unlimited: list[Survivor] = []
    for fate in fates:
        kind = fate.mutant.kind
        if fate.noticed:
            one = Counts(noticed=1)
        elif kind in case.mutants_allowed:
            one = Counts(allowed=1)
        elif fate.counts:
            one = Counts(survived=1)
            survivors.append(_survivor(fate))
        else:
            one = Counts(unlimited=1)
            unlimited.append(_survivor(fate))
        kinds[kind] = kinds.get(kind, Counts()).plus(one)
    return CaseScore(
        key=case.key,
        id=case.id,
        file=case.origin.path,
        run=run,
        kinds=kinds,
        survivors=tuple(survivors),
        unlimited=tuple(unlimited),
    )


def _survivor(fate: Fate) -> Survivor:
    mutant = fate.mutant
    return Survivor(
        kind=mutant.kind,
        turn=mutant.turn,
        element=mutant.element,
        change=mutant.change,
        before=mutant.before[:_LONGEST],
        after=mutant.after[:_LONGEST],
        suggestion=fate.suggestion,
    )
