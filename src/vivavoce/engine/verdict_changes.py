"""Which verdicts changed when recorded conversations were judged again."""

from msgspec import Struct

from vivavoce.model.case import Case
from vivavoce.model.result import Attempt, Status

_MOST_KEPT = 1_000


class VerdictChange(Struct, frozen=True):
    """One recorded attempt whose verdict is another one now."""

    key: str
    run: int
    was: Status
    now: Status
    why: str
    """Why it does not pass now, or what it did not pass for then."""


class VerdictChanges:
    """Counts all changes, keeps the first thousand."""

    def __init__(self) -> None:
        self.kept: list[VerdictChange] = []
        self.count = 0
        self.judged = 0
        """Conversations that were judged again, changed or not."""
        self.stale = 0

    def add(self, case: Case, was: Attempt, now: Attempt) -> None:
        if now.status is Status.NOT_RUN:
            self.stale += 1
            return
        self.judged += 1
        if now is was:
            return
        if was.status is now.status and not _a_check_decided_otherwise(was, now):
            return
        self.count += 1
        if len(self.kept) < _MOST_KEPT:
            why = now.error if now.error is not None else was.error
            self.kept.append(VerdictChange(case.key, now.run, was.status, now.status, why or ""))


def _a_check_decided_otherwise(was: Attempt, now: Attempt) -> bool:
    """Whether an unchanged check has another outcome. New and removed checks do not count."""
    if [verdict.outcome for verdict in was.all_verdicts()] == [verdict.outcome for verdict in now.all_verdicts()]:
        return False
    rest = [(verdict.spec, verdict.outcome) for verdict in now.all_verdicts()]
    for verdict in was.all_verdicts():
        for at, (spec, outcome) in enumerate(rest):
            if spec == verdict.spec:
                if outcome is not verdict.outcome:
                    return True
                del rest[at]
                break
    return False
