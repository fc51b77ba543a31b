"""`viva validate`: every problem in all files at once, without reaching an agent."""

from typing import Any

import click

from vivavoce.cli import options
from vivavoce.project.run_options import AgentOptions


@click.command(
    "validate",
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
    from vivavoce.app.request import RunRequest
    from vivavoce.app.validating import checked
    from vivavoce.engine.plan.plan import Selection
    from vivavoce.errors import EXIT_PASSED, ManyProblems, UsageError
    from vivavoce.wording.plurals import counted

    project = open_project(flags["config"], inputs=flags["inputs"])
    found = await checked(project, RunRequest.of(flags, reads_stdin=True), Selection())
    problems = found.problems
    cases = found.plan.found if found.plan is not None else 0
    if not cases and not problems:
        problems = [UsageError("no cases found", hint="viva test would not run either")]
    if problems:
        raise ManyProblems(problems)
    click.echo(f"{counted(cases, 'case')} in {counted(found.sources, 'source')}: all in order")
    return EXIT_PASSED
