"""A run at the terminal: console, GitHub and a person listen and answer."""

import shlex
import sys
from typing import Any

from vivavoce.app.examine import examine
from vivavoce.app.listening import Listener
from vivavoce.app.request import RunRequest
from vivavoce.cli.console import Console
from vivavoce.cli.event_loop import run_async
from vivavoce.cli.github_log import GitHubAnnotations, on_github, secrets_masked_in_log
from vivavoce.engine.wiring import PersonMaker
from vivavoce.project.redaction import Secrets


def examine_at_terminal(flags: dict[str, Any], **more: Any) -> int:
    """Runs what the flags ask for; returns the exit code."""
    refuse_opposites(flags)
    command = shlex.join(["viva", *sys.argv[1:]])
    request = RunRequest.of(flags, command=command, reads_stdin=True, default_file=True, **more)
    return run_async(lambda: examined(request))


def refuse_opposites(flags: dict[str, Any]) -> None:
    """Raises UsageError for `-q` together with `-v`. One of them beats what viva.yaml says."""
    if flags.get("quiet") and flags.get("verbose"):
        from vivavoce.errors import UsageError

        raise UsageError("-q and -v ask for opposite things", hint="give one of them")


async def examined(request: RunRequest, *more: Listener) -> int:
    """Runs the request with everything a terminal has; returns the exit code."""
    from vivavoce.app.planning import NothingSelected
    from vivavoce.errors import EXIT_PASSED

    try:
        if request.dry_run:
            return await _listed(request)
        listeners: list[Listener] = [Console(), *([GitHubAnnotations()] if on_github() else []), *more]
        secrets = secrets_masked_in_log()
        outcome = await examine(
            request, listeners, person=_people(request, secrets), secrets=secrets, owns_process=True
        )
    except NothingSelected:
        if not request.pass_with_no_tests:
            raise
        print("no cases selected")
        return EXIT_PASSED
    return outcome.exit_code


async def _listed(request: RunRequest) -> int:
    from vivavoce.app.planning import planned
    from vivavoce.cli.case_list import list_cases
    from vivavoce.sources.overwriting import refuse_overwriting

    async with planned(request, secrets=secrets_masked_in_log()) as ready:
        refuse_overwriting(ready.request.files, ready.plan.sources)
        return list_cases(ready.plan, request.output_paths, ready.resources.project)


def _people(request: RunRequest, secrets: Secrets) -> PersonMaker | None:
    """Where a person can be asked: only on a terminal, and only when wanted."""
    if request.skip_interactive:
        return None
    from vivavoce.cli.person import person_maker

    return person_maker(secrets, asked_for=request.interactive)
