"""`viva import`: test files of other tools become cases."""  # noqa: N999 - a command's module has its name

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from vivavoce.imports.importing import Account

_MOST_TOLD = 20


@click.command(
    "import",
    epilog="Examples:\n\n  viva import promptfoo promptfooconfig.yaml -o tests/\n\n"
    "  viva import table questions.csv --input question --judge answer -o tests/",
)
@click.argument("files", nargs=-1, required=True, metavar="[KIND] FILE...")
@click.option("-o", "--output", required=True, metavar="DIR", help="The folder for the files of cases.")
@click.option("--partial", is_flag=True, help="Also run cases that lost a check, and exit 0.")
@click.option("--run-code", is_flag=True, help="promptfoo: run Python that makes prompts, tests or variables.")
@click.option("--id", "id_", metavar="COLUMN", help="Tables: the case's id.")
@click.option("--name", metavar="COLUMN", help="Tables: the case's name.")
@click.option("--input", "input_", metavar="COLUMN", help="Tables: what the user says.")
@click.option("--judge", metavar="COLUMNS", help="Tables: what a judge is asked.")
@click.option("--equals", metavar="COLUMNS", help="Tables: the exact answer.")
@click.option("--contains", metavar="COLUMNS", help="Tables: texts that the answer must have.")
@click.option("--not-contains", metavar="COLUMNS", help="Tables: texts that the answer must not have.")
@click.option("--tools", metavar="COLUMNS", help="Tables: tools that are called.")
@click.option("--forbid", metavar="COLUMNS", help="Tables: tools that are never called.")
@click.option("--tag", metavar="COLUMNS", help="Tables: tags.")
@click.option("--delimiter", metavar="TEXT", help="Tables: what separates several texts in one field.")
@click.option("--check", metavar="HOW", help="Inspect, OpenAI: how an answer is compared (includes, match, …).")
@click.option("--metric", "metrics", multiple=True, help="DeepEval: a metric of its Python tests. Repeatable.")
def command(
    files: tuple[str, ...],
    output: str,
    partial: bool,
    run_code: bool,
    delimiter: str | None,
    check: str | None,
    metrics: tuple[str, ...],
    **columns: str | None,
) -> int:
    """Write test files of other tools as cases, and say what became of every check."""
    from vivavoce.app.importing_tests import import_tests
    from vivavoce.app.opening import hide_secrets_around
    from vivavoce.configuration.project_finder import project_root
    from vivavoce.errors import EXIT_FAILED, EXIT_PASSED, UsageError
    from vivavoce.imports.found import ImportOptions
    from vivavoce.imports.known import KINDS

    hide_secrets_around()
    kind, names = (files[0], files[1:]) if files[0] in KINDS else (None, files)
    if not names:
        raise UsageError("no file to import", hint=f"viva import {kind} FILE -o tests/")
    said = {
        name.rstrip("_").replace("_", "-"): tuple(column.strip() for column in value.split(","))
        for name, value in columns.items()
        if value is not None
    }
    options = ImportOptions(
        folder=Path(output),
        root=project_root(Path.cwd()),
        run_code=run_code,
        columns=said,
        delimiter=delimiter,
        check=check,
        metrics=metrics,
    )
    accounts = import_tests(kind, [Path(name) for name in names], options, partial=partial)
    for account in accounts:
        _print_outcome(account, partial=partial)
    whole = all(account.is_whole for account in accounts)
    return EXIT_PASSED if whole or (partial and any(account.cases for account in accounts)) else EXIT_FAILED


def _print_outcome(account: "Account", *, partial: bool) -> None:
    from vivavoce.wording.plurals import counted

    where = f" → {account.target}" if account.target else ""
    _say(f"{account.source} ({account.tool}): {counted(len(account.cases), 'case')}{where}")
    for note in account.notes:
        _say(f"  {note.what}")
    checks = account.checks("exact", "different", "left_out")
    taken, left = account.checks("exact", "different"), account.checks("left_out")
    if checks:
        needs = f"; {left} {'needs' if left == 1 else 'need'} you" if left else ""
        _say(f"  translated {taken} of {counted(checks, 'assertion')}{needs}")
    if bare := sum(not found.remarks for found in account.cases):
        what = "has no check: it passes" if bare == 1 else "have no check: they pass"
        _say(f"  {counted(bare, 'case')} {what} whatever the agent answers")
    if account.judged:
        what = "check is judged by a model" if account.judged == 1 else "checks are judged by a model"
        _say(f"  {account.judged:,} {what}: name the model with -c CONNECTOR, or run.connector in viva.yaml")
    for code in account.code:
        _say(f"  {counted(code.checks, 'check')} in Python: read {code.path} before you run the cases")
    told = [f"{found.at}: {remark.what}" for found in account.cases for remark in found.remarks if remark.what]
    told += [f"{refused.at}: not taken: {refused.what}" for refused in account.refused]
    told = list(dict.fromkeys(told))
    for line in told[:_MOST_TOLD]:
        _say(f"  {line}")
    if len(told) > _MOST_TOLD:
        _say(f"  and {len(told) - _MOST_TOLD} more, in the comments of {account.target}")
    if any(found.left_out for found in account.cases) and not partial:
        _say("  Cases that lost a check are skipped until somebody looks at them (--partial runs them).")


def _say(line: str) -> None:
    """A file of another tool may quote a key of this project."""
    from vivavoce.containment.safe_stream import without_secrets

    click.echo(without_secrets(line))
