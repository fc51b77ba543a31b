"""One round of a watched run as plain data: what to run, and what came of it."""

import sys
from pathlib import Path

import msgspec
from msgspec import Struct

from vivavoce.model.json_value import JsonObject


class Round(Struct, frozen=True, kw_only=True):
    """What to run. Without `only` and `changed`, everything."""

    flags: JsonObject
    """The options of `viva test`."""
    command: str
    reply_to: str
    """The file that takes the outcome."""
    only: tuple[str, ...] | None = None
    """Only these `path::id`."""
    changed: tuple[str, ...] | None = None
    """Only the cases that these files affect."""
    first: tuple[str, ...] = ()
    """The keys of cases that run before all others, in this order."""


class RoundOutcome(Struct, frozen=True, kw_only=True):
    """What came of a round."""

    ran: tuple[str, ...] = ()
    """The keys of all cases that ran."""
    failed: tuple[str, ...] = ()
    case_files: tuple[str, ...] = ()
    known_files: tuple[str, ...] = ()
    """The files that are known to matter, those of cases included; empty when the cases could not be read."""
    modules: tuple[str, ...] = ()
    """viva's own modules that the round needed."""


class Ended(Struct, frozen=True):
    """The end of a round: its exit code, and the outcome it wrote."""

    exit_code: int
    outcome: RoundOutcome


def run_round(wanted: Round) -> int:
    """Runs it in this process and returns the exit code, as `viva test` would. Writes the outcome in any case."""
    from vivavoce.app.affected import Affected, case_files
    from vivavoce.app.planning import NothingSelected, Planned
    from vivavoce.app.request import RunRequest
    from vivavoce.cli.event_loop import run_async
    from vivavoce.cli.examining import examined
    from vivavoce.cli.watching.results_heard import ResultsHeard
    from vivavoce.errors import EXIT_PASSED

    known: dict[str, tuple[str, ...]] = {}

    def on_planned(ready: Planned) -> None:
        files = case_files(ready.plan.sources)
        known["case_files"] = tuple(map(str, files))
        known["known_files"] = tuple(map(str, Affected((), files, ready.resources).known_files()))

    request = RunRequest.of(
        wanted.flags,
        command=wanted.command,
        only_keys=None if wanted.only is None else frozenset(wanted.only),
        first_keys=wanted.first,
        changed_files=None if wanted.changed is None else tuple(map(Path, wanted.changed)),
        on_planned=on_planned,
    )
    heard = ResultsHeard()
    try:
        return run_async(lambda: examined(request, heard))
    except NothingSelected:
        if wanted.only is None and wanted.changed is None:
            raise
        return EXIT_PASSED
    finally:
        modules = tuple(name for name in sys.modules if name.startswith("vivavoce."))
        outcome = RoundOutcome(ran=tuple(heard.ran), failed=tuple(heard.failed), modules=modules, **known)
        Path(wanted.reply_to).write_bytes(msgspec.json.encode(outcome))
