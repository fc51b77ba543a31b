"""Remembers which files viva wrote: it may replace those, but no file of a person."""

from pathlib import Path

import msgspec

from vivavoce.errors import UsageError, VivaError
from vivavoce.project.locked_files import locked_folder
from vivavoce.project.private_files import make_state_folder
from vivavoce.project.project import Project
from vivavoce.project.whole_files import write_whole

_LIST = "written.json"
_MOST = 1000


def refuse_foreign(path: Path, project: Project, *, at: str) -> None:
    """Raises UsageError for a file that viva did not write, or that was changed since. Empty files are fine."""
    if path.is_file() and path.stat().st_size and _listed(project).get(_name(path)) != _state(path):
        raise UsageError(
            f"{path} was not written by viva, or was changed since, and would be lost",
            at=at,
            hint="give another file, or remove it first",
        )


def note_written(path: Path, project: Project) -> None:
    """Remembers that viva wrote the file as it is now."""
    if not path.is_file():
        return
    try:
        make_state_folder(project.state_dir)
        with locked_folder(project.state_dir):  # another viva may note a file at the same time
            listed = _listed(project)
            listed.pop(_name(path), None)
            listed[_name(path)] = _state(path)
            newest = dict(list(listed.items())[-_MOST:])
            write_whole(msgspec.json.encode(newest), project.state_dir / _LIST)
    except (OSError, VivaError):
        return  # viva will refuse to replace the file next time


def _listed(project: Project) -> dict[str, list[int]]:
    try:
        return msgspec.json.decode((project.state_dir / _LIST).read_bytes(), type=dict[str, list[int]])
    except (OSError, ValueError):
        return {}


def _name(path: Path) -> str:
    return str(path.resolve()).encode("utf-8", "backslashreplace").decode()  # a path may not be UTF-8


def _state(path: Path) -> list[int]:
    status = path.stat()
    return [status.st_size, status.st_mtime_ns]
