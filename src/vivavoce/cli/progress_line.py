"""One line at the bottom of a terminal with the progress of a search; nothing without a terminal."""

import os
import sys
from time import monotonic
from typing import TextIO

from vivavoce.containment.safe_stream import ERASE_LINE
from vivavoce.reporters.terminal.style import console_style, console_width

_OFTEN_ENOUGH_S = 0.1


class ProgressLine:
    """One line on stderr that is overwritten again and again; stdout gets only the final report."""

    def __init__(self, out: TextIO | None = None) -> None:
        self._out = sys.stderr if out is None else out
        self._is_shown = self._out.isatty() and console_style(os.environ, isatty=True).live
        self._drawn: float | None = None

    def show(self, text: str) -> None:
        """Draws the line anew, at most ten times a second."""
        if not self._is_shown or (self._drawn is not None and monotonic() - self._drawn < _OFTEN_ENOUGH_S):
            return
        from vivavoce.wording.terminal_text import clip, one_line

        width = console_width(os.environ, isatty=True)
        self._out.write(f"{ERASE_LINE}{clip(one_line(text), width - 1)}")
        self._out.flush()
        self._drawn = monotonic()

    def clear(self) -> None:
        """Removes the line before something else is printed."""
        if self._drawn is not None:
            self._out.write(ERASE_LINE)
            self._out.flush()
            self._drawn = None
