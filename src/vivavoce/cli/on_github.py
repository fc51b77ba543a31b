"""In GitHub Actions: annotations at the failing lines, the step's summary, and secrets masked in the log."""

import os
import sys
from collections.abc import Callable

from vivavoce.model.result import RunReport
from vivavoce.run.wiring import Workshop


def _on_github() -> bool:
    return os.environ.get("GITHUB_ACTIONS") == "true"


def mask_in_the_log(workshop: Workshop) -> None:
    """GitHub masks what it is told of; viva's own output is masked already, other steps' may not be."""
    if _on_github():
        workshop.secrets.on_add = lambda secret: print(f"::add-mask::{secret}", file=sys.stdout)


def tell_github(make_report: Callable[[], RunReport]) -> None:
    """The report is made only where GitHub listens: it reads the whole journal."""
    if _on_github():
        from vivavoce.reporters.github import append_step_summary, write_annotations

        report = make_report()
        write_annotations(report, sys.stdout, os.environ)
        append_step_summary(report, os.environ)
