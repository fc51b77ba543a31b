"""What did not pass last time, kept in `.viva/` so that --last-failed can find it."""

import os
from pathlib import Path

import msgspec

from vivavoce.model.events import CaseFinished, Event, RunFinished
from vivavoce.model.result import Status
from vivavoce.project import Project

_FAILING = (Status.FAILED, Status.ERROR, Status.TIMEOUT)


def read_last_failed(project: Project) -> frozenset[str] | None:
    """The keys, or None when nothing was ever recorded."""
    try:
        return frozenset(msgspec.json.decode(_file(project).read_bytes(), type=list[str]))
    except (OSError, msgspec.DecodeError):
        return None


class LastFailedReporter:
    """Updates the list: what passed now leaves it, what failed joins it, what did not run stays."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._failed = set(read_last_failed(project) or ())

    def handle(self, event: Event) -> None:
        if isinstance(event, CaseFinished):
            key = event.result.case.key
            if event.result.status in _FAILING:
                self._failed.add(key)
            elif event.result.status is Status.PASSED:
                self._failed.discard(key)
        elif isinstance(event, RunFinished):
            self._save()

    def close(self) -> None: ...

    def _save(self) -> None:
        path = _file(self._project)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            fresh = path.with_suffix(f".{os.getpid()}.tmp")
            fresh.write_bytes(msgspec.json.encode(sorted(self._failed)))
            fresh.replace(path)
        except OSError:
            # A read-only project can still be tested; only --last-failed is lost, and says so when asked.
            return


def _file(project: Project) -> Path:
    return project.state_dir / "last-failed.json"
