"""`viva extract`: one file per case, for people who review them."""

from pathlib import Path

import click

from vivavoce.cli import options

EPILOG = """\b
Examples:
  viva extract output.jsonl -o review/
  viva extract output.jsonl -o review/ --format json --id T003 --id T007
  viva extract last -o review/                     the newest run of the history
"""


@click.command("extract", epilog=EPILOG)
@click.argument("results", metavar="RESULTS.jsonl|RUN")
@click.option("-o", "--output", "folder", required=True, metavar="DIR", help="Where the files go.")
@click.option("--format", "form", type=click.Choice(["md", "json"]), default="md", show_default=True, help="Of each.")
@click.option("--id", "ids", multiple=True, metavar="ID", help="Only this case (id or path::id). Repeatable.")
@options.project_options
def command(results: str, folder: str, form: str, ids: tuple[str, ...], config: str | None) -> int:
    """Write each case of a run into a file of its own: what was said, which tools ran, what the checks found."""
    from vivavoce.app.opening import open_project
    from vivavoce.errors import UsageError, VivaError, did_you_mean
    from vivavoce.project.private_files import make_private_folder
    from vivavoce.project.whole_files import write_whole
    from vivavoce.reporters.case_files import FileNames, case_file, is_case_file
    from vivavoce.results.result_file import result_in
    from vivavoce.results.stored_runs import open_run
    from vivavoce.wording.plurals import counted

    run = open_run(results, open_project(config))
    target = Path(folder)
    try:
        make_private_folder(target)
    except OSError as error:
        raise VivaError(f"cannot write to {folder}: {error.strerror}", at="-o") from None
    names, written, seen = FileNames(f".{form}"), 0, set[str]()
    for row in run.rows():
        case = result_in(row).case
        seen.update((case.id, case.key))
        name = names.name_for(case.id)
        if ids and case.id not in ids and case.key not in ids:
            continue
        path = target / name
        if path.is_file() and path.stat().st_size and not is_case_file(path, form):
            what = f"{path} was not written by viva extract, and would be lost"
            raise UsageError(what, at="-o", hint="give another folder, or remove it first")
        try:
            write_whole(case_file(row, form), path)
        except OSError as error:
            raise VivaError(f"cannot write {path}: {error.strerror}", at="-o") from None
        written += 1
    if unknown := [wanted for wanted in ids if wanted not in seen]:
        raise UsageError(f"no case {unknown[0]!r} in {results}", at="--id", hint=did_you_mean(unknown[0], sorted(seen)))
    click.echo(f"{counted(written, 'case')} written to {folder}")
    return 0
