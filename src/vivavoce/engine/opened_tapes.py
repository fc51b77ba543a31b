"""The tapes of a run, opened only when it has some."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vivavoce.project.project import Project
from vivavoce.project.redaction import Secrets
from vivavoce.sight.tapes.tape_settings import TapeSettings

if TYPE_CHECKING:
    from vivavoce.sight.tapes.tape_room import TapeRoom


def opened_tapes(settings: TapeSettings, project: Project, secrets: Secrets) -> TapeRoom | None:
    """Returns the tapes of a run; None when it has none. Raises UsageError when they cannot be replayed."""
    if not settings.is_on:
        return None
    from vivavoce.sight.tapes.tape_room import TapeRoom

    return TapeRoom(settings, project, secrets, project.config.replay)
