"""`viva validate`: every problem in all files at once, without reaching an agent."""

import asyncio
from typing import Any

import click

from vivavoce.cli import options


@click.command("validate", epilog="Example:\n\n  viva validate -i tests/")
@options.source_options
@click.option("-n", "--name", "agent", metavar="AGENT", help="The agent under test.")
@options.project_options
def command(**flags: Any) -> int:
    """Check case files, configuration, agents and references. Reaches no agent; exit 2 when anything is wrong."""
    return asyncio.run(_validate(flags))


async def _validate(flags: dict[str, Any]) -> int:
    from vivavoce.cli.surroundings import open_project, open_sources
    from vivavoce.errors import EXIT_PASSED, ManyProblems, UsageError
    from vivavoce.run.case_checks import CaseChecks
    from vivavoce.run.plan import Selection, make_plan
    from vivavoce.run.resolve import refuse_bad_address
    from vivavoce.run.wiring import RunSettings, Workshop

    project = open_project(flags["config"], inputs=flags["inputs"])
    sources = open_sources(project, flags["inputs"], flags["messages"])
    workshop = Workshop(project, RunSettings(agent=flags["agent"], simulator=project.config.run.simulator))
    plan, problems = make_plan(sources, Selection(), runs=1, check=CaseChecks(workshop, thorough=True))
    for name in project.config.agents:
        try:
            workshop.target(name)
            refuse_bad_address(workshop.spec(name), workshop.spec(name).config)
        except UsageError as problem:
            problems.append(problem)
    await workshop.close()
    if problems:
        raise ManyProblems(problems)
    cases, places = _counted(plan.found, "case"), _counted(len(sources), "source")
    click.echo(f"{cases} in {places}: all in order")
    return EXIT_PASSED


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
