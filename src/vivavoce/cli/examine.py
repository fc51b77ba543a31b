"""From flags to verdict: plan, run, report. What `viva test` and `viva demo` do."""

import asyncio
import shlex
import signal
import sys
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from msgspec import Struct

from vivavoce.cli.last_failed import LastFailedReporter
from vivavoce.cli.reporting import ChosenReport, chosen_report
from vivavoce.cli.run_hooks import RunHooks
from vivavoce.cli.surroundings import open_project, open_sources, selection_of
from vivavoce.durations import parse_duration
from vivavoce.errors import EXIT_BROKEN, EXIT_INTERRUPTED, EXIT_PASSED, ManyProblems, UsageError, exit_code_of
from vivavoce.executors.local import LocalExecutor
from vivavoce.model.case import Case
from vivavoce.model.events import Event
from vivavoce.model.result import RunInfo, Summary
from vivavoce.project import Project
from vivavoce.protocols import Reporter, Source
from vivavoce.run.attempt import Examination
from vivavoce.run.case_checks import CaseChecks
from vivavoce.run.generating import GENERATORS, fill_generated
from vivavoce.run.identity import IdentityFlags, RunContext, identity_for, read_context
from vivavoce.run.outputs import Outputs
from vivavoce.run.plan import Plan, make_plan
from vivavoce.run.run import Run
from vivavoce.run.wiring import PersonMaker, RunSettings, Workshop
from vivavoce.settings import RunDefaults
from vivavoce.user_code import capture_user_output
from vivavoce.version import __version__


class Execution(Struct, frozen=True):
    """How much at once, how often, and when to stop."""

    parallel: int
    runs: int
    max_failures: int | None


async def examine(flags: dict[str, Any], project: Project | None = None) -> int:
    """The whole of `viva test`; returns the exit code."""
    project = project or open_project(flags["config"])
    sources = open_sources(project, flags["inputs"], flags["messages"], generators=GENERATORS)
    execution = execution_of(flags, project.config.run)
    workshop = Workshop(project, run_settings(flags, project.config.run), person=_people(flags))
    try:
        await fill_generated(sources, workshop, strict=flags["strict"])
        plan, problems = make_plan(
            sources,
            selection_of(project, flags),
            runs=execution.runs,
            check=CaseChecks(workshop, variables_follow=bool(flags["before"])),
        )
        if problems:
            raise ManyProblems(problems)
        if plan.selected == 0:
            return _nothing_selected(plan, flags)
        if flags["dry_run"]:
            from vivavoce.cli.dry_run import list_cases

            return list_cases(plan, flags["outputs"])
        return await _run(plan, workshop, execution, flags)
    finally:
        await workshop.close()


async def _run(plan: Plan, workshop: Workshop, execution: Execution, flags: dict[str, Any]) -> int:
    from vivavoce.cli.console import make_console

    project = workshop.project
    info = _run_info(plan, workshop, execution, flags)
    hooks = RunHooks(flags["before"], flags["after"], workshop)
    chosen = chosen_report(flags["reporter"], flags["outputs"], workshop, verbose=flags["verbose"])
    outputs = _outputs(plan, project, flags, chosen)
    verbose = flags["verbose"] or _only_messages(plan.sources)
    # What a reporter says on stdout must stand there alone.
    screen = sys.stderr if chosen is not None and chosen.path is None else sys.stdout
    console, live = make_console(screen, verbose=verbose, quiet_line=flags["interactive"])
    reporters: list[Reporter] = [outputs, console, LastFailedReporter(project)]

    def emit(event: Event) -> None:
        for reporter in reporters:
            reporter.handle(event)

    work = Examination(workshop, emit, live=live).attempt

    async def execute() -> Summary:
        run = Run(plan, info, emit, max_failures=execution.max_failures)
        _stop_on_signals(run)
        with capture_user_output():
            return await run.execute(LocalExecutor(execution.parallel), work)

    try:
        summary = await hooks.around(info, execute)
        outputs.close()
        outputs.write_documents(info, summary)
        reported = chosen is None or await _report(chosen, outputs, info, summary, workshop)
        outputs.remove_scratch()
        for path in outputs.files:
            console.note_output(project.shown(path))
    finally:
        outputs.close()
        console.close()
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


def _outputs(plan: Plan, project: Project, flags: dict[str, Any], chosen: ChosenReport | None) -> Outputs:
    paths = _output_paths(flags, project.config.run)
    default = None if paths else _default_output(plan.sources)
    if chosen is not None and chosen.path is not None:
        paths = paths[1:]
    outputs = Outputs(project, paths, default, journal_wanted=chosen is not None)
    for warning in outputs.warnings:
        print(f"viva: {warning}", file=sys.stderr)
    return outputs


def run_settings(flags: dict[str, Any], defaults: RunDefaults) -> RunSettings:
    """Flag (or VIVA_* variable) > viva.yaml > built in."""
    return RunSettings(
        agent=flags["agent"],
        connector=flags["connector"],
        identity=IdentityFlags(flags["user"], flags["team"], flags["locale"]),
        context=read_context(flags["context_file"]) if flags["context_file"] else RunContext(),
        timeout_s=flags["timeout"] or _seconds(defaults.timeout, "run.timeout") or 300.0,
        judge_timeout_s=flags["judge_timeout"] or _seconds(defaults.judge_timeout, "run.judge_timeout") or 120.0,
        max_turns=flags["max_turns"] or defaults.max_turns or 20,
        simulator=flags["simulator"] or defaults.simulator,
        interactive=flags["interactive"],
        on_missing_input=flags["on_missing_input"] or defaults.on_missing_input,
        strict_protocol=flags["strict_protocol"],
        record_to=flags.get("record_to"),
    )


def execution_of(flags: dict[str, Any], defaults: RunDefaults) -> Execution:
    fail_fast = flags["fail_fast"] if flags["fail_fast"] is not None else defaults.fail_fast
    return Execution(
        parallel=flags["parallel"] or defaults.parallel or 1,
        runs=flags["runs"] or defaults.runs or 1,
        max_failures=flags["maxfail"] or (1 if fail_fast else None),
    )


def _seconds(text: str | None, where: str) -> float | None:
    if text is None:
        return None
    try:
        return parse_duration(text)
    except ValueError as error:
        raise UsageError(str(error), at=where) from None


def _run_info(plan: Plan, workshop: Workshop, execution: Execution, flags: dict[str, Any]) -> RunInfo:
    first = next(plan.cases())
    card = workshop.card(first)
    settings = workshop.settings
    return RunInfo(
        run_id=uuid.uuid4().hex[:12],
        started_at=datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        agent_id=workshop.secrets.mask(card.id),
        connector=settings.connector or card.connector,
        identity=identity_for(Case(id=""), settings.identity, settings.context, workshop.project.config.identity),
        inputs=tuple(source.label for source in plan.sources),
        total_cases=plan.selected,
        runs_per_case=execution.runs,
        version=__version__,
        command=shlex.join(["viva", *sys.argv[1:]]),
        project_root=str(workshop.project.root),
    )


def _output_paths(flags: dict[str, Any], defaults: RunDefaults) -> list[str]:
    paths = list(flags["outputs"])
    if flags["junitxml"]:
        paths.append(flags["junitxml"])
    if not paths and defaults.output:
        paths = [defaults.output] if isinstance(defaults.output, str) else list(defaults.output)
    return paths


def _default_output(sources: Sequence[Source]) -> Path | None:
    from vivavoce.reporters.formats import default_output_path

    file = next((source.label for source in sources if Path(source.label).exists()), None)
    return None if file is None else default_output_path(file, datetime.now())


def _only_messages(sources: Sequence[Source]) -> bool:
    from vivavoce.sources.inline import MessageSource

    return all(isinstance(source, MessageSource) for source in sources)


def _people(flags: dict[str, Any]) -> PersonMaker | None:
    """Where a person can be asked: only on a terminal, and only when wanted."""
    if flags["skip_interactive"]:
        return None
    from vivavoce.cli.person import person_maker

    return person_maker()


def _nothing_selected(plan: Plan, flags: dict[str, Any]) -> int:
    if flags["pass_with_no_tests"]:
        print("no cases selected")
        return EXIT_PASSED
    if plan.found:
        raise UsageError(f"none of the {plan.found} cases found is selected", hint="look at --run, --tag, --shard")
    raise UsageError("no cases found", hint="give files with -i, or a `tests:` entry in viva.yaml")


def _stop_on_signals(run: Run) -> None:
    loop = asyncio.get_running_loop()

    def stop() -> None:
        run.stop("ctrl-c")
        # A second Ctrl-C means it.
        loop.remove_signal_handler(signal.SIGINT)

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop)
