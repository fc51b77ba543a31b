"""Rejudging in a process of its own: `python -m vivavoce.app.rejudge_process RUN RESULT yes|no [CONFIG]`.

The user's scripts are read anew each time. What they print or break does not reach the page's server. RESULT is the
file that the outcome is written to, as JSON.
"""

import asyncio
import sys
from pathlib import Path

from msgspec import Struct

from vivavoce.app.rejudging import Rejudged, rejudge
from vivavoce.app.request import RunRequest
from vivavoce.engine.verdict_changes import VerdictChange
from vivavoce.errors import VivaError
from vivavoce.results.encoding import encoded


class RejudgeOutcome(Struct, frozen=True, omit_defaults=False):
    """What judging again came to."""

    problem: str = ""
    """Why nothing could be judged."""
    changed: int = 0
    judged: int = 0
    stale: int = 0
    """Conversations whose case says other lines now."""
    not_recorded: int = 0
    gone: tuple[str, ...] = ()
    unreadable: int = 0
    """Lines of the recording that cannot be read."""
    changes: tuple[VerdictChange, ...] = ()


async def rejudged(run: str, *, ask_judges: bool, config: str | None) -> RejudgeOutcome:
    """Judges a run by today's cases. A problem that a user can cause is part of the outcome."""
    try:
        found = await rejudge([run], RunRequest.of({"config": config}), ask_judges=ask_judges, owns_process=True)
    except VivaError as problem:
        return RejudgeOutcome(problem=str(problem))
    return _outcome(found)


def _outcome(found: Rejudged) -> RejudgeOutcome:
    return RejudgeOutcome(
        changed=found.changes.count,
        judged=found.changes.judged,
        stale=found.changes.stale,
        not_recorded=found.not_recorded,
        gone=found.gone,
        unreadable=found.unreadable,
        changes=tuple(found.changes.kept),
    )


def main(run: str, result: str, judges: str, config: str | None = None) -> None:
    outcome = asyncio.run(rejudged(run, ask_judges=judges == "yes", config=config))
    Path(result).write_bytes(encoded(outcome))


if __name__ == "__main__":
    main(*sys.argv[1:])
