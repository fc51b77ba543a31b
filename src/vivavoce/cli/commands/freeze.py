"""`viva freeze`: a finished conversation becomes a static case."""

from pathlib import Path

import click


@click.command(
    "freeze",
    epilog="Example:\n\n  viva freeze output.jsonl --id T003 -o tests/frozen.jsonl",
)
@click.argument("results", metavar="RESULTS.jsonl")
@click.option(
    "--id", "case_ids", multiple=True, metavar="ID", help="Which case. Repeatable. Default: every conversation."
)
@click.option("-o", "--output", required=True, metavar="FILE.jsonl", help="Where the case goes; it is appended.")
@click.option("-n", "--name", "agent", metavar="AGENT", help="Write this agent into the case.")
def command(results: str, case_ids: tuple[str, ...], output: str, agent: str | None) -> int:
    """Write conversations of a result file (simulated or human) as static test cases."""
    from vivavoce.errors import UsageError, did_you_mean
    from vivavoce.results.result_file import read_result_file
    from vivavoce.sources.freezing import append_case, frozen_case
    from vivavoce.sources.reading.result_files import is_result_file
    from vivavoce.wording.plurals import counted

    if is_result_file(Path(output)):
        raise UsageError(f"{output} is a result file", at="-o", hint="give a file of cases, or a new one")
    wanted = set(case_ids)
    seen: list[str] = []
    written = 0
    for result in read_result_file(results).results():
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
