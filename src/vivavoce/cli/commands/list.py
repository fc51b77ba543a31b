"""`viva list`: the cases that would run."""

from typing import Any

import click

from vivavoce.cli import options
from vivavoce.project.run_options import SelectionOptions


@click.command(
    "list", short_help="list the cases that would run", epilog="Example:\n\n  viva list -i tests/ --tag smoke"
)
@options.source_options
@options.groups(SelectionOptions)
@options.project_options
def command(**flags: Any) -> int:
    """List the cases that would run, one `path::id` a line. Reaches no agent."""
    from vivavoce.app.opening import open_project, open_sources, selection_of
    from vivavoce.app.request import RunRequest
    from vivavoce.cli.case_list import list_cases
    from vivavoce.engine.plan.plan import make_plan
    from vivavoce.errors import ManyProblems

    request = RunRequest.of(flags, reads_stdin=True)
    project = open_project(request.config_path, inputs=flags["inputs"])
    plan, problems = make_plan(open_sources(project, request), selection_of(project, request), runs=1)
    if problems:
        raise ManyProblems(problems)
    return list_cases(plan, (), project)
