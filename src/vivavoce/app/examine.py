"""From flags to verdict: plan, run, report. What `viva test` and `viva record` do."""

import shlex
import sys
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import structs

from vivavoce.app.executing import executor_for
from vivavoce.app.exit_when_stuck import give_up
from vivavoce.app.keeping import Keeping
from vivavoce.app.on_github import mask_in_the_log, tell_github
from vivavoce.app.open_files import make_room
from vivavoce.app.output_paths import default_output, wanted_outputs
from vivavoce.app.outputs import Outputs
from vivavoce.app.reporting import ChosenReport, chosen_report
from vivavoce.app.run_hooks import RunHooks
from vivavoce.app.surroundings import open_project, open_sources, selection_of
from vivavoce.app.wishes import Execution, Wishes, require_cases, run_info
from vivavoce.containment.captured_output import capture_user_output
from vivavoce.containment.guard_process import note_results
from vivavoce.containment.loop_watch import LoopWatch
from vivavoce.containment.working_folder import kept_working_folder
from vivavoce.engine.attempt.attempt import Examination
from vivavoce.engine.attempt.identity import IdentityFlags, RunContext, read_context
from vivavoce.engine.plan.case_checks import CaseChecks
from vivavoce.engine.plan.checked_cases import CheckedCases
from vivavoce.engine.plan.generating import GENERATORS, fill_generated
from vivavoce.engine.plan.plan import Plan, make_plan
from vivavoce.engine.run import BUDGET, Run
from vivavoce.engine.wiring import PersonMaker, Workshop
from vivavoce.errors import EXIT_BROKEN, EXIT_INTERRUPTED, EXIT_PASSED, ManyProblems, exit_code_of
from vivavoce.model.events import Event
from vivavoce.model.result import RunInfo, Summary
from vivavoce.model.tally import Tally
from vivavoce.project.project import Project
from vivavoce.protocols import Executor, Reporter, Source
from vivavoce.sources.overwriting import refuse_losing_cases, refuse_overwriting

if TYPE_CHECKING:
    from vivavoce.engine.resume import Earlier


async def examine(flags: dict[str, Any]) -> int:
    """The whole of `viva test`; returns the exit code."""
    project = open_project(flags["config"], inputs=flags["inputs"])
    if flags["resume"] and not (flags["inputs"] or flags["messages"] or project.config.tests):
        from vivavoce.app.resuming import require_inputs

        require_inputs(flags["resume"], project)
    sources = open_sources(project, flags["inputs"], flags["messages"], generators=GENERATORS)
    wishes = wishes_of(flags)
    execution = wishes.execution(project.config.run)
    if (too_few := make_room(execution.parallel)) is not None:
        print(f"viva: {too_few}", file=sys.stderr)
    workshop = Workshop(project, wishes.settings(project.config.run), person=_people(flags))
    mask_in_the_log(workshop)
    try:
        executor = executor_for(flags["executor"], execution.parallel, workshop)
        await fill_generated(sources, workshop, strict=flags["strict"])
        plan, problems = make_plan(
            sources,
            selection_of(project, flags),
            runs=execution.runs,
            check=CaseChecks(workshop, variables_follow=bool(flags["before"])),
            checked=CheckedCases(),
        )
        if problems:
            raise ManyProblems(problems)
        if plan.selected == 0 and flags["pass_with_no_tests"]:
            print("no cases selected")
            return EXIT_PASSED
        require_cases(plan)
        refuse_overwriting(wanted_outputs(flags, project.config.run), sources)
        if flags["dry_run"]:
            from vivavoce.app.dry_run import list_cases

            return list_cases(plan, flags["outputs"])
        return await _run(plan, workshop, execution, executor, flags)
    finally:
        await workshop.close()


async def _run(plan: Plan, workshop: Workshop, execution: Execution, executor: Executor, flags: dict[str, Any]) -> int:
    from vivavoce.app.console import make_console

    project = workshop.project
    workshop.cases_hold_variables = plan.holds_variables
    info = run_info(plan, workshop, execution, shlex.join(["viva", *sys.argv[1:]]))
    hooks = RunHooks(flags["before"], flags["after"], workshop)
    chosen = chosen_report(flags["reporter"], flags["outputs"], workshop, verbose=flags["verbose"])
    earlier = _earlier(plan, info, project, execution, flags)
    if earlier is not None:
        info = structs.replace(info, started_at=earlier.started_at)
    outputs = _outputs(plan, project, flags, chosen, earlier)
    if (kept := outputs.result_file) is not None:
        note_results(project.shown(kept))
    verbose = flags["verbose"] or _only_messages(plan.sources)
    # What a reporter says on stdout must stand there alone.
    screen = sys.stderr if chosen is not None and chosen.path is None else sys.stdout
    console, live = make_console(screen, verbose=verbose, quiet_line=flags["interactive"])
    tally = Tally(plan.selected)
    wanted = not flags["no_history"] and not _only_messages(plan.sources)
    keeping = Keeping(project, wanted=wanted, keep=flags["keep"], totals=tally.summary)
    reporters: list[Reporter] = [outputs, console, keeping]

    def emit(event: Event) -> None:
        for reporter in reporters:
            reporter.handle(event)

    work = Examination(workshop, emit, live=live).attempt

    async def execute() -> Summary:
        run = Run(
            plan,
            info,
            emit,
            max_failures=execution.max_failures,
            early_stop=execution.early_stop,
            spending=execution.spending(workshop.expenses.usage),
            earlier=earlier,
            tally=tally,
        )
        watch = LoopWatch(
            workshop.settings.judge_timeout_s,
            stop=lambda: run.stop("ctrl-c"),
            give_up=lambda stuck: give_up(stuck, run, outputs, keeping),
        )
        with kept_working_folder(), capture_user_output(), watch:
            return await run.execute(executor, work)

    try:
        summary = await hooks.around(info, execute)
        outputs.close()
        outputs.write_documents(info, summary)
        if outputs.has_journal:
            tell_github(lambda: outputs.report(info, summary))
        reported = chosen is None or await _report(chosen, outputs, info, summary, workshop)
        if summary.interrupted not in ("ctrl-c", BUDGET):
            outputs.remove_scratch()
        for path in outputs.files:
            console.note_output(project.shown(path))
    finally:
        outputs.close()
        console.close()
        keeping.close()
    if (summary.interrupted or summary.not_run) and (kept := outputs.result_file) is not None:
        from vivavoce.app.resuming import tell_how_to_go_on

        tell_how_to_go_on(info.command, flags["inputs"], project.shown(kept), screen)
    if outputs.trouble is not None:
        raise outputs.trouble
    code = exit_code_of(summary)
    return code if (reported and hooks.all_well) or code == EXIT_INTERRUPTED else EXIT_BROKEN


async def _report(chosen: ChosenReport, outputs: Outputs, info: RunInfo, summary: Summary, workshop: Workshop) -> bool:
    """Whether the reporter did its work; else the built-in report stands in its place."""
    try:
        reported = await chosen.write(outputs.report(info, summary), workshop)
    except OSError as error:
        raise outputs.not_written(chosen.path or Path("stdout"), error) from None
    if chosen.path is not None:
        outputs.files.append(chosen.path)
    return reported


def _earlier(
    plan: Plan, info: RunInfo, project: Project, execution: Execution, flags: dict[str, Any]
) -> "Earlier | None":
    if flags["resume"] is None:
        return None
    from vivavoce.app.resuming import earlier_results

    return earlier_results(
        flags["resume"],
        plan,
        info,
        project,
        outputs=wanted_outputs(flags, project.config.run),
        default=default_output(plan.sources, datetime.now()),
        early_stop=execution.early_stop,
    )


def _outputs(
    plan: Plan, project: Project, flags: dict[str, Any], chosen: ChosenReport | None, earlier: "Earlier | None"
) -> Outputs:
    paths = wanted_outputs(flags, project.config.run)
    refuse_losing_cases(paths)
    default = None if paths else default_output(plan.sources, datetime.now())
    if chosen is not None and chosen.path is not None:
        paths = paths[1:]
    resumed = None if earlier is None else earlier.path
    outputs = Outputs(project, paths, default, journal_wanted=chosen is not None, resumed=resumed)
    for warning in outputs.warnings:
        print(f"viva: {warning}", file=sys.stderr)
    return outputs


def wishes_of(flags: dict[str, Any]) -> Wishes:
    """The flags (or VIVA_* variables) as data."""
    return Wishes(
        agent=flags["agent"],
        connector=flags["connector"],
        identity=IdentityFlags(flags["user"], flags["team"], flags["locale"]),
        context=read_context(flags["context_file"]) if flags["context_file"] else RunContext(),
        timeout_s=flags["timeout"],
        judge_timeout_s=flags["judge_timeout"],
        max_turns=flags["max_turns"],
        simulator=flags["simulator"],
        interactive=flags["interactive"],
        on_missing_input=flags["on_missing_input"],
        strict_protocol=flags["strict_protocol"],
        record_to=flags.get("record_to"),
        parallel=flags["parallel"],
        runs=flags["runs"],
        fail_fast=flags["fail_fast"],
        max_failures=flags["maxfail"],
        early_stop=flags["early_stop"],
        retries=flags["retries"],
        budget=flags["budget"],
    )


def _only_messages(sources: Sequence[Source]) -> bool:
    from vivavoce.sources.reading.inline import MessageSource

    return all(isinstance(source, MessageSource) for source in sources)


def _people(flags: dict[str, Any]) -> PersonMaker | None:
    """Where a person can be asked: only on a terminal, and only when wanted."""
    if flags["skip_interactive"]:
        return None
    from vivavoce.app.person import person_maker

    return person_maker(asked_for=flags["interactive"])
