"""In GitHub Actions: annotations at the failing lines, the step's summary, and secrets masked in the log."""

import os
import sys

from vivavoce.app.listening import Listener, RunDone
from vivavoce.containment.safe_stream import write_command
from vivavoce.project.redaction import Secrets


def on_github() -> bool:
    return os.environ.get("GITHUB_ACTIONS") == "true"


def secrets_masked_in_log() -> Secrets:
    """Secrets that GitHub hears of: viva's own output is masked already, that of other steps may not be."""
    secrets = Secrets()
    if not on_github():
        return secrets
    # Once cases run, sys.stdout leads to their logs.
    log = sys.stdout

    def mask(secret: str) -> None:
        # A command is one line, and masks one line: a secret of several lines needs several commands.
        for line in filter(None, secret.splitlines()):
            write_command(log, f"::add-mask::{line.replace('%', '%25')}")

    secrets.on_add = mask
    return secrets


class GitHubAnnotations(Listener):
    """Writes annotations and the step's summary when the run is over. Only for runs with a journal to read."""

    def finished(self, run: RunDone) -> None:
        if run.report is None:
            return
        from vivavoce.reporters.github import AgainstBaseline, append_step_summary, write_annotations

        report = run.report()
        against = (
            None if run.changed is None else AgainstBaseline(run.changed, run.against_baseline, run.exit_code != 0)
        )
        write_annotations(report, sys.stdout, os.environ, against)
        append_step_summary(report, os.environ, against)
