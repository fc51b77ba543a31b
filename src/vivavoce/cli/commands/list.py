"""`viva list`: the cases that would run."""

from typing import Any

import click

from vivavoce.cli import options
from vivavoce.project.run_options import SelectionOptions


@click.command("list", epilog="Example:\n\n  viva list -i tests/ --tag smoke")
@options.source_options
@options.groups(SelectionOptions)
@options.project_options
def command(**flags: Any) -> int:
    """List the cases that would run, one `path::id` a line. Reaches no agent; finds what `viva validate` finds."""
    import asyncio

    return asyncio.run(_list(flags))


async def _list(flags: dict[str, Any]) -> int:
    from vivavoce.app.opening import open_project, selection_of
    from vivavoce.app.request import RunRequest
    from vivavoce.app.validating import checked
    from vivavoce.cli.case_list import list_cases
    from vivavoce.errors import ManyProblems

    request = RunRequest.of(flags, reads_stdin=True)
    project = open_project(request.config_path, inputs=flags["inputs"])
    found = await checked(project, request, selection_of(project, request))
    if found.problems or found.plan is None:
        raise ManyProblems(found.problems)
    return list_cases(found.plan, (), project)
