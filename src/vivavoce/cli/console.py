"""The console as a listener of the run, fitted to the terminal at hand."""

import os
import sys
from typing import TextIO

from vivavoce.app.listening import Listener, RunAhead, RunDone
from vivavoce.model.events import Event
from vivavoce.project.option import texts_of
from vivavoce.reporters.console import ConsoleReporter
from vivavoce.reporters.rerun import repeat_failed
from vivavoce.reporters.terminal.style import console_style, console_width


class Console(Listener):
    """Shows the run on stdout, or on stderr where stdout is taken; ends with how to go on with an unfinished run."""

    def __init__(self) -> None:
        self._out: TextIO = sys.stdout
        self._reporter: ConsoleReporter | None = None
        self._inputs: tuple[str, ...] = ()
        self._budget: str | None = None
        self._done: RunDone | None = None

    def starting(self, run: RunAhead) -> None:
        request = run.request
        self._inputs = texts_of(request.inputs)
        self._budget = request.budget
        self._out = sys.stderr if request.takes_stdout else sys.stdout
        style = console_style(os.environ, self._out.isatty())
        # A person types on the same screen: no live line there.
        self.wants_every_step = style.live and not request.interactive
        self._reporter = ConsoleReporter(
            self._out,
            color=style.color,
            live=self.wants_every_step,
            verbose=request.verbose or run.only_messages,
            width=console_width(os.environ, self._out.isatty()),
            left_out=run.left_out,
            again=repeat_failed(run.info.command) if run.is_kept else None,
        )
        self.handle = self._reporter.handle  # one call less for every event

    def handle(self, event: Event) -> None:
        """Replaced when the run starts."""

    def finished(self, run: RunDone) -> None:
        self._done = run
        if self._reporter is not None:
            for path in run.files:
                self._reporter.note_output(path)

    def close(self) -> None:
        if self._reporter is not None:
            self._reporter.close()
        run = self._done
        if run is not None and (run.summary.interrupted or run.summary.not_run) and run.result_file is not None:
            from vivavoce.app.resuming import tell_how_to_go_on
            from vivavoce.engine.run import BUDGET
            from vivavoce.engine.spending import NO_PRICE

            is_spent = run.summary.interrupted == BUDGET and NO_PRICE not in run.summary.warnings
            spent = self._budget if is_spent else None
            tell_how_to_go_on(run.info.command, self._inputs, run.result_file, self._out, spent_budget=spent)
