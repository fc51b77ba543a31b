"""The console reporter, fitted to the terminal at hand."""

import os
import shutil
import sys

from vivavoce.reporters.console import ConsoleReporter, console_style


def make_console(*, verbose: bool, direct: bool) -> ConsoleReporter:
    """Colour and a live line on a terminal, plain lines elsewhere."""
    style = console_style(os.environ, sys.stdout.isatty())
    return ConsoleReporter(
        sys.stdout,
        color=style.color,
        live=style.live,
        verbose=verbose or direct,
        width=shutil.get_terminal_size().columns,
    )
