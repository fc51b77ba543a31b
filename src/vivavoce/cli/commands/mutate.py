"""`viva mutate`: would the tests notice if the agent had done something else?"""

import shlex
import sys
from typing import Any

import click

from vivavoce.cli import options
from vivavoce.cli.completing import complete_run
from vivavoce.project.run_options import AgentOptions, CaseOptions, ProjectOptions, SelectionOptions

EPILOG = """\b
Examples:
  viva mutate last
  viva mutate out.jsonl --fail-under 90
"""


@click.command("mutate", short_help="would the tests notice a bug? changes recorded conversations", epilog=EPILOG)
@click.argument("runs", nargs=-1, metavar="[RUN]...", shell_complete=complete_run)
@options.named(CaseOptions, "inputs")
@click.option("--judges", is_flag=True, help="Ask judges too; by default nobody is asked.")
@click.option("--fail-under", type=click.FloatRange(0, 100), metavar="PERCENT", help="Exit 1 below this score.")
@options.named(AgentOptions, "connector")
@options.groups(SelectionOptions, ProjectOptions)
def command(runs: tuple[str, ...], judges: bool, fail_under: float | None, **flags: Any) -> int:
    """Change each recorded conversation in one way at a time and judge it again, without calling the agent.

    A change that no check of the case notices survives; it is listed with the check that would notice it.
    """
    import msgspec

    from vivavoce.app.mutating import mutate
    from vivavoce.app.request import RunRequest
    from vivavoce.cli.event_loop import run_async
    from vivavoce.errors import EXIT_FAILED, EXIT_PASSED
    from vivavoce.wording.terminal_text import one_line

    request = RunRequest.of(flags, command=shlex.join(["viva", *sys.argv[1:]]))
    codes: list[float] = []

    async def scored() -> int:
        scores = await mutate(runs, request, judges=judges)
        for score in scores:
            click.echo(f"{score.key}: {score.mutants - len(score.survivors)} of {score.mutants} noticed")
            for mutant in score.survivors:
                click.echo(f"  survived: {mutant.kind} (turn {mutant.turn}): {one_line(mutant.change)}")
                if mutant.suggestion is not None:
                    click.echo(f"    add {msgspec.json.encode(mutant.suggestion).decode()}")
        total = sum(score.mutants for score in scores)
        noticed = total - sum(len(score.survivors) for score in scores)
        codes.append(100.0 * noticed / total if total else 0.0)
        click.echo(f"\nmutation score: {codes[0]:.1f} % ({noticed:,} of {total:,} noticed)")
        return EXIT_FAILED if fail_under is not None and codes[0] < fail_under else EXIT_PASSED

    return run_async(scored)
