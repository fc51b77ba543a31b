"""`viva test --watch` at the terminal: what it watches, and what does not go with it."""

import asyncio
import os
import shlex
import sys
from pathlib import Path
from typing import Any

from vivavoce.cli.watching.round_runner import RoundRunner
from vivavoce.cli.watching.saved_files import SavedFiles, require_watchfiles
from vivavoce.cli.watching.watch import watch
from vivavoce.configuration.project_finder import project_root
from vivavoce.errors import UsageError
from vivavoce.project.option import texts_of
from vivavoce.project.run_options import RUN_OPTIONS
from vivavoce.reporters.terminal.style import Look, console_style, console_width

_NOT_WITH = {
    "interactive": "--interactive",
    "dry_run": "--dry-run",
    "resume": "--resume",
}


def watch_at_terminal(flags: dict[str, Any]) -> int:
    """Watches and tests until somebody quits; returns the exit code. Raises UsageError for what cannot be watched."""
    for name, flag in _NOT_WITH.items():
        if flags.get(name) not in (None, False):
            raise UsageError(f"--watch does not go with {flag}", hint="leave one of them out")
    if "-" in texts_of(flags.get("inputs") or ()):
        raise UsageError("--watch cannot read cases from standard input", hint="give files")
    require_watchfiles()
    words = [word for word in sys.argv[1:] if word != "--watch"]
    runner = RoundRunner(flags, shlex.join(["viva", *words]))
    reports = [Path(path) for path in (*texts_of(flags.get("outputs") or ()), flags.get("junitxml")) if path]
    is_terminal = sys.stdout.isatty()
    look = Look(width=console_width(os.environ, is_terminal), color=console_style(os.environ, is_terminal).color)
    has_snapshots = any(one.name == "update_snapshots" for one in RUN_OPTIONS)
    saved = SavedFiles(_folders(flags), reports)
    return asyncio.run(watch(runner, saved, look, _say, with_snapshots=has_snapshots))


def _folders(flags: dict[str, Any]) -> set[Path]:
    """The project, and the folders of the inputs that lie elsewhere."""
    named = [Path(text.partition("::")[0]) for text in texts_of(flags.get("inputs") or ())]
    found = {path if path.is_dir() else path.parent for path in named if path.exists()}
    config = flags.get("config")
    return {project_root(Path.cwd(), None if config is None else str(config)), *found}


def _say(text: str) -> None:
    print(text, flush=True)
