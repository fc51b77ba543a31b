"""`viva demo`: two real exams, with no key, no network, and nothing written into the current directory."""

import os
import re
import shlex
import shutil
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click

from vivavoce.cli.commands.init import EXAMPLES, write_project
from vivavoce.cli.shell_name import shell_name

PLANTED_BUGS = {"expense": "assistants/expense/tests/planted_bug.jsonl", "shop": "tests/shipping_choice.yaml"}
RESULTS = Path(".viva") / "results"
REPORTS = ("-o", str(RESULTS / "report.html"), "-o", str(RESULTS / "results.jsonl"))


@click.command("demo", epilog="Example:\n\n  viva demo")
@click.option("-v", "--verbose", is_flag=True, help="Every message and tool call.")
def command(verbose: bool) -> int:
    """Examine two shipped agents: an agent package and an AG-UI app, each with a planted bug that is caught."""
    import tempfile  # not for `viva --help`, which imports every command

    viva = shell_name()  # before the working folder changes: `make demo` starts .venv/bin/viva
    folder = Path(tempfile.mkdtemp(prefix="viva-demo-"))
    flags = ["-v"] if verbose else []
    click.echo("1 · An agent package with tools, on the embedded offline model\n")
    first = _examine(folder / "expense", "expense", flags)
    click.echo("\n2 · An AG-UI app, started on loopback for this run\n")
    with _shop(folder / "shop") as port:
        os.environ["SHOP_PORT"] = str(port)
        second = _examine(folder / "shop", "shop", flags)
    click.echo(f"\nAre these tests any good? {_score([folder / name for name in PLANTED_BUGS])}")
    click.echo("\nEach exam has one failure on purpose: a planted bug, shown with the argument that differed.")
    for name in PLANTED_BUGS:
        click.echo(f"  report: {folder / name / RESULTS / 'report.html'}")
    there = shlex.quote(str(folder / "expense"))
    click.echo(f"\nRun the first again:  cd {there} && {viva} test")
    click.echo(f"What its tests miss:  cd {there} && {viva} mutate")
    click.echo(f"Start your own:       {viva} init my-exam && cd my-exam && {viva} test")
    # The planted bugs must be found: a demo in which everything passes is the broken one.
    return 0 if (first, second) == (1, 1) else 3


def _score(projects: Sequence[Path]) -> str:
    """The mutation score of the exams together."""
    from vivavoce.app.mutating import mutate
    from vivavoce.app.request import RunRequest
    from vivavoce.cli.event_loop import run_async
    from vivavoce.insight.mutants.score import CaseScore, MutationReport
    from vivavoce.insight.mutants.words import headline

    cases: list[CaseScore] = []

    async def scored() -> int:
        cases.extend((await mutate((str(RESULTS / "results.jsonl"),), RunRequest.of({}))).cases)
        return 0

    for project in projects:
        os.chdir(project)
        run_async(scored)
    return headline(MutationReport(cases=tuple(cases)))


def _examine(folder: Path, example: str, flags: list[str]) -> int:
    from vivavoce.cli.main import viva

    write_project(folder, example)
    planted = folder / PLANTED_BUGS[example]
    shutil.copy(EXAMPLES / "demo" / planted.name, planted)
    os.chdir(folder)
    return viva.main(["test", *REPORTS, *flags], prog_name="viva", standalone_mode=False)


@contextmanager
def _shop(folder: Path) -> Generator[int]:
    """The AG-UI app on a free port, until the exam is over."""
    from vivavoce.errors import VivaError

    write_project(folder, "shop")
    import subprocess  # as above

    app = subprocess.Popen([sys.executable, "app.py", "0"], cwd=folder, stdout=subprocess.PIPE, text=True)
    try:
        assert app.stdout is not None
        port = re.search(r":(\d+)/", app.stdout.readline())
        if port is None:
            raise VivaError("the demo's AG-UI app did not start", hint=f"try: cd {folder} && python app.py")
        yield int(port[1])
    finally:
        app.kill()
        app.communicate()
