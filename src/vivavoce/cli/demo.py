"""`viva demo`: a real exam, with no key, no network, and nothing written into the current directory."""

import os
import shutil
import tempfile
from pathlib import Path

import click

DEMO = Path(__file__).parent.parent / "examples" / "demo"
PLANTED = "planted_bug.jsonl"


@click.command("demo", epilog="Example:\n\n  viva demo")
@click.option("-v", "--verbose", is_flag=True, help="Every message and tool call.")
def command(verbose: bool) -> int:
    """Examine the shipped example agent: passes, a planted bug that is caught and explained, and a report."""
    from vivavoce.cli.init import write_project
    from vivavoce.cli.main import viva

    folder = Path(tempfile.mkdtemp(prefix="viva-demo-"))
    write_project(folder)
    tests = folder / "assistants" / "expense" / "tests"
    shutil.copy(DEMO / PLANTED, tests / PLANTED)
    os.chdir(folder)
    arguments = ["test", "-o", "report.html", "-o", "results.jsonl", *(["-v"] if verbose else [])]
    code = viva.main(arguments, prog_name="viva", standalone_mode=False)
    click.echo(f"\nThe demo lies in {folder}; its report is {folder / 'report.html'}")
    click.echo("One case failed on purpose: the agent forgot a currency, and viva showed which argument differed.")
    click.echo("Start your own with:  viva init my-exam && cd my-exam && viva test")
    # The planted bug must be found: a demo in which everything passes is the broken one.
    return 0 if code == 1 else 3
