"""Cases with several runs: collects the runs, which finish in any order, until the case is complete."""

from collections.abc import Iterator, Sequence

from vivavoce.model.case import Case
from vivavoce.model.result import UNSUCCESSFUL, Attempt, Status
from vivavoce.protocols import Job


class Repeats:
    """Collects the runs of each case. With early stop it says which runs are no longer needed."""

    def __init__(self, *, early_stop: bool = False) -> None:
        self._early_stop = early_stop
        self._begun: dict[int, int] = {}
        """How many runs were started, for each case that is not complete."""
        self._came: dict[int, list[tuple[Job, Attempt]]] = {}
        self._handing_out = 0
        self._over = 0
        """The case that was decided while its runs were still being started."""

    def wants(self, job: Job) -> bool:
        """Whether this run is still needed. If so, it is counted as started."""
        if self._early_stop and (job.index == self._over or self._is_decided(job)):
            return False
        self._handing_out = job.index
        self._begun[job.index] = self._begun.get(job.index, 0) + 1
        return True

    def came_in(self, job: Job, attempt: Attempt) -> tuple[Attempt, ...] | None:
        """Returns all runs of the case in order when no more are expected, else None."""
        came = self._came.setdefault(job.index, [])
        came.append((job, attempt))
        if len(came) < job.runs and not (len(came) == self._begun[job.index] and self._is_decided(job)):
            return None
        if job.index == self._handing_out:
            self._over = job.index
        return self._taken(job.index)[1]

    def rest(self) -> Iterator[tuple[Job, tuple[Attempt, ...]]]:
        """Yields the attempts of cases that a stopped run left incomplete."""
        for index in sorted(self._came):
            yield self._taken(index)

    def _is_decided(self, job: Job) -> bool:
        came = self._came.get(job.index)
        return self._early_stop and came is not None and is_decided(job.case, job.runs, [a.status for _, a in came])

    def _taken(self, index: int) -> tuple[Job, tuple[Attempt, ...]]:
        del self._begun[index]
        in_order = sorted(self._came.pop(index), key=lambda pair: pair[0].run)
        return in_order[0][0], tuple(attempt for _, attempt in in_order)


def is_decided(case: Case, runs: int, ended: Sequence[Status]) -> bool:
    """Whether no further attempt could change the case's status: enough passed, or enough no longer can."""
    passed = sum(status is Status.PASSED for status in ended)
    if case.min_pass is None:
        return any(status in UNSUCCESSFUL for status in ended)
    return passed >= case.min_pass or passed + runs - len(ended) < case.min_pass


def is_final(case: Case, runs: int, ended: Sequence[Status], *, early_stop: bool) -> bool:
    """Whether all attempts of the case are there, or no more are needed."""
    if Status.NOT_RUN in ended:
        return False
    return len(ended) == runs or (early_stop and len(ended) < runs and is_decided(case, runs, ended))
