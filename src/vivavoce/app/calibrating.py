"""The use case "how good are the judges?": their verdicts in recorded runs beside the labels of people."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from vivavoce.app.rejudging import Ready, planned_again
from vivavoce.app.request import RunRequest
from vivavoce.containment.stoppable import was_stopped
from vivavoce.engine.rejudging import Rejudging
from vivavoce.errors import UsageError
from vivavoce.insight.calibration.conversations import Conversation, conversations, digest_of
from vivavoce.insight.calibration.judgements import judgements
from vivavoce.insight.calibration.labels import Labels
from vivavoce.insight.calibration.measures import Measure, measures
from vivavoce.insight.calibration.ratings import Ratings
from vivavoce.insight.calibration.wording import markdown
from vivavoce.model.case import Case
from vivavoce.project.project import Project
from vivavoce.project.redaction import Secrets
from vivavoce.project.whole_files import write_whole
from vivavoce.project.written_files import note_written, refuse_foreign
from vivavoce.results.recorded_runs import recorded_runs
from vivavoce.wording.plurals import counted

FORMATS = (".json", ".md")


class Calibration(Struct, frozen=True):
    measures: list[Measure]
    notes: list[str]
    interrupted: bool = False
    """Whether Ctrl-C ended the asking."""
    unreadable: int = 0
    """Lines of the recording that cannot be read: no limit is met, as nobody knows what they held."""

    def below(self, min_kappa: float) -> list[Measure]:
        """Returns what is below the limit: each judge as a whole, and its criteria with enough labels. A kappa that
        cannot be computed is below any limit.
        """
        judges = {one.judge: one for one in reversed(self.measures)}.values()
        return [
            one
            for one in self.measures
            if (one.kappa is None or one.kappa < min_kappa) and (one in judges or one.is_enough)
        ]


async def calibrate(
    runs: Sequence[str],
    labels: Labels,
    project: Project,
    request: RunRequest,
    *,
    again: int = 0,
    secrets: Secrets | None = None,
    announce: Callable[[str], None] = lambda _: None,
    on_answer: Callable[[int, int], None] = lambda _done, _of: None,
    owns_process: bool = False,
) -> Calibration:
    """Compares what judges said in the runs with the labels; `again` asks each judge so many more times.

    With `owns_process`, Ctrl-C ends the asking; the answers so far count. Raises UsageError when no labelled
    conversation was judged.
    """
    ratings = Ratings(labels)
    recorded = recorded_runs(runs, project)
    for one in conversations(recorded.results()):
        ratings.add(one)
    where = ", ".join(runs) or "last"
    if not any(True for _ in ratings):
        what = "none of its judged conversations has a label" if ratings.unlabelled else "no judge was asked in it"
        raise UsageError(what, at=where, hint="label some: viva label RUN" if ratings.unlabelled else None)
    notes = [str(problem) for problem in recorded.problems]
    interrupted = False
    if again:
        async with planned_again(runs, request, secrets=secrets) as ready:
            asking = _AskingAgain(ready, ratings, again, announce, on_answer)
            interrupted = await was_stopped(asking.run(), request.judge_timeout_s, owns_process=owns_process)
            notes += asking.notes(interrupted=interrupted)
    unreadable = 0 if any("::" in run for run in runs) else len(recorded.problems)
    return Calibration(measures(ratings), [*notes, *_notes(ratings)], interrupted, unreadable)


class _AskingAgain:
    """Asks the judges of every labelled conversation again, as many at once as a run would."""

    def __init__(
        self,
        ready: Ready,
        ratings: Ratings,
        again: int,
        announce: Callable[[str], None],
        on_answer: Callable[[int, int], None],
    ) -> None:
        self._ready = ready
        self._ratings = ratings
        self._again = again
        self._announce = announce
        self._on_answer = on_answer
        self._wanted: dict[tuple[str, str], tuple[Case, Conversation]] = {}
        self._answers = 0
        self._stale = 0
        self._left_out = 0

    async def run(self) -> None:
        self._choose()
        wanted, again = self._wanted, self._again
        self._announce(f"asking the judges of {counted(len(wanted), 'conversation')} {counted(again, 'more time')}")
        rejudging = Rejudging(self._ready.planned.resources, self._ready.recorded, reuse=False)
        gate = asyncio.Semaphore(self._ready.planned.request.parallel)

        async def ask(case: Case, one: Conversation) -> None:
            async with gate:
                judged = await rejudging.judged(case, one.case, one.attempt)
            self._answers += 1
            self._on_answer(self._answers, len(wanted) * again)
            self._stale += not any(True for _ in judgements(judged))
            self._ratings.add(one, judged)

        async with asyncio.TaskGroup() as group:
            for case, one in wanted.values():
                for _ in range(again):
                    group.create_task(ask(case, one))

    def _choose(self) -> None:
        ready = self._ready
        for case in ready.planned.plan.cases():
            if case.workspace is not None:  # a judge would miss the files it saw
                self._left_out += 1
                continue
            for run in range(1, ready.recorded.attempts(case) + 1):
                found = ready.recorded.attempt(case, run)
                if found is not None and found.attempt.transcript.turns:
                    one = Conversation(found.case, found.attempt, digest_of(found.attempt.transcript))
                    if self._ratings.has(one):
                        self._wanted[case.id, one.digest] = (case, one)

    def notes(self, *, interrupted: bool) -> list[str]:
        notes: list[str] = []
        if interrupted:
            all_of_them = len(self._wanted) * self._again
            notes.append(f"stopped early (ctrl-c): {self._answers} of {counted(all_of_them, 'answer')}")
        if self._stale:
            notes.append(f"{counted(self._stale, 'answer')} could not be had again: the case reads differently now")
        if self._left_out:
            notes.append(f"{counted(self._left_out, 'case')} with a workspace not asked again: its files are gone")
        return notes


def _notes(ratings: Ratings) -> list[str]:
    notes: list[str] = []
    if ratings.unlabelled:
        notes.append(f"{counted(ratings.unlabelled, 'judged conversation has', 'judged conversations have')} no label")
    if ratings.one_label_for_several_criteria:
        count = counted(ratings.one_label_for_several_criteria, "conversation has", "conversations have")
        notes.append(f"{count} one label for several criteria: viva label --criteria asks about each")
    return notes


def write_calibration(found: Calibration, outputs: Sequence[str], project: Project) -> None:
    """Writes it as JSON or Markdown, by the end of each file's name. Raises UsageError, OSError."""
    for output in outputs:
        path = Path(output)
        refuse_foreign(path, project, at="-o")
        if path.suffix == ".json":
            text = msgspec.json.format(msgspec.json.encode(found), indent=2).decode() + "\n"
        else:
            text = markdown(found.measures, found.notes)
        write_whole(text, path)
        note_written(path, project)


def refuse_other_formats(outputs: Sequence[str]) -> None:
    """Raises UsageError before anybody is asked."""
    for output in outputs:
        if Path(output).suffix not in FORMATS:
            raise UsageError(f"{output}: this format is not known", at="-o", hint=f"it ends in {' or '.join(FORMATS)}")
