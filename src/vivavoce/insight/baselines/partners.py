"""Finds the case of a baseline for each case of a run: by file, id and agent, or by fewer of these after a rename."""

from collections.abc import Callable, Iterable, Sequence

from vivavoce.insight.baselines.baseline import BaselineCase

CaseKey = tuple[str, str]
"""Key and agent of a case."""


def partners_of(earlier: Sequence[BaselineCase], later: Sequence[BaselineCase]) -> dict[CaseKey, BaselineCase]:
    """Returns the case of the baseline for each case of a run that has one.

    When no case has the same agent, the same file and id are enough, if both sides have them once. When the file was
    renamed, the id is enough, if both sides have it once.
    """
    known = {(case.key, case.agent): case for case in earlier}
    found = {(case.key, case.agent): known[case.key, case.agent] for case in later if (case.key, case.agent) in known}
    for name in (_key, _id):
        taken = {(case.key, case.agent) for case in found.values()}
        free = _once(name, (case for case in earlier if (case.key, case.agent) not in taken))
        unmatched = _once(name, (case for case in later if (case.key, case.agent) not in found))
        for value, case in unmatched.items():
            if value in free:
                found[case.key, case.agent] = free[value]
    return found


def _key(case: BaselineCase) -> str:
    return case.key


def _id(case: BaselineCase) -> str:
    return case.id


def _once(name: Callable[[BaselineCase], str], cases: Iterable[BaselineCase]) -> dict[str, BaselineCase]:
    """Returns the cases whose name is unique, by that name."""
    found: dict[str, list[BaselineCase]] = {}
    for case in cases:
        found.setdefault(name(case), []).append(case)
    return {value: same[0] for value, same in found.items() if len(same) == 1}
