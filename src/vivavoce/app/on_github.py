"""In GitHub Actions: annotations at the failing lines, the step's summary, and secrets masked in the log."""

import os
import sys
from collections.abc import Callable

from vivavoce.engine.wiring import Workshop
from vivavoce.model.result import RunReport


def _on_github() -> bool:
    return os.environ.get("GITHUB_ACTIONS") == "true"


def mask_in_the_log(workshop: Workshop) -> None:
    """GitHub masks what it is told of; viva's own output is masked already, other steps' may not be."""
    if not _on_github():
        return
    # Once cases run, sys.stdout leads to their logs.
    log = sys.stdout

    def tell(secret: str) -> None:
        # A command is one line, and masks a line.
        for line in filter(None, secret.splitlines()):
            print(f"::add-mask::{line.replace('%', '%25')}", file=log, flush=True)

    workshop.secrets.on_add = tell


def tell_github(make_report: Callable[[], RunReport]) -> None:
    """The report is made only where GitHub listens: it reads the whole journal."""
    if _on_github():
        from vivavoce.reporters.github import append_step_summary, write_annotations

        report = make_report()
        write_annotations(report, sys.stdout, os.environ)
        append_step_summary(report, os.environ)
