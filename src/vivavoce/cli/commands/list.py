"""`viva list`: the cases that would run."""

import asyncio
from typing import Any

import click

from vivavoce.cli import options


@click.command("list", epilog="Example:\n\n  viva list -i tests/ --tag smoke")
@options.source_options
@options.selection_options
@options.project_options
def command(**flags: Any) -> int:
    """List the cases that would run, one `path::id` a line. Reaches no agent."""
    return asyncio.run(_list(flags))


async def _list(flags: dict[str, Any]) -> int:
    from vivavoce.app.dry_run import list_cases
    from vivavoce.app.surroundings import open_project, open_sources, selection_of
    from vivavoce.engine.plan.plan import make_plan
    from vivavoce.errors import ManyProblems

    project = open_project(flags["config"], inputs=flags["inputs"])
    sources = open_sources(project, flags["inputs"], flags["messages"])
    plan, problems = make_plan(sources, selection_of(project, flags), runs=1)
    if problems:
        raise ManyProblems(problems)
    return list_cases(plan, ())
