"""`viva freeze`: a finished conversation becomes a static case."""

from pathlib import Path

import click

from vivavoce.cli import options

EPILOG = """\b
Examples:
  viva freeze output.jsonl --id T003 -o tests/frozen.jsonl
  viva freeze last -o tests/frozen.jsonl                     every conversation of the newest run
"""


@click.command("freeze", epilog=EPILOG)
@click.argument("results", metavar="RESULTS.jsonl|RUN")
@click.option(
    "--id", "case_ids", multiple=True, metavar="ID", help="Which case. Repeatable. Default: every conversation."
)
@click.option("-o", "--output", required=True, metavar="FILE.jsonl", help="Where the case goes; it is appended.")
@click.option("-n", "--name", "agent", metavar="AGENT", help="Write this agent into the case.")
@options.project_options
def command(results: str, case_ids: tuple[str, ...], output: str, agent: str | None, config: str | None) -> int:
    """Write conversations of a run (simulated or human) as static test cases."""
    from vivavoce.app.opening import open_project
    from vivavoce.errors import UsageError, did_you_mean
    from vivavoce.results.result_file import result_in
    from vivavoce.results.stored_runs import open_run
    from vivavoce.sources.freezing import append_case, frozen_case
    from vivavoce.sources.reading.result_files import is_result_file
    from vivavoce.wording.plurals import counted

    if is_result_file(Path(output)):
        raise UsageError(f"{output} is a result file", at="-o", hint="give a file of cases, or a new one")
    wanted = set(case_ids)
    seen: list[str] = []
    written = 0
    for row in open_run(results, open_project(config)).rows():
        result = result_in(row)
        case = result.case
        seen.append(case.id)
        if wanted and case.id not in wanted:
            continue
        transcript = result.decisive.transcript
        if not transcript.turns:
            if case.id in wanted:
                raise UsageError(f"{case.id!r} has no conversation: it was {result.status}", at=results)
            continue
        saved = append_case(Path(output), frozen_case(case, transcript, agent))
        turns = counted(len(saved.turns), "turn")
        click.echo(f"{case.id} → {output}::{saved.id} ({turns})")
        written += 1
    if missing := wanted - set(seen):
        name = sorted(missing)[0]
        raise UsageError(f"no case {name!r} in {results}", hint=did_you_mean(name, seen))
    if not written:
        raise UsageError(f"no conversation in {results}")
    return 0
