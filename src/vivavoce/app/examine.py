"""The use case "examine these cases": what `viva test`, `vivavoce.run` and `viva record` do."""

import os
import posix
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NoReturn

from msgspec import structs

from vivavoce.app.code_coverage import CodeCoverage, measured_code
from vivavoce.app.executing import executor_for
from vivavoce.app.history_keeping import HistoryKeeping
from vivavoce.app.listening import Listener
from vivavoce.app.outputs import Outputs
from vivavoce.app.planning import Planned, planned
from vivavoce.app.request import RunRequest
from vivavoce.app.run_frame import Outcome, RunFrame
from vivavoce.containment.captured_output import capture_user_output
from vivavoce.containment.guard_process import sign_off
from vivavoce.containment.loop_watch import LoopWatch, Stuck
from vivavoce.containment.working_folder import kept_working_folder
from vivavoce.engine.attempt.attempt import Examination
from vivavoce.engine.plan.plan import Plan, Selection
from vivavoce.engine.run import CTRL_C, Run
from vivavoce.engine.wiring import PersonMaker
from vivavoce.errors import EXIT_BROKEN, EXIT_INTERRUPTED
from vivavoce.model.result import CaseResult, Summary
from vivavoce.project.redaction import Secrets
from vivavoce.protocols import Executor, Work
from vivavoce.results.rows import row_line

if TYPE_CHECKING:
    from vivavoce.app.baselines import BaselineCheck


async def examine(
    request: RunRequest,
    listeners: Sequence[Listener] = (),
    *,
    person: PersonMaker | None = None,
    secrets: Secrets | None = None,
    owns_process: bool = False,
) -> Outcome:
    """Plans, runs and reports. Raises UsageError before the first call when anything is wrong.

    `person` answers for the user in interactive cases. With `owns_process`, Ctrl-C ends the run, and the process when
    an agent blocks the event loop for good.
    """
    # Measuring begins before planning, which imports the agent's code.
    with measured_code(request) as measured:
        async with planned(request, person=person, secrets=secrets) as ready:
            return await _examined(ready, listeners, measured, owns_process=owns_process)


async def _examined(
    ready: Planned, listeners: Sequence[Listener], measured: CodeCoverage | None, *, owns_process: bool
) -> Outcome:
    executor = _executor(ready, measured)
    frame = RunFrame(ready, listeners)
    work = Examination(ready.resources, frame.emit, live=frame.wants_every_step).attempt
    if measured is not None:
        work = measured.around(work)
    return await carry_out(ready, frame, executor, work, owns_process=owns_process)


def _executor(ready: Planned, measured: CodeCoverage | None) -> Executor:
    request, resources = ready.request, ready.resources
    if measured is None:
        return executor_for(request.executor, request.parallel, resources)
    # The context of coverage.py is one for the whole process, which therefore holds one conversation at a time.
    jobs = ready.plan.selected * max(request.runs, 1)
    if request.parallel == 1 or jobs == 1 or resources.settings.interactive:
        return executor_for("local", 1, resources)
    return executor_for("processes", min(request.parallel, jobs), resources, measured.elsewhere)


async def carry_out(
    ready: Planned,
    frame: RunFrame,
    executor: Executor,
    work: Work,
    *,
    line_of: Callable[[CaseResult], bytes] = row_line,
    owns_process: bool = False,
) -> Outcome:
    """Works off the plan and reports it. `work` makes an attempt of each job: live, or from a recording.

    `line_of` makes the line of a result.
    """
    try:
        await frame.begin()
        try:
            summary = await _run(ready, frame, executor, work, line_of, owns_process=owns_process)
            if frame.baseline is not None and not summary.interrupted:
                await _confirm(ready, frame, frame.baseline, executor, work, owns_process=owns_process)
        except BaseException:
            await frame.run_after(None)
            raise
        await frame.run_after(summary)
        outcome = await frame.finish(summary)
    finally:
        frame.close()
    if frame.outputs.trouble is not None:
        raise frame.outputs.trouble
    return outcome


async def _run(
    ready: Planned,
    frame: RunFrame,
    executor: Executor,
    work: Work,
    line_of: Callable[[CaseResult], bytes],
    *,
    owns_process: bool,
) -> Summary:
    run = Run(
        ready.plan,
        frame.info,
        frame.emit,
        max_failures=ready.request.max_failures,
        early_stop=ready.request.early_stop,
        spending=frame.spending,
        time_limit_s=ready.request.time_limit_s,
        earlier=frame.earlier,
        tally=frame.tally,
        writes_lines=frame.writes_lines,
        line_of=line_of,
        snapshots=ready.resources.snapshots,
        quarantine=frame.quarantine,
        more_warnings=frame.warnings,
    )
    frame.history.watch(run.in_flight)
    with kept_working_folder(), capture_user_output(), _watch(run, ready, frame, owns_process=owns_process):
        return await run.execute(executor, work)


def _watch(run: Run, ready: Planned, frame: RunFrame, *, owns_process: bool) -> LoopWatch:
    """Interrupts code that blocks the event loop. In viva's own process Ctrl-C stops the run too."""
    patience_s = ready.resources.settings.judge_timeout_s
    if not owns_process:
        return LoopWatch(patience_s)
    return LoopWatch(
        patience_s,
        stop=lambda: run.stop(CTRL_C),
        give_up=lambda stuck: give_up(stuck, run, frame.outputs, frame.history),
    )


async def _confirm(
    ready: Planned, frame: RunFrame, check: "BaselineCheck", executor: Executor, work: Work, *, owns_process: bool
) -> None:
    """Runs the cases again that failed their only run after they had always passed. Only the comparison counts it.

    Budget and Ctrl-C end it early: what was not run again counts as it is.
    """
    from vivavoce.app.baselines import ConfirmedCases
    from vivavoce.insight.baselines.comparing import CONFIRMING_RUNS

    flips = check.flips()
    if not flips:
        return
    cases = tuple(structs.replace(one, runs=None, min_pass=None) for one in ready.plan.cases() if one.key in flips)
    source = ConfirmedCases("confirmation", cases)
    count = len(cases)
    plan = Plan(sources=(source,), selection=Selection(), found=count, selected=count, runs=CONFIRMING_RUNS)
    run = Run(plan, frame.info, check.take_confirmation, spending=frame.spending, writes_lines=False)
    with kept_working_folder(), capture_user_output(), _watch(run, ready, frame, owns_process=owns_process):
        check.stopped = (await run.execute(executor, work)).interrupted


def give_up(stuck: Stuck, run: Run, outputs: Outputs, keeping: HistoryKeeping) -> NoReturn:
    """Ends the process from another thread: the main one will never come back."""
    try:
        run.report_waiting()
        outputs.close()
        keeping.close()
        kept = f"what finished is in {outputs.files[0]}; --resume goes on from there" if outputs.files else ""
        told = (
            f"viva: case {stuck.case!r}: the agent blocks the event loop at {stuck.place} and cannot be interrupted:"
            f" use await, or a plain def ({kept or 'nothing was kept'})\n"
        )
        os.write(2, told.encode(errors="replace"))
    finally:
        code = EXIT_INTERRUPTED if stuck.stop_wanted else EXIT_BROKEN
        sign_off(code)
        # Not os._exit: while a run goes on, that one reports the code under test.
        posix._exit(code)  # pyright: ignore[reportPrivateUsage]
