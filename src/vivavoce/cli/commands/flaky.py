"""`viva flaky`: cases whose results differ although nothing was changed."""

import sys

import click

from vivavoce.cli import options
from vivavoce.containment.terminal_door import write_data


@click.command("flaky", short_help="cases whose results differ although nothing changed")
@click.option("--json", "as_json", is_flag=True, help="One JSON array.")
@options.project_options
def command(as_json: bool, config: str | None) -> int:
    """List the flaky cases that the history knows.

    A case is flaky when at least 3 of its results differ from the usual one while the case, the agent's configuration
    and its code stayed the same. Failures that a judge, a hook or the network caused never count.
    """
    import msgspec

    from vivavoce.app.history_keeping import open_history
    from vivavoce.app.opening import open_project
    from vivavoce.insight.flakiness import flaky_cases
    from vivavoce.wording.plurals import counted
    from vivavoce.wording.terminal_text import one_line

    facts = open_history(open_project(config)).facts()
    found = flaky_cases(facts)
    if as_json:
        write_data(sys.stdout, msgspec.json.format(msgspec.json.encode(found), indent=2).decode() + "\n")
        return 0
    if not found:
        click.echo(f"no flaky case among {counted(len(facts), 'result')}")
        return 0
    for case in found:
        low, high = case.interval
        since = f" since {case.since_revision[:10]}" if case.since_revision else ""
        blamed = ", ".join(f"{fault} {count}" for fault, count in case.blamed.items())
        unknown = "" if case.source_known else "; the agent's code is not known, it may have changed"
        click.echo(
            one_line(
                f"{case.key} ({case.agent}): {case.passed} of {case.runs} passed "
                f"(95 % interval {low:.0%} to {high:.0%}), {counted(case.flips, 'flip')}"
                f"{since}; failures: {blamed}{unknown}"
            )
        )
    return 0
