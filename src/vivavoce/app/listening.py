"""The listeners of a run: the console, GitHub, a program's `on_event`. They get its events and decide nothing."""

from collections.abc import Callable

from msgspec import Struct

from vivavoce.app.request import RunRequest
from vivavoce.model.events import Event
from vivavoce.model.result import RunInfo, RunReport, Summary


class RunAhead(Struct, frozen=True, kw_only=True):
    """A run that is about to begin."""

    info: RunInfo
    request: RunRequest
    """With what viva.yaml says filled in."""
    only_messages: bool
    """Whether nothing but direct messages is run."""
    left_out: str = ""
    """How many cases were found and not selected, and by which flags; empty when all run."""
    is_kept: bool = False
    """Whether the run goes into the history, so that `--last-failed` knows it."""


class RunDone(Struct, frozen=True, kw_only=True):
    """A run that is over, its files written."""

    info: RunInfo
    summary: Summary
    files: tuple[str, ...]
    """The files written, as a person at the project's root would write them."""
    result_file: str | None
    """The result file others may read."""
    against_baseline: tuple[str, ...] = ()
    """What became of the comparison with a baseline, in lines; empty without one."""
    changed: frozenset[str] | None = None
    """With a baseline: the keys of the cases that became worse, or fail and could not be compared."""
    exit_code: int
    report: Callable[[], RunReport] | None
    """Reads all results again from the journal; None where there is no journal."""


class Listener:
    """Hears of one run. Override what is of interest."""

    wants_every_step: bool = False
    """Whether it wants the events of attempts and turns, not only of finished cases."""

    def starting(self, run: RunAhead) -> None:
        """Called once, before the first event."""

    def handle(self, event: Event) -> None:
        """Called with every event."""

    def finished(self, run: RunDone) -> None:
        """Called once, when every file is written; not when the run broke."""

    def close(self) -> None:
        """Called last, whatever happened."""
