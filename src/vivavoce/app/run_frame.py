"""Everything around the conversations of one run: hooks, result files, history, reports, listeners."""

import sys
from collections.abc import Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, structs

from vivavoce.app.agent_versions import with_agents
from vivavoce.app.drift_watch import DriftWatch
from vivavoce.app.exam import exam_of
from vivavoce.app.history_keeping import HistoryKeeping
from vivavoce.app.listening import Listener, RunAhead, RunDone
from vivavoce.app.outputs import Outputs
from vivavoce.app.planning import Planned, left_out, run_info
from vivavoce.app.reporting import ChosenReport, chosen_report
from vivavoce.app.request import RunRequest
from vivavoce.app.run_hooks import RunHooks
from vivavoce.containment.guard_process import note_results
from vivavoce.containment.left_running import left_running
from vivavoce.containment.safe_stream import data_stream
from vivavoce.containment.working_folder import path_from_here
from vivavoce.engine.run import GENTLE_STOPS
from vivavoce.engine.spending import Budgets
from vivavoce.errors import EXIT_BROKEN, EXIT_INTERRUPTED, UsageError, exit_code_of
from vivavoce.model.events import CaseFinished, Event
from vivavoce.model.result import RunInfo, Summary
from vivavoce.model.tally import Tally
from vivavoce.plugins.catalog import JOURNAL
from vivavoce.project.revision import GitStatus
from vivavoce.protocols import Reporter, Source
from vivavoce.results.attachments import AttachmentStore
from vivavoce.results.journal import JsonlReporter
from vivavoce.results.rows import row_line
from vivavoce.sources.folder_search import QUARANTINE_FILE
from vivavoce.sources.overwriting import refuse_losing_cases, refuse_overwriting

if TYPE_CHECKING:
    from vivavoce.app.baselines import BaselineCheck
    from vivavoce.app.quarantining import QuarantineInUse
    from vivavoce.results.resume import Earlier


class Outcome(Struct, frozen=True):
    """What a run came to."""

    info: RunInfo
    summary: Summary
    exit_code: int


class RunFrame:
    """Opened before the first agent is called, so that problems are reported early. Used once."""

    def __init__(
        self,
        planned: Planned,
        listeners: Sequence[Listener],
        *,
        info: RunInfo | None = None,
        spending: Budgets | None = None,
    ) -> None:
        """Without `info`, which a run that calls no agent gives, it is made from the plan. `spending` is a budget that
        others spend too; without it, the budget of the request is for this run alone."""
        request, plan, resources = planned.request, planned.plan, planned.resources
        self.planned = planned
        self.info = info or run_info(planned)
        # A run that keeps no results leaves no key behind either.
        is_written = request.default_file or request.files or request.history
        if info is None and ((planned.is_kept and is_written) or _is_to_be_resumed(request)):
            git = GitStatus(resources.project.root)
            exam = exam_of(planned)
            self.info = with_agents(structs.replace(self.info, exam=exam), planned)
            commit, branch, dirty = git.checkout()
            self.info = structs.replace(self.info, revision=commit, branch=branch, dirty=dirty)
        self.info = resources.secrets.masked(self.info)
        self._hooks = RunHooks(request.before, request.after, resources, next(plan.cases()))
        self._chosen = chosen_report(request.reporter, request.files, resources, verbose=request.verbose)
        self.earlier = self._earlier()
        if self.earlier is not None:
            self.info = structs.replace(self.info, started_at=self.earlier.started_at)
        # Before a file is opened: an unknown baseline leaves nothing behind.
        self.baseline = self._baseline_check()
        self.quarantine = self._quarantine()
        watches_drift = info is None and request.history and planned.is_kept and not self.info.contenders
        self.drift = DriftWatch(self.info, resources.project) if watches_drift else None
        self.outputs = self._open_outputs()
        if (kept := self.outputs.result_file) is not None:
            note_results(resources.project.shown(kept))
        self.tally = Tally(plan.selected)
        allowance = request.allowance
        spent = resources.expenses.usage
        self.spending = spending or (None if allowance is None else Budgets(allowance, spent, plan.contenders))
        wanted = request.history and planned.is_kept
        self.history = HistoryKeeping(resources.project, wanted=wanted, keep=request.keep, totals=self.tally.summary)
        self._attachments = AttachmentStore(resources.project.state_dir)
        self.writes_lines = self.outputs.has_journal or request.history or request.streams_results
        """Whether a result file, the history or standard output takes the line of each result."""
        self._listeners = listeners
        checks: list[Reporter] = [one for one in (self.baseline, self.drift) if one is not None]
        self._reporters: list[Reporter] = [self.outputs, *self._stream(), *checks, *listeners, self.history]

    # ── while it goes on ──

    async def begin(self) -> None:
        """Starts the agents' servers and runs `--before`. Raises VivaError when one of them fails."""
        ahead = RunAhead(
            info=self.info,
            request=self.planned.request,
            only_messages=self.planned.only_messages,
            left_out=left_out(self.planned.plan),
            is_kept=self.planned.request.history and self.planned.is_kept,
        )
        for listener in self._listeners:
            listener.starting(ahead)
        await self.planned.resources.served.start()
        await self._hooks.run_before(self.info)

    @property
    def wants_every_step(self) -> bool:
        """Whether a listener wants the events of attempts and turns, not only of finished cases."""
        return any(listener.wants_every_step for listener in self._listeners)

    def warnings(self) -> tuple[str, ...]:
        """Returns the warnings about the run as a whole, once all cases are done."""
        drift = () if self.drift is None else self.drift.warnings()
        left = left_running()
        running = (f"could not end what commands started: {', '.join(left)}",) if left else ()
        return (*self.planned.resources.tape_warnings(), *drift, *running)

    def emit(self, event: Event) -> None:
        """Passes an event to all reporters, without secrets. Every event of a run goes through here."""
        event = self._masked(event)
        if type(event) is CaseFinished and self.writes_lines:
            line = self._attachments.keep(event.line or row_line(event.result))
            if line is not event.line:
                event = CaseFinished(event.result, line)
        for reporter in self._reporters:
            reporter.handle(event)

    def _masked(self, event: Event) -> Event:
        secrets = self.planned.resources.secrets
        if not isinstance(event, CaseFinished) or not event.line:
            return secrets.masked(event)
        if not secrets.are_in(event.line):
            return event
        result = secrets.masked(event.result)
        return structs.replace(event, result=result, line=row_line(result))

    async def finish(self, summary: Summary) -> Outcome:
        """Writes what is written once all results are there, and tells the listeners."""
        outputs = self.outputs
        summary = self.planned.resources.secrets.masked(summary)
        outputs.close()
        outputs.write_documents(self.info, summary)
        reported = self._chosen is None or await self._write_report(self._chosen, summary)
        shown = self.planned.resources.project.shown
        kept = outputs.result_file
        allow_not_run = self.planned.request.allow_not_run
        code, against = exit_code_of(summary, allow_not_run=allow_not_run), None
        if self.baseline is not None:
            against = self.baseline.conclude(summary, allow_not_run=allow_not_run)
            code = against.exit_code
        done = RunDone(
            info=self.info,
            summary=summary,
            files=tuple(shown(path) for path in outputs.files),
            result_file=None if kept is None else shown(kept),
            against_baseline=() if against is None else against.lines,
            changed=None if against is None else against.changed,
            exit_code=code,
            report=partial(outputs.report, self.info, summary) if outputs.has_journal else None,
        )
        for listener in self._listeners:
            listener.finished(done)
        if summary.interrupted not in ("ctrl-c", *GENTLE_STOPS):
            outputs.remove_scratch()
        all_well = (reported and self._hooks.all_well) or code == EXIT_INTERRUPTED
        return Outcome(self.info, summary, code if all_well else EXIT_BROKEN)

    async def run_after(self, summary: Summary | None) -> None:
        """Runs `--after`; without a summary the run broke."""
        total = self.info.total_cases
        broken = Summary(total=total, not_run=total, interrupted="broken")
        await self._hooks.run_after(self.info, summary or broken)

    def close(self) -> None:
        """Closes every file and listener, whatever happened."""
        for reporter in self._reporters:
            reporter.close()

    # ── how it is put together ──

    def _baseline_check(self) -> "BaselineCheck | None":
        request = self.planned.request
        wanted = request.baseline is not None or request.update_baseline
        if not wanted or (self.planned.only_messages and "baseline" not in request.given):
            return None
        from vivavoce.app.baselines import baseline_check

        return baseline_check(request, self.info, self.planned.resources.project)

    def _quarantine(self) -> "QuarantineInUse | None":
        # Most projects have none: then what reads it is not even imported.
        if not (self.planned.resources.project.root / QUARANTINE_FILE).exists():
            return None
        from vivavoce.app.quarantining import quarantine_of

        return quarantine_of(self.planned, self.info)

    def _earlier(self) -> "Earlier | None":
        request, plan = self.planned.request, self.planned.plan
        if request.resume is None:
            return None
        from vivavoce.app.resuming import earlier_results

        return earlier_results(
            request.resume,
            plan,
            self.info,
            self.planned.resources,
            outputs=request.files,
            default=default_output(plan.sources, datetime.now(), self._result_folder()),
            early_stop=request.early_stop,
        )

    def _result_folder(self) -> Path | None:
        """What `run.output` names, seen from the project's folder, as all paths in viva.yaml are."""
        folder = self.planned.request.result_folder
        return None if folder is None else Path(path_from_here(self.planned.resources.project.root / folder))

    def _stream(self) -> list[Reporter]:
        """The result lines on standard output that `-o -` asks for."""
        return [JsonlReporter(data_stream(sys.stdout))] if self.planned.request.streams_results else []

    def _open_outputs(self) -> Outputs:
        request, plan = self.planned.request, self.planned.plan
        project = self.planned.resources.project
        asked_for = not request.given.isdisjoint(("outputs", "junitxml"))
        # What viva.yaml says about files is about cases that lie in files.
        paths = request.files if asked_for or self.planned.is_kept else []
        refuse_overwriting(paths, plan.sources)
        default = None
        if request.default_file and not request.output_paths and not paths:
            default = default_output(plan.sources, datetime.now(), self._result_folder())
        if self._chosen is not None and self._chosen.path is not None:
            # What the chosen report may replace is decided with it.
            paths = paths[1:]
        refuse_losing_cases(paths)
        outputs = Outputs(
            project,
            paths,
            default,
            journal_wanted=self._chosen is not None,
            resumed=None if self.earlier is None else self.earlier.path,
        )
        for warning in outputs.warnings:
            print(f"viva: {warning}", file=sys.stderr)
        return outputs

    async def _write_report(self, chosen: ChosenReport, summary: Summary) -> bool:
        """Returns False when the reporter failed and the built-in report was written instead."""
        outputs = self.outputs
        try:
            reported = await chosen.write(outputs.report(self.info, summary), self.planned.resources)
        except OSError as error:
            raise outputs.not_written(chosen.path or Path("stdout"), error) from None
        except UsageError as problem:
            raise outputs.results_kept(problem.what) from None
        if chosen.path is not None:
            outputs.files.append(chosen.path)
        return reported


def _is_to_be_resumed(request: RunRequest) -> bool:
    """Whether a result file is named, also for cases that come from no file."""
    named = request.files if "outputs" in request.given else []
    return request.resume is not None or any(path.endswith(f".{JOURNAL}") for path in named)


def default_output(sources: Sequence[Source], now: datetime, folder: Path | None = None) -> Path | None:
    """In `folder`, or else beside the first input that is a file or folder; a direct message writes no file."""
    from vivavoce.reporters.formats import default_output_path

    file = next((source.label for source in sources if Path(source.label).exists()), None)
    if file is None:
        return None
    beside = default_output_path(file, now)
    return beside if folder is None else folder / beside.name
