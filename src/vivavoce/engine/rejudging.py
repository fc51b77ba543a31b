"""Jobs over recorded conversations: the attempt of each comes from its recording, not from an agent."""

from operator import attrgetter
from typing import Any

from msgspec import structs

from vivavoce.containment.captured_output import OutputLog
from vivavoce.engine.attempt.attempt import contained, without_secrets
from vivavoce.engine.attempt.closing import Closing
from vivavoce.engine.attempt.outcome import rule
from vivavoce.engine.attempt.prepare import judged_at_its_first_reply
from vivavoce.engine.recorded_checks import filled_again
from vivavoce.engine.recorded_verdicts import Recorded
from vivavoce.engine.rejudge import judged_again, not_judged
from vivavoce.engine.staleness import what_changed
from vivavoce.engine.verdict_changes import VerdictChanges
from vivavoce.engine.wiring import RunResources
from vivavoce.metering.clock import now_ms
from vivavoce.metering.expenses import Expenses
from vivavoce.model.case import Case
from vivavoce.model.result import Attempt, CaseResult, Status
from vivavoce.model.transcript import NO_ANSWER, Transcript
from vivavoce.protocols import Job
from vivavoce.results.recorded_cases import RecordedAttempt, RecordedCases
from vivavoce.results.rows import row_line

_decided = attrgetter("status", "fault", "error", "transcript", "verdicts", "final_verdicts", "checkpoints", "warnings")
"""What judging decides of an attempt: the fields that engine.attempt.closing sets."""
_SKIPPED, _ERROR = Status.SKIPPED, Status.ERROR


class Rejudging:
    """Judges recorded attempts by the cases as they read now. `changes` collects the verdicts that differ."""

    def __init__(
        self,
        resources: RunResources,
        recorded: RecordedCases,
        *,
        ask_judges: bool = True,
        reuse: bool = True,
        keeps_lines: bool = False,
    ) -> None:
        """Without `reuse` every judge is asked again, even when the question is the same.

        With `keeps_lines` each attempt is kept until `line_of` asks for it.
        """
        self._resources = resources
        self._recorded = recorded
        self._ask_judges, self._reuse, self._keeps_lines = ask_judges, reuse, keeps_lines
        self.changes = VerdictChanges()
        self._read: dict[int, RecordedAttempt] = {}
        """By the index of their case, until its result is reported."""

    async def attempt(self, job: Job) -> Attempt:
        """protocols.Work."""
        case = job.case
        if case.skip is not None:
            return Attempt(status=Status.SKIPPED, run=job.run, error=case.skip, started_ms=now_ms())
        found = self._recorded.attempt(case, job.run)
        if found is None:
            return Attempt(status=Status.ERROR, run=job.run, fault="test", error="its recording cannot be read")
        attempt = await self.judged(case, found.case, found.attempt)
        self.changes.add(case, found.attempt, attempt)
        if self._keeps_lines:
            self._read[job.index] = found
        return attempt if attempt.run == job.run else structs.replace(attempt, run=job.run)

    def line_of(self, result: CaseResult) -> bytes:
        """The line of a result: the recorded one where nothing in the result is different, which is usual."""
        found = self._read.pop(result.index, None)
        return row_line(result) if found is None or found.result != result else found.line

    async def judged(self, case: Case, then: Case, recorded: Attempt) -> Attempt:
        """The recorded attempt of a case as it read `then`, judged by the case as it reads now.

        The same object where nothing is decided otherwise.
        """
        if changed := what_changed(self._resources.secrets.masked(case), then):
            return _kept(recorded, not_judged(changed, recorded.transcript))
        if recorded.status is _SKIPPED and recorded.transcript.ending is None:
            return _kept(recorded, not_judged("it was skipped when it was recorded", recorded.transcript))
        if recorded.transcript.ending is None or _broke_outside(then, recorded):
            return recorded
        with Expenses() as expenses, OutputLog() as log:
            attempt = await contained(self._judged(case, then, recorded))
        # Only the run that held the conversation knows its time limit.
        is_same_failure = recorded.transcript.ending.reason in NO_ANSWER and attempt.status is recorded.status
        if is_same_failure:
            attempt = structs.replace(attempt, error=recorded.error)
        logs = log.text() or recorded.logs
        if _decided(attempt) == _decided(recorded) and (expenses.usage, logs) == (recorded.overhead, recorded.logs):
            attempt = recorded
        else:
            attempt = _kept(recorded, attempt, overhead=expenses.usage, logs=logs)
        return without_secrets(attempt, self._resources.secrets)

    async def _judged(self, case: Case, then: Case, recorded: Attempt) -> Attempt:
        resources = self._resources
        now = case_of_recording(case, then, recorded, resources)
        verdicts = Recorded(recorded, self._ask_judges, self._reuse, is_whole=not recorded.masked)
        helpers = structs.replace(resources.helpers, recorded=verdicts)
        closing = Closing(
            helpers=helpers,
            timeout_s=now.rules.timeout_s or resources.settings.timeout_s,
            session_id=resources.new_session_id(),
        )
        return await judged_again(now, recorded.transcript, closing)


def case_of_recording(case: Case, then: Case, recorded: Attempt, resources: RunResources) -> Case:
    """The case as it reads now, with its variables filled in and its checks where this recording is judged by them.

    Secrets are masked in it, as they are in the recording: a check that looks for one finds it, or finds it missing.
    """
    now = resources.secrets.masked(filled_again(case, then, recorded, resources))
    return judged_at_its_first_reply(now) if _was_carried_on(then, recorded) else now


def _kept(recorded: Attempt, judged: Attempt, **more: Any) -> Attempt:
    """The attempt with what only the recording holds: times, retries, and the files left behind.

    `more` are further fields to set: a copy of an attempt is costly, so there is only one.
    """
    return structs.replace(
        judged,
        run=recorded.run,
        started_ms=recorded.started_ms,
        duration_ms=_duration_of(judged.transcript, recorded),
        overhead_ms=recorded.overhead_ms,
        retries=recorded.retries,
        workspace=recorded.workspace,
        replayed=recorded.replayed,
        masked=recorded.masked,
        **more,
    )


def _duration_of(judged: Transcript, recorded: Attempt) -> float:
    """How long the agent took for the turns that are judged, which may be fewer now."""
    if len(judged.turns) == len(recorded.transcript.turns):
        return recorded.duration_ms
    return sum(turn.duration_ms for turn in judged.turns)


def _broke_outside(then: Case, recorded: Attempt) -> bool:
    """Whether a hook, a tape or a span made the attempt an error. It stays an error."""
    if recorded.status is not _ERROR:
        return False
    ruling = rule(then, recorded.transcript, recorded.all_verdicts(), recorded.checkpoints, 0.0)
    return ruling.error != recorded.error


def _was_carried_on(then: Case, recorded: Attempt) -> bool:
    """Whether `--simulator` or `--interactive` made a conversation of a plain `input` case."""
    turns = recorded.transcript.turns
    if then.rules.multi_turn or not turns or not then.turns:
        return False
    more_checks = len(turns[0].line.assertions) > len(then.turns[0].assertions)
    return more_checks or {turn.line.source for turn in turns} != {"static"}
