"""`viva compare`: the same cases against several agents or models."""

from typing import Any

import click

from vivavoce.cli import options
from vivavoce.project.option import texts_of
from vivavoce.project.run_options import GROUPS, AgentOptions, CaseOptions, TapeOptions
from vivavoce.project.selecting_options import FOR_ONE_AGENT, ContestOptions

EPILOG = """\b
Examples:
  viva compare -i tests/ -n shop -n new-shop                  two agents
  viva compare -i tests/ -n shop -c small -c large --runs 3   one agent over two models
  viva compare -i tests/ -n a -n b -o compared.html           with every conversation
  viva compare -i tests/ -n a -n b --budget 2.50usd           for each of them
"""
_DECLARED = [
    one
    for group in GROUPS
    if group not in (CaseOptions, TapeOptions)
    for one in (*(ContestOptions.declared if group is AgentOptions else ()), *group.declared)
    if one.name not in FOR_ONE_AGENT
]


@click.command(
    "compare",
    cls=options.SectionedCommand,
    epilog=EPILOG,
    context_settings={"max_content_width": 110},
)
@options.source_options
@options.each(_DECLARED)
@click.option("--baseline", hidden=True)
def command(
    agents: tuple[str, ...] | None, connectors: tuple[str, ...] | None, baseline: str | None, **flags: Any
) -> int:
    """Examine several agents with the same cases, side by side, and tell which differences are real.

    Every agent runs over every connector; an agent that takes none runs once. Exit codes: 0 all of them passed
    everything, 1 some did not (it says which), 2 your input or configuration is wrong, 3 viva or the environment
    broke, 130 interrupted.
    """
    from vivavoce.cli.examining import examine_at_terminal

    if baseline is not None:
        raise click.UsageError("a baseline is about one agent over time: viva test -n AGENT --baseline NAME")
    compared = {"agents": texts_of(agents or ()), "connectors": texts_of(connectors or ())}
    if not any(compared.values()):
        raise click.UsageError("name at least two agents: -n A -n B, or one over two connectors: -n A -c X -c Y")
    return examine_at_terminal(flags, **compared)
