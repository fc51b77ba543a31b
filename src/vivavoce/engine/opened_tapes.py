"""The tapes of a run, opened only when it has some."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vivavoce.project.project import Project
from vivavoce.project.redaction import Secrets
from vivavoce.sight.tapes.tape_settings import TapeSettings

if TYPE_CHECKING:
    from vivavoce.sight.tapes.run_tapes import RunTapes


def opened_tapes(settings: TapeSettings, project: Project, secrets: Secrets) -> RunTapes | None:
    """Returns the tapes of a run; None when it has none. Raises UsageError when they cannot be replayed."""
    if not settings.is_on:
        return None
    from vivavoce.sight.tapes.run_tapes import RunTapes

    return RunTapes(settings, project, secrets, project.config.replay)
