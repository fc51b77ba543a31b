"""`viva view`: the history as a local web page."""

import os
import signal
import sys
from pathlib import Path

import click

from vivavoce.cli import options

EPILOG = """\b
Examples:
  viva view                             every run that was kept, and those going on
  viva view output.jsonl                a result file, also one that is still being written
  viva view --port 8123 --no-browser    print the address only
"""


@click.command("view", epilog=EPILOG)
@click.argument("results", nargs=-1, metavar="[RESULTS.jsonl ...]")
@click.option("--port", type=click.IntRange(0, 65535), default=0, metavar="N", help="Listen here [any free port].")
@click.option("--no-browser", is_flag=True, help="Do not open a browser.")
@options.project_options
def command(results: tuple[str, ...], port: int, no_browser: bool, config: str | None) -> int:
    """Show runs on a web page: trends, live runs, every case, two runs side by side.

    Talk to the project's agents there and save a conversation as a test; accept snapshots, label conversations.
    Only this machine can reach it, and only with the address that is printed. Ctrl-C ends it.
    """
    import asyncio

    return asyncio.run(_view(results, port, config, open_browser=not no_browser and _has_a_reader()))


async def _view(results: tuple[str, ...], port: int, config: str | None, *, open_browser: bool) -> int:
    import asyncio

    from vivavoce.app.history_keeping import open_history
    from vivavoce.app.opening import open_project
    from vivavoce.viewer.library import Library
    from vivavoce.viewer.server import serving
    from vivavoce.wording.plurals import counted

    project = open_project(config)
    library = Library(open_history(project), [Path(result) for result in results])
    # A run that cannot be read is an error now, not on a page.
    runs = await asyncio.to_thread(library.runs)
    ended = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    async with serving(library, port, project) as address:
        if len(results) == 1:
            address += f"runs/{library.first_file_id()}"
        click.echo(f"{counted(len(runs), 'run')} at {address}\nCtrl-C ends it.")
        sys.stdout.flush()
        if open_browser:
            import webbrowser

            await asyncio.to_thread(webbrowser.open, address)
        await ended.wait()
    return 0


def _has_a_reader() -> bool:
    """A browser is opened only where somebody sits."""
    from vivavoce.reporters.terminal.style import console_style

    return console_style(os.environ, sys.stdout.isatty()).live
