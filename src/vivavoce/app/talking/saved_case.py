"""A drafted case → a new file inside the project. Nothing that exists is written over."""

import os
from collections.abc import Mapping
from pathlib import Path

from vivavoce.errors import UsageError
from vivavoce.project.inside import inside_path
from vivavoce.project.project import Project

_SUFFIXES = (".yaml", ".yml")
_CONFIGURATION = ("viva.yaml", "viva.yml")


def suggested_file(project: Project, file_name: str) -> str:
    """A free path below the project's tests."""
    folder = _tests_folder(project)
    path, number = Path(folder, file_name), 1
    while (project.root / path).exists():
        number += 1
        path = Path(folder, file_name).with_stem(f"{Path(file_name).stem}-{number}")
    return path.as_posix()


def checked_file(project: Project, file: str) -> Path:
    """Where a case file of this path is to be written. Raises UsageError for any place where none may be."""
    given = Path(file)
    if given.suffix not in _SUFFIXES or "\0" in file:
        raise UsageError(f"{file!r} is not the name of a case file", hint="it ends in .yaml")
    if given.name in _CONFIGURATION or any(step.startswith(".") and step not in (".", "..") for step in given.parts):
        raise UsageError(f"{file!r} is no place for a case file", hint="write it like tests/a-talk.yaml")
    path = inside_path(file, project.root)
    if path.exists():
        raise UsageError(f"{file} exists already", hint="choose another name")
    return path


def save(path: Path, text: str, files: Mapping[str, bytes]) -> None:
    """Writes the case and the files it names, none of which may exist. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        place = path.parent / name
        place.parent.mkdir(exist_ok=True)
        if place.parent.resolve() != place.parent or (place.exists() and place.read_bytes() != data):
            raise UsageError(f"{place.name} exists already beside the case", hint="choose another name")
        if not place.exists():
            _write_new(place, data)
    _write_new(path, text.encode())


def _write_new(path: Path, data: bytes) -> None:
    # Never through a link, and never over a file that somebody else has just made.
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o666)
    try:
        with os.fdopen(descriptor, "wb") as out:
            out.write(data)
    except OSError:
        path.unlink(missing_ok=True)  # half a test would be worse than none
        raise


def _tests_folder(project: Project) -> str:
    tests = project.config.tests
    named = [tests] if isinstance(tests, str) else list(tests or ())
    folders = (entry for entry in named if (project.root / entry).is_dir())
    return next(folders, "tests")
