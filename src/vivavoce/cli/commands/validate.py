"""`viva validate`: every problem in all files at once, without reaching an agent."""

from typing import TYPE_CHECKING, Any

import click

from vivavoce.cli import options
from vivavoce.project.run_options import AgentOptions

if TYPE_CHECKING:
    from vivavoce.errors import UsageError
    from vivavoce.project.project import Project


@click.command(
    "validate",
    short_help="check files and configuration, reach no agent",
    epilog="Example:\n\n  viva validate -i tests/",
)
@options.source_options
@options.named(AgentOptions, "agent")
@options.project_options
def command(**flags: Any) -> int:
    """Check case files, configuration, agents and references. Reaches no agent; exit 2 when anything is wrong."""
    import asyncio

    return asyncio.run(_validate(flags))


async def _validate(flags: dict[str, Any]) -> int:
    from vivavoce.app.opening import open_project
    from vivavoce.engine.plan.config_checks import config_problems
    from vivavoce.errors import EXIT_PASSED, ManyProblems, UsageError
    from vivavoce.wording.plurals import counted

    project = open_project(flags["config"], inputs=flags["inputs"])
    problems = config_problems(project)
    # Configuration errors are reported with their line; the follow-up errors they cause are suppressed.
    known = {problem.what for problem in problems}
    cases, sources, more = await _case_problems(project, flags)
    problems += [problem for problem in more if problem.what not in known]
    if not cases and not problems:
        problems.append(UsageError("no cases found", hint="viva test would not run either"))
    if problems:
        raise ManyProblems(problems)
    click.echo(f"{counted(cases, 'case')} in {counted(sources, 'source')}: all in order")
    return EXIT_PASSED


async def _case_problems(project: "Project", flags: dict[str, Any]) -> "tuple[int, int, list[UsageError]]":
    """How many cases in how many sources, and what is wrong with them or the agents they name."""
    from vivavoce.app.opening import open_sources
    from vivavoce.app.request import RunRequest
    from vivavoce.engine.plan.case_checks import CaseChecks
    from vivavoce.engine.plan.config_checks import refuse_missing_needs
    from vivavoce.engine.plan.plan import Selection, make_plan
    from vivavoce.engine.wiring import RunSettings, Workshop
    from vivavoce.errors import UsageError

    problems: list[UsageError] = []
    try:
        workshop = Workshop(project, RunSettings(agent=flags["agent"], simulator=project.config.run.simulator))
    except UsageError as problem:
        return 0, 0, [problem]
    try:
        asked: list[str] = [flags["agent"]] if flags["agent"] else []
        for name in dict.fromkeys([*project.config.agents, *asked]):
            try:
                workshop.target(name)
                refuse_missing_needs(workshop.spec(name), project)
            except UsageError as problem:
                problems.append(UsageError(problem.what, at=problem.at or _named_at(name, flags), hint=problem.hint))
        sources = open_sources(project, RunRequest.of(flags, reads_stdin=True))
        plan, wrong = make_plan(sources, Selection(), runs=1, check=CaseChecks(workshop, thorough=True))
        told = {problem.what for problem in problems}
        problems += [problem for problem in wrong if problem.what not in told]
        return plan.found, len(sources), problems
    except UsageError as problem:
        return 0, 0, [*problems, problem]
    finally:
        await workshop.close()


def _named_at(name: str, flags: dict[str, Any]) -> str | None:
    return "-n" if name == flags["agent"] else None
