"""Which case of a baseline a case of a run is: the same file, id and agent, or what is left of these."""

from collections.abc import Callable, Iterable, Sequence

from vivavoce.insight.baselines.baseline import BaselineCase

CaseKey = tuple[str, str]
"""Key and agent of a case."""


def partners_of(earlier: Sequence[BaselineCase], later: Sequence[BaselineCase]) -> dict[CaseKey, BaselineCase]:
    """Returns the case of the baseline for each case of a run that has one.

    Where the agent was renamed, or is another one, the same file and id decide, if the baseline has them once. Where
    the file was renamed, the id decides, if both sides have it once.
    """
    known = {(case.key, case.agent): case for case in earlier}
    found = {(case.key, case.agent): known[case.key, case.agent] for case in later if (case.key, case.agent) in known}
    for name in (_key, _id):
        taken = {(case.key, case.agent) for case in found.values()}
        free = _once(name, (case for case in earlier if (case.key, case.agent) not in taken))
        lonely = _once(name, (case for case in later if (case.key, case.agent) not in found))
        for value, case in lonely.items():
            if value in free:
                found[case.key, case.agent] = free[value]
    return found


def _key(case: BaselineCase) -> str:
    return case.key


def _id(case: BaselineCase) -> str:
    return case.id


def _once(name: Callable[[BaselineCase], str], cases: Iterable[BaselineCase]) -> dict[str, BaselineCase]:
    """Returns the cases by a name that no other of them has."""
    found: dict[str, list[BaselineCase]] = {}
    for case in cases:
        found.setdefault(name(case), []).append(case)
    return {value: same[0] for value, same in found.items() if len(same) == 1}
