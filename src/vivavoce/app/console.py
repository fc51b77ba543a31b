"""The console reporter, fitted to the terminal at hand."""

import os
import shutil
from typing import TextIO

from vivavoce.reporters.console import ConsoleReporter
from vivavoce.reporters.terminal.style import console_style


def make_console(out: TextIO, *, verbose: bool, quiet_line: bool) -> tuple[ConsoleReporter, bool]:
    """The console, and whether it has a live line that wants to hear of every step.

    `quiet_line` keeps the live line away: a person is typing on the same screen.
    """
    style = console_style(os.environ, out.isatty())
    live = style.live and not quiet_line
    width = shutil.get_terminal_size().columns
    return ConsoleReporter(out, color=style.color, live=live, verbose=verbose, width=width), live
