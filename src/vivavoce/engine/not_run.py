"""Results of cases that a stopped run did not begin or did not finish."""

from msgspec import structs

from vivavoce.engine.repeats import is_decided
from vivavoce.model.result import Attempt, CaseResult, Status
from vivavoce.protocols import Job


def not_run(job: Job, why: str) -> CaseResult:
    """The result of a case that was selected and not run; a skipped case stays skipped."""
    case = job.case
    if case.skip is not None:
        attempt = Attempt(status=Status.SKIPPED, error=case.skip)
    else:
        attempt = Attempt(status=Status.NOT_RUN, error=f"not run: {why}")
    return CaseResult(case=case, status=attempt.status, attempts=(attempt,), index=job.index)


def unfinished(job: Job, so_far: CaseResult, why: str) -> CaseResult:
    """The result of a case some of whose runs are missing: its status when they cannot change it, else `not_run`."""
    came = so_far.attempts
    if is_decided(job.case, job.runs, [attempt.status for attempt in came]):
        return so_far
    missing = Attempt(
        status=Status.NOT_RUN, run=len(came) + 1, error=f"{len(came)} of {job.runs} runs came to their end: {why}"
    )
    return structs.replace(so_far, status=Status.NOT_RUN, attempts=(*came, missing))
