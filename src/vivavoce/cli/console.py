"""The console as a listener of the run, fitted to the terminal at hand."""

import os
import sys
from typing import TYPE_CHECKING, TextIO

from vivavoce.app.listening import Listener, RunAhead, RunDone
from vivavoce.model.events import Event
from vivavoce.project.option import texts_of
from vivavoce.reporters.console import ConsoleReporter
from vivavoce.reporters.rerun import repeat_failed
from vivavoce.reporters.terminal.style import console_style, console_width

if TYPE_CHECKING:
    from vivavoce.reporters.agent_format import AgentFormatReporter


class Console(Listener):
    """Shows the run on stdout, or on stderr where stdout is taken; ends with how to go on with an unfinished run."""

    def __init__(self) -> None:
        self._out: TextIO = sys.stdout
        self._reporter: ConsoleReporter | AgentFormatReporter | None = None
        self._inputs: tuple[str, ...] = ()
        self._budget: str | None = None
        self._done: RunDone | None = None

    def starting(self, run: RunAhead) -> None:
        request = run.request
        self._inputs = texts_of(request.inputs)
        self._budget = request.budget
        self._out = sys.stderr if request.takes_stdout else sys.stdout
        # A person types on the same screen: no live line there.
        style = console_style(os.environ, self._out.isatty())
        self.wants_every_step = request.format != "agent" and style.live and not request.interactive
        self._reporter = reporter_for(
            self._out,
            format=request.format,
            quiet=request.quiet,
            verbose=request.verbose or run.only_messages,
            live=self.wants_every_step,
            again=repeat_failed(run.info.command) if run.is_kept else None,
            left_out=run.left_out,
            in_full=run.only_messages,
            allow_not_run=request.allow_not_run,
        )
        self.handle = self._reporter.handle  # one call less for every event

    def handle(self, event: Event) -> None:
        """Replaced when the run starts."""

    def finished(self, run: RunDone) -> None:
        self._done = run
        if self._reporter is not None:
            for path in run.files:
                self._reporter.note_output(path)
            self._reporter.note_baseline(run.against_baseline, run.exit_code)

    def close(self) -> None:
        if self._reporter is not None:
            self._reporter.close()
        run = self._done
        if run is not None and (run.summary.interrupted or run.summary.not_run) and run.result_file is not None:
            from vivavoce.app.resuming import say_how_to_resume
            from vivavoce.engine.run import BUDGET
            from vivavoce.engine.spending import NO_PRICE

            is_spent = run.summary.interrupted == BUDGET and NO_PRICE not in run.summary.warnings
            spent = self._budget if is_spent else None
            say_how_to_resume(run.info.command, self._inputs, run.result_file, self._out, spent_budget=spent)


def reporter_for(
    out: TextIO,
    *,
    format: str | None,  # noqa: A002 - as the flag is called
    quiet: bool | None,
    verbose: bool | None,
    again: str | None,
    live: bool = False,
    left_out: str = "",
    in_full: bool = False,
    allow_not_run: bool = False,
) -> "ConsoleReporter | AgentFormatReporter":
    """The reporter that writes a run to this stream in the form that the flags ask for."""
    if format == "agent":
        from vivavoce.reporters.agent_format import AgentFormatReporter

        return AgentFormatReporter(
            out, again=again, left_out=left_out, in_full=in_full or bool(verbose), allow_not_run=allow_not_run
        )
    return ConsoleReporter(
        out,
        color=console_style(os.environ, out.isatty()).color,
        live=live,
        verbose=bool(verbose) and not quiet,
        quiet=bool(quiet),
        width=console_width(os.environ, out.isatty()),
        left_out=left_out,
        again=again,
    )
